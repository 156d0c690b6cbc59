//! Programs at and just below each limit.

use std::time::Duration;

use grader_model::{Breach, Bytes, CpuTime, End, Limits, WallTime};
use grader_sandbox::{BindMount, Cores, Returns, SandboxError, StartGate};

use crate::harness::{Bench, counts_memory, runner};

const KILLED: End = End::Signalled(9);

#[test]
fn a_loop_is_stopped_at_the_cpu_limit() {
    let limit = CpuTime::from_millis(200);
    let bench = Bench::shell("while :; do :; done").limits(|limits| limits.cpu = limit);
    let outcome = bench.run().outcome;
    assert_eq!((outcome.end, outcome.breach), (KILLED, Some(Breach::Cpu)));
    assert!(outcome.cpu > limit, "{outcome:?}");
}

#[test]
fn a_sleeper_is_stopped_at_the_wall_limit() {
    let limit = WallTime::from_millis(200);
    let bench = Bench::shell("exec sleep 600").limits(|limits| limits.wall = limit);
    let outcome = bench.run().outcome;
    assert_eq!((outcome.end, outcome.breach), (KILLED, Some(Breach::Wall)));
    assert!(outcome.wall >= limit, "{outcome:?}");
}

#[test]
fn a_loop_that_ends_between_two_readings_still_exceeds_the_limit() {
    let limit = CpuTime::from_millis(1);
    let bench = Bench::shell("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; exit 3")
        .limits(|limits| limits.cpu = limit);
    let outcome = bench.run().outcome;
    assert_eq!(outcome.breach, Some(Breach::Cpu));
    assert!(outcome.cpu > limit, "{outcome:?}");
}

#[test]
fn cpu_time_of_children_is_charged() {
    let limit = CpuTime::from_millis(200);
    for script in [
        "(while :; do :; done) & wait",
        "(while :; do :; done) & sleep 600",
        "setsid sh -c 'while :; do :; done' & sleep 600",
    ] {
        let bench = Bench::shell(script).limits(|limits| limits.cpu = limit);
        let outcome = bench.run().outcome;
        assert_eq!(
            (outcome.end, outcome.breach),
            (KILLED, Some(Breach::Cpu)),
            "{script}"
        );
        assert!(outcome.cpu > limit, "{script}: {outcome:?}");
    }
}

#[test]
fn unreaped_children_are_charged() {
    let Some(bench) = Bench::c(
        "#include <signal.h>\n#include <time.h>\n#include <unistd.h>\n#include <sys/wait.h>\n\
         int main(void) { signal(SIGCHLD, SIG_IGN); if (!fork()) { while (clock() < 300000); \
         _exit(0); } wait(0); return 0; }",
    ) else {
        return;
    };
    let bench = bench.limits(|limits| limits.cpu = CpuTime::from_millis(100));
    let outcome = bench.run().outcome;
    assert_eq!(outcome.breach, Some(Breach::Cpu));
    assert!(outcome.cpu > CpuTime::from_millis(100), "{outcome:?}");
}

const ALLOCATE: &str = "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
    #include <sys/wait.h>\nint main(int c, char **v) { size_t n = (size_t)atoi(v[1]) << 20; \
    volatile char *p = malloc(n); memset((char *)p, 1, n); \
    for (int i = 2; i < c; i++) if (!fork()) { pause(); } \
    if (c > 2) { usleep(50000); kill(0, 9); } return p[n - 1] - 1; }\n";

/// [`ALLOCATE`] of this many MiB under a limit of 64.
fn allocate(arguments: &[&str]) -> Option<grader_model::Outcome> {
    if !counts_memory() {
        return None;
    }
    let source = format!("#include <signal.h>\n{ALLOCATE}");
    let bench = Bench::c(&source)?
        .arguments(arguments.iter().copied())
        .limits(|limits| limits.memory = Bytes(64 << 20));
    Some(bench.run().outcome)
}

#[test]
fn too_much_memory_is_a_breach_however_fast_it_is_allocated() {
    for mib in ["70", "400"] {
        let Some(outcome) = allocate(&[mib]) else {
            return;
        };
        assert_eq!(outcome.breach, Some(Breach::Memory), "{outcome:?}");
        assert!(outcome.memory >= Some(Bytes(64 << 20)), "{outcome:?}");
    }
}

#[test]
fn memory_below_the_limit_is_measured() {
    let Some(outcome) = allocate(&["40"]) else {
        return;
    };
    assert_eq!((outcome.end, outcome.breach), (End::Exited(0), None));
    let memory = outcome.memory.unwrap();
    assert!((40 << 20..48 << 20).contains(&memory.0), "{memory}");
}

