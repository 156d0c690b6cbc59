//! All processes that a program starts are charged to it, however it hides them.

use std::time::Duration;

use grader_model::{Breach, Bytes, End};
use grader_sandbox::SystemFolders;

use crate::harness::{Bench, runner};

/// Uses 0.3 s of CPU time, by its own clock, in one of several ways.
const BURN: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void burn(double seconds) {
    struct timespec t;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    while (t.tv_sec + t.tv_nsec * 1e-9 < seconds);
}
static void *half(void *unused) { burn(0.15); return unused; }
int main(int c, char **v) {
    char *way = v[1];
    (void)c;
    int done[2];
    char byte;
    if (pipe(done)) return 2;
    if (!strcmp(way, "alone")) burn(0.3);
    if (!strcmp(way, "threads")) {
        pthread_t a, b;
        pthread_create(&a, 0, half, 0);
        pthread_create(&b, 0, half, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
    }
    if (!strcmp(way, "child") && !fork()) { burn(0.3); _exit(0); }
    if (!strcmp(way, "ignored")) {
        signal(SIGCHLD, SIG_IGN);
        if (!fork()) { burn(0.3); _exit(0); }
    }
    if (!strcmp(way, "deeper")) {
        if (!fork()) {
            signal(SIGCHLD, SIG_IGN);
            if (!fork()) { burn(0.3); _exit(0); }
            close(done[1]);
            read(done[0], &byte, 1);
            _exit(0);
        }
    }
    if (!strcmp(way, "orphan") && !fork()) {
        setsid();
        if (!fork()) { burn(0.3); _exit(0); }
        _exit(0);
    }
    /* Until the last descendant has gone. */
    close(done[1]);
    read(done[0], &byte, 1);
    return 0;
}
"#;

fn measured(missing: &str) -> bool {
    let is_active = !runner()
        .isolation()
        .missing
        .iter()
        .any(|name| name == missing);
    if !is_active {
        eprintln!("skipped: this host does not offer {missing}");
    }
    is_active
}

#[test]
fn cpu_time_is_charged_within_two_percent_however_it_is_hidden() {
    if !measured("cpu-clock") {
        return;
    }
    let mut bench = Bench::c(BURN).unwrap();
    for way in ["alone", "threads", "child", "ignored", "deeper", "orphan"] {
        bench = bench.arguments([way]);
        let outcome = bench.run().outcome;
        assert_eq!(
            (outcome.end, outcome.breach),
            (End::Exited(0), None),
            "{way}"
        );
        let true_time = Duration::from_millis(300);
        let error = outcome.cpu.0.abs_diff(true_time);
        // Two percent, plus the cost of starting and ending some processes on a slow, busy machine.
        let start = if outcome.cpu.0 > true_time { 100 } else { 6 };
        let allowed = true_time / 50 + Duration::from_millis(start);
        assert!(error < allowed, "{way}: {outcome:?}");
    }
}

const ALLOCATE: &str = r#"
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile char sink;
static void touch(size_t mib) {
    char *p = malloc(mib << 20);
    memset(p, 1, mib << 20);
    sink = p[mib];
}
int main(int c, char **v) {
    (void)c;
    if (!strcmp(v[1], "children")) {
        for (int i = 0; i < 4; i++) if (!fork()) { touch(50); pause(); }
        /* Some are killed for want of memory. */
        wait(0);
    }
    if (!strcmp(v[1], "shared")) {
        size_t size = 100 << 20;
        memset(mmap(0, size, PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, size);
    }
    if (!strcmp(v[1], "little")) touch(30);
    return 0;
}
"#;

#[test]
fn memory_of_all_processes_and_of_none_counts() {
    if !measured("memory-cgroup") {
        return;
    }
    let limit = Bytes(64 << 20);
    let mut bench = Bench::c(ALLOCATE)
        .unwrap()
        .limits(|limits| limits.memory = limit);
    for way in ["children", "shared", "little"] {
        bench = bench.arguments([way]);
        let outcome = bench.run().outcome;
        let breach = (way != "little").then_some(Breach::Memory);
        assert_eq!(outcome.breach, breach, "{way}: {outcome:?}");
        if breach.is_none() {
            // Within a mebibyte.
            let memory = outcome.memory.unwrap().0;
            assert!((30 << 20..31 << 20).contains(&memory), "{memory}");
        }
    }
}

#[test]
fn the_number_of_processes_is_the_allowed_one() {
    let done = Bench::shell("for i in 1 2 3 4 5 6 7 8; do sleep 100 & echo $i; done")
        .limits(|limits| limits.processes = 5)
        .run();
    assert_eq!(done.text(), "1\n2\n3\n4\n", "{done:?}");
}

#[test]
fn kernel_caches_of_one_run_are_not_charged_to_the_next() {
    if !measured("memory-cgroup") {
        return;
    }
    let Some(mut names) = Bench::c(
        "#include <stdio.h>\n#include <sys/stat.h>\n#include <unistd.h>\nint main(void) { struct stat s; \
         char name[300]; for (int i = 0; i < 60000; i++) { sprintf(name, \"/usr/lib/%0200d.%d\", i, \
         getpid()); stat(name, &s); } return 0; }",
    ) else {
        return;
    };
    // File systems on disk cache names that do not exist, too: some 30 MiB.
    names.request.system = SystemFolders::Whole;
    let first = names.run().outcome;
    assert!(first.memory > Some(Bytes(8 << 20)), "{first:?}");
    let next = Bench::shell("exit 0").run().outcome;
    assert!(next.memory < Some(Bytes(4 << 20)), "{next:?}");
}

#[test]
fn pending_signals_are_limited() {
    let Some(bench) = Bench::c(
        "#define _GNU_SOURCE\n#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void) { \
         sigset_t set; sigemptyset(&set); sigaddset(&set, SIGRTMIN); sigprocmask(SIG_BLOCK, &set, 0); \
         union sigval value = {0}; int sent = 0; while (sent < 100000 && !sigqueue(getpid(), SIGRTMIN, \
         value)) sent++; puts(sent < 1000 ? \"bounded\" : \"unbounded\"); return 0; }",
    ) else {
        return;
    };
    assert_eq!(bench.run().text(), "bounded\n");
}
