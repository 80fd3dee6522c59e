#!/usr/bin/env bash
# Start and stop places of a cluster on hosts, by SSH (docs/cluster.md). Copy it, and adapt it.
#
#   scripts/cluster/ssh.sh start HOSTS     copy certificates and scheduler file, and start the places of each host
#   scripts/cluster/ssh.sh status HOSTS    print the end of each log
#   scripts/cluster/ssh.sh stop HOSTS      stop them
#
# HOSTS is a file with a line for each host: its name as ssh takes it, and the cores as --cores takes them:
#
#   node1 2,3
#   me@node2 all
#
# Hosts are asked side by side, each for at most $CROSSCHECK_TIMEOUT seconds (default 60). The exit code is 1 if one of them
# failed. Places that run already are left as they are, and a start or stop can be repeated.
#
# Crosscheck is installed in the same way in the folder $CROSSCHECK_HOME of each host, below the home folder.
set -euo pipefail

there=${CROSSCHECK_HOME:-crosscheck}                    # clone with the environment .venv, on the hosts
folder=${CROSSCHECK_CLUSTER:-$HOME/.crosscheck-cluster} # certificates and scheduler.json, here
timeout_s=${CROSSCHECK_TIMEOUT:-60}                     # for each host

place='.venv/bin/python -m harness place --scheduler-file ~/.crosscheck-cluster/scheduler.json'
place+=' --certificates ~/.crosscheck-cluster'
# shellcheck disable=SC2016 # for the shell of a host
running='pid=$(cat ~/.crosscheck-cluster/place.pid 2>/dev/null) && ps -o args= -p "$pid" | grep -q "harness place"'

start() { # HOST CORES
    if ssh -n "$1" "$running"; then echo "places run already" && return; fi
    tar -C "$folder" -cf - ca.pem certificate.pem key.pem scheduler.json |
        ssh "$1" 'umask 077 && mkdir -p ~/.crosscheck-cluster && tar -C ~/.crosscheck-cluster -xf -' || return
    ssh -n "$1" "cd $there && { nohup $place --cores $2 </dev/null >~/.crosscheck-cluster/place.log 2>&1 &
        echo \$! >~/.crosscheck-cluster/place.pid; }" || return
    ssh -n "$1" "cd ~/.crosscheck-cluster
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do test -s place.log && break; sleep 1; done
        tail -n 1 place.log; $running"
}

status() { # HOST CORES
    ssh -n "$1" "tail -n 3 ~/.crosscheck-cluster/place.log; $running"
}

stop() { # HOST CORES
    ssh -n "$1" "if $running; then kill \"\$pid\"; while $running; do sleep 0.2; done; echo stopped
        else echo 'no places run'; fi"
}

if test "${1:-}" = host; then # one host, in the process that ends after the timeout
    "$2" "$3" "$4" 2>&1 || { echo failed && exit 1; }
    exit
fi

case ${1:-}-$# in
    start-2 | status-2 | stop-2) ;;
    *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2 && exit 2 ;;
esac
jobs=() failed=0
while read -r host cores _; do
    case $host in '' | '#'*) continue ;; esac
    (
        code=0
        said=$(timeout -k 5 "$timeout_s" "$0" host "$1" "$host" "${cores:-all}") || code=$?
        test "$code" != 124 || said="no answer within $timeout_s s"
        echo "$host: $said"
        exit "$code"
    ) &
    jobs+=($!)
done <"$2"
for job in ${jobs[@]+"${jobs[@]}"}; do wait "$job" || failed=1; done
exit "$failed"
