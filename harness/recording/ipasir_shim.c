/* IPASIR, recorded: functions that a program calls before those of its solver, which they call in turn.

   LD_PRELOAD puts them first, so the solver has to be a shared library. Each solver object writes its calls as
   CaDiCaL's trace to $CROSSCHECK_RECORD/PID-N.trace. Of the nine functions those are here that change or give answers;
   the others (signature, val, failed, set_terminate, set_learn) reach the solver as they are. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Recorded {
    void *solver;
    FILE *file;
    struct Recorded *next;
} Recorded;

static Recorded *all;
static int number;

#define REAL(result, name, ...)                \
    static result (*call)(__VA_ARGS__);        \
    if (!call) call = (result (*)(__VA_ARGS__))real(name)

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "record: no shared library has %s\n", name);
        exit(127);
    }
    return found;
}

static FILE *file_of(void *solver) {
    for (Recorded *r = all; r; r = r->next)
        if (r->solver == solver) return r->file;
    return NULL;
}

void *ipasir_init(void) {
    REAL(void *, "ipasir_init", void);
    const char *folder = getenv("CROSSCHECK_RECORD");
    Recorded *r = malloc(sizeof *r);
    char path[4096];
    snprintf(path, sizeof path, "%s/%d-%d.trace", folder ? folder : ".", (int)getpid(), ++number);
    r->solver = call();
    r->file = fopen(path, "w");
    r->next = all;
    all = r;
    if (r->file) fputs("init\n", r->file);
    return r->solver;
}

void ipasir_add(void *solver, int literal) {
    REAL(void, "ipasir_add", void *, int);
    FILE *file = file_of(solver);
    if (file) fprintf(file, "add %d\n", literal);
    call(solver, literal);
}

void ipasir_assume(void *solver, int literal) {
    REAL(void, "ipasir_assume", void *, int);
    FILE *file = file_of(solver);
    if (file) fprintf(file, "assume %d\n", literal);
    call(solver, literal);
}

int ipasir_solve(void *solver) {
    REAL(int, "ipasir_solve", void *);
    FILE *file = file_of(solver);
    int answer = call(solver);
    if (file) fprintf(file, answer ? "solve %d\n" : "solve\n", answer);
    return answer;
}

void ipasir_release(void *solver) {
    REAL(void, "ipasir_release", void *);
    for (Recorded **at = &all; *at; at = &(*at)->next)
        if ((*at)->solver == solver) {
            Recorded *r = *at;
            if (r->file) {
                fputs("reset\n", r->file);
                fclose(r->file);
            }
            *at = r->next;
            free(r);
            break;
        }
    call(solver);
}
