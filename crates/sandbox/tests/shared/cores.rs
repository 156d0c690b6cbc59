//! The cores of a program.

use grader_model::End;
use grader_sandbox::{Core, Cores};

use crate::harness::{Bench, is_active};

/// The shell and its child print their allowed cores.
const SAYS: &str = "while read -r name list; do
  case $name in Cpus_allowed_list:) echo $list;; esac
done < /proc/self/status
grep Cpus_allowed_list /proc/self/status | cut -f 2";

/// Whether a program can read its allowed cores, which needs `/proc` in the sandbox.
fn can_say() -> bool {
    let can = Bench::shell("test -r /proc/self/status").run();
    let can = can.outcome.end == End::Exited(0);
    if !can {
        eprintln!("skipped: there is no `/proc` in this sandbox");
    }
    can
}

fn ours() -> String {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
    let mut lines = status.lines();
    let list = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.unwrap().trim().to_owned()
}

#[test]
fn a_program_and_its_children_run_on_its_core_alone() {
    if !can_say() {
        return;
    }
    let cores = Cores::here();
    assert!(!cores.order().is_empty());
    for &core in cores.order() {
        let mut bench = Bench::shell(SAYS);
        bench.request.core = Some(core);
        assert_eq!(bench.run().text(), format!("{core}\n{core}\n"));
    }
}

#[test]
fn a_program_without_a_core_may_use_all_even_after_one_with_a_core() {
    if !can_say() {
        return;
    }
    let mut bench = Bench::shell(SAYS);
    bench.request.core = Cores::here().order().first().copied();
    bench.run();
    bench.request.core = None;
    let ours = ours();
    assert_eq!(bench.run().text(), format!("{ours}\n{ours}\n"));
}

#[test]
fn a_core_that_is_not_allowed_is_a_sandbox_error() {
    let mut bench = Bench::shell("true");
    for core in [8191, u32::MAX] {
        bench.request.core = Some(Core(core));
        let error = bench.try_run().unwrap_err();
        let expected = format!("cannot run the program on core {core}, which is not allowed to us");
        assert_eq!(error.to_string(), expected);
    }
    // The next run still works.
    bench.request.core = None;
    assert_eq!(bench.run().outcome.end, End::Exited(0));
}

#[test]
fn a_program_cannot_leave_its_core() {
    let Some(mut bench) = Bench::c(
        "#define _GNU_SOURCE\n\
         #include <errno.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdio.h>\n#include <unistd.h>\n\
         static void *count(void *all) { return all; }\n\
         int main(void) {\n\
           cpu_set_t all; CPU_ZERO(&all);\n\
           for (int i = 0; i < CPU_SETSIZE; i++) CPU_SET(i, &all);\n\
           int whole = sched_setaffinity(0, sizeof all, &all) == -1 ? errno : 0;\n\
           int init = sched_setaffinity(getppid(), sizeof all, &all) == -1 ? errno : 0;\n\
           pthread_t thread; int started = pthread_create(&thread, 0, count, 0);\n\
           if (!started) pthread_join(thread, 0);\n\
           sched_getaffinity(0, sizeof all, &all);\n\
           printf(\"%d %d, thread %d, %d core\\n\", whole == EPERM, init == EPERM, started, CPU_COUNT(&all));\n\
         }",
    ) else {
        return;
    };
    if !is_active("seccomp") {
        return;
    }
    bench.request.core = Cores::here().order().first().copied();
    assert_eq!(bench.run().text(), "1 1, thread 0, 1 core\n");
}