#[test]
fn memory_of_several_processes_is_added() {
    if !counts_memory() {
        return;
    }
    let Some(bench) = Bench::c(
        "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\nint main(void) { \
         fork(); fork(); size_t n = 30 << 20; char *p = malloc(n); memset(p, 1, n); pause(); \
         return p[n - 1]; }",
    ) else {
        return;
    };
    let bench = bench.limits(|limits| limits.memory = Bytes(64 << 20));
    let outcome = bench.run().outcome;
    assert_eq!(
        (outcome.end, outcome.breach),
        (KILLED, Some(Breach::Memory))
    );
}

#[test]
fn reserved_address_space_is_not_memory() {
    if !counts_memory() {
        return;
    }
    let Some(bench) = Bench::c(
        "#include <sys/mman.h>\nint main(void) { return mmap(0, 1L << 34, 3, \
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED; }",
    ) else {
        return;
    };
    let outcome = bench
        .limits(|limits| limits.memory = Bytes(64 << 20))
        .run()
        .outcome;
    assert_eq!((outcome.end, outcome.breach), (End::Exited(0), None));
}

#[test]
fn a_recursion_of_depth_a_million_fits() {
    let Some(bench) = Bench::c(
        "int deep(volatile int *p, int n) { volatile int a[16]; a[n & 15] = *p; \
         return n ? deep(a + (n & 15), n - 1) + 1 : 0; } \
         int main(void) { volatile int x = 0; return deep(&x, 1000000) != 1000000; }",
    ) else {
        return;
    };
    let outcome = bench
        .limits(|limits| limits.memory = Bytes(256 << 20))
        .run()
        .outcome;
    assert_eq!((outcome.end, outcome.breach), (End::Exited(0), None));
}

#[test]
fn thirty_threads_fit_into_a_usual_memory_limit() {
    let Some(bench) = Bench::c(
        "#include <pthread.h>\n\
         static void *use(void *unused) { volatile char a[1 << 20]; a[0] = 1; return unused; }\n\
         int main(void) { pthread_t all[30]; \
         for (int i = 0; i < 30; i++) if (pthread_create(&all[i], 0, use, 0)) return 1; \
         for (int i = 0; i < 30; i++) pthread_join(all[i], 0); return 0; }",
    ) else {
        return;
    };
    let outcome = bench
        .limits(|limits| limits.memory = Bytes(128 << 20))
        .run()
        .outcome;
    assert_eq!((outcome.end, outcome.breach), (End::Exited(0), None));
}

#[test]
fn output_of_exactly_the_limit_is_not_a_breach() {
    let bench = Bench::shell("head -c 1000 /dev/zero").limits(|limits| limits.output = Bytes(1000));
    let done = bench.run();
    assert_eq!(
        (done.outcome.end, done.outcome.breach),
        (End::Exited(0), None)
    );
    assert_eq!(
        (done.stdout.len(), done.outcome.stdout),
        (1000, Bytes(1000))
    );
}

#[test]
fn output_above_the_limit_is_cut() {
    for (script, sizes) in [
        ("exec head -c 1001 /dev/zero", (1000, 0)),
        ("exec cat /dev/zero", (1000, 0)),
        ("exec cat /dev/zero >&2", (0, 1000)),
        (
            "trap '' XFSZ; while :; do cat /dev/zero; done 2>/dev/null",
            (1000, 0),
        ),
    ] {
        let bench = Bench::shell(script).limits(|limits| limits.output = Bytes(1000));
        let done = bench.run();
        assert_eq!(done.outcome.breach, Some(Breach::Output), "{script}");
        assert_eq!((done.stdout.len(), done.stderr.len()), sizes, "{script}");
        let counted = (done.outcome.stdout.0, done.outcome.stderr.0);
        assert_eq!(counted, (sizes.0 as u64, sizes.1 as u64), "{script}");
    }
}

#[test]
fn the_output_limit_applies_to_files_in_the_box() {
    let mut bench =
        Bench::shell("exec cat /dev/zero > file").limits(|limits| limits.output = Bytes(1000));
    bench.request.returns = Returns::File("file".to_owned());
    let outcome = bench.run().outcome;
    assert_eq!(
        (outcome.end, outcome.breach),
        (End::Signalled(25), Some(Breach::Output))
    );
    assert_eq!(std::fs::metadata(bench.inside("file")).unwrap().len(), 1001);
}

