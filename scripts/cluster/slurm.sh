#!/usr/bin/env bash
# Places of a cluster as an array of Slurm jobs (docs/cluster.md). Copy it, and adapt the #SBATCH lines.
#
#   sbatch scripts/cluster/slurm.sh                       places for a scheduler that runs on the submitting node
#   sbatch scripts/cluster/slurm.sh hard -b pysat -t 60   a whole run: the first job has the scheduler and `run` with
#                                                         these arguments, the other jobs are places
#
# A job has a place on each of its cores. It ends when the scheduler has ended, which removes its file.
#
#SBATCH --job-name=crosscheck
#SBATCH --array=0-20
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=4G
#SBATCH --hint=nomultithread
#SBATCH --time=12:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --output=crosscheck-%A-%a.log
set -euo pipefail
set -m # else a process in the background ignores SIGINT

python=${CROSSCHECK_PYTHON:-.venv/bin/python}           # has '.[cluster]' of the clone
folder=${CROSSCHECK_CLUSTER:-$HOME/.crosscheck-cluster} # certificates, where all nodes see them
host=${CROSSCHECK_HOST:-$(hostname -I | cut -d ' ' -f 1)}
patience_s=600 # until there is a scheduler

file=$folder/scheduler.json
test $# = 0 || file=$folder/scheduler-$SLURM_ARRAY_JOB_ID.json

await_scheduler() {
    for ((s = 0; s < patience_s; s++)); do
        test ! -e "$file" || return 0
        sleep 1 || true # ends early if the job is suspended
    done
    echo "no scheduler: $file is missing" >&2
    return 1
}

await_end() { # of a process; signals are handled in between
    while kill -0 "$1" 2>/dev/null; do wait "$1" && code=0 || code=$?; done
}

run_all() {
    "$python" -m harness scheduler --scheduler-file "$file" --certificates "$folder" --host "$host" --port 0 &
    scheduler=$!
    trap 'kill "$scheduler" 2>/dev/null && await_end "$scheduler"' EXIT
    await_scheduler
    "$python" -m harness run "$@" --on "dask:$file" --certificates "$folder" &
    run=$!
    trap 'kill -INT "$run"' TERM # as Ctrl-C: `run --resume` continues it
    await_end "$run"
}

run_places() {
    if test "$(env -u OMP_NUM_THREADS nproc)" -gt "${SLURM_CPUS_ON_NODE:-1}"; then
        echo "this cluster does not bind jobs to their cores: add #SBATCH --exclusive, or places share cores" >&2
        return 1
    fi
    await_scheduler
    "$python" -m harness place --scheduler-file "$file" --certificates "$folder" --cores all &
    places=$!
    trap 'kill "$places"' TERM
    while test -e "$file" && kill -0 "$places" 2>/dev/null; do sleep 2 || true; done
    kill "$places" 2>/dev/null || true
    await_end "$places"
}

code=0
if test $# -gt 0 && test "$SLURM_ARRAY_TASK_ID" = "$SLURM_ARRAY_TASK_MIN"; then run_all "$@"; else run_places; fi
exit "$code"