#[test]
fn a_stream_of_orphans_does_not_delay_the_wall_limit() {
    // In each of four chains, every process forks the next one in a new session and ends.
    let Some(bench) = Bench::c(
        "#include <unistd.h>\n\
         int main(void) { for (int i = 0; i < 4; i++) if (!fork()) { setsid(); \
         while (1) if (fork()) _exit(0); } for (;;) pause(); }",
    ) else {
        return;
    };
    let bench = bench.limits(|limits| limits.wall = WallTime::from_millis(300));
    let outcome = bench.run().outcome;
    assert_eq!((outcome.end, outcome.breach), (KILLED, Some(Breach::Wall)));
}

/// Data whose size an author or a student determines is never truncated between processes.
#[test]
fn sizes_do_not_matter() {
    let mut bench = Bench::shell("echo $# ${#1} ${#BIG}; ls | wc -l; ls | head -c 250");
    bench.request.arguments.push("sh".into());
    bench.request.arguments.push("x".repeat(100_000).into());
    let many = (1..10_000).map(|number| format!("{number:079}").into());
    bench.request.arguments.extend(many);
    let big = ("BIG".into(), "y".repeat(100_000).into());
    bench.request.environment.push(big);
    for number in 0..1000 {
        std::fs::write(bench.inside(&format!("{number:0250}")), "").unwrap();
    }
    assert_eq!(
        bench.run().text(),
        format!("10000 100000 100000\n1000\n{}", "0".repeat(250))
    );
}

#[test]
fn the_number_of_mounts_is_limited_only_by_descriptors() {
    let mut bench = Bench::shell("cat \"$0\"/note");
    for number in 0..300 {
        let folder = bench.path(&format!("mount{number}"));
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("note"), format!("{number}\n")).unwrap();
        let inside = if runner().hides(std::path::Path::new("/tmp")) {
            format!("/mounts/{number}").into()
        } else {
            folder.clone()
        };
        bench.request.arguments.truncate(2);
        bench.request.arguments.push(inside.clone().into());
        let host = folder;
        bench.request.readable.push(BindMount { host, inside });
    }
    assert_eq!(bench.run().text(), "299\n");
}

#[test]
fn arguments_that_the_kernel_refuses_are_an_execution_error() {
    for arguments in [
        vec!["x".repeat(200 << 10).into()],
        vec!["x".repeat(100 << 10).into(); 100],
    ] {
        let mut bench = Bench::shell("true");
        bench.request.arguments.extend(arguments);
        let refused = bench.try_run().unwrap_err();
        let SandboxError::Execute { source, .. } = &refused else {
            panic!("{refused}");
        };
        assert_eq!(source.kind(), std::io::ErrorKind::ArgumentListTooLong);
    }
}

#[test]
fn waiting_for_a_processor_differs_from_sleeping() {
    // Long enough for a shell to start on a busy machine, in far less than half of it.
    let limits = |limits: &mut Limits| limits.wall = WallTime::from_millis(2000);
    let core = Cores::here().order().first().copied();
    let waited = |script: &str| {
        let mut bench = Bench::shell(script).limits(limits);
        bench.request.core = core;
        let gate = Timed::default();
        let outcome = runner().run(&gate, &bench.request).unwrap();
        assert_eq!(outcome.breach, Some(Breach::Wall));
        let waited = gate.0.into_inner().unwrap();
        waited.map(|waited| (waited, outcome))
    };
    let alone = waited("exec sleep 99");
    // Eight others on the same core.
    let burners: Vec<_> = (0..8)
        .map(|_| {
            let mut bench = Bench::shell("while :; do :; done")
                .limits(|limits| limits.wall = WallTime::from_millis(6000));
            bench.request.core = core;
            bench
        })
        .collect();
    let (sleeps, works) = std::thread::scope(|scope| {
        for bench in &burners {
            scope.spawn(move || bench.run());
        }
        (waited("exec sleep 99"), waited("while :; do :; done"))
    });
    let (Some((alone, _)), Some((sleeps, _)), Some((works, outcome))) = (alone, sleeps, works)
    else {
        eprintln!("skipped: this kernel does not count waiting");
        return;
    };
    let half = outcome.wall.0 / 2;
    assert!(alone < half && sleeps < half, "{alone:?} {sleeps:?}");
    assert!(
        works * 2 + outcome.cpu.0 >= outcome.wall.0,
        "{works:?} of {outcome:?}"
    );
}

/// A gate that records how long a program waited for a processor.
#[derive(Default)]
struct Timed(std::sync::Mutex<Option<Duration>>);

impl StartGate for Timed {
    fn enter(&self) -> bool {
        true
    }

    fn leave(&self, waited: Option<Duration>) {
        *self.0.lock().unwrap() = waited;
    }
}
