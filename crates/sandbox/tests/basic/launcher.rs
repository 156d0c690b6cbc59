//! The launcher itself: its own failures, its grader's death, many at a time.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use grader_model::{End, IsolationLevel};
use grader_sandbox::{BasicRunner, LauncherCommand, Runner, SandboxError};

use crate::harness::{Bench, launcher, lax};
use crate::{is_alive, is_held, keeps_signals, landlock};

#[test]
fn the_end_of_the_grader_is_the_end_of_the_run() {
    let bench = Bench::new("/bin/sh");
    let text =
        |path: &std::path::Path| format!("{{\"Unix\":{:?}}}", path.to_str().unwrap().as_bytes());
    let script = "echo $$ > pid; setsid sh -c 'echo $$ > daemon; exec sleep 600' & wait";
    let order = format!(
        "{{\"program\":{},\"arguments\":[{},{}],\"environment\":[],\"directory\":{directory},\
         \"inside\":{directory},\"returns\":\"nothing\",\"readable\":[],\"system\":\"whole\",\"room\":0,\
         \"reserves-memory\":false,\"waits\":false,\"files\":4096,\"stdin\":null,\"stdout\":{},\"stderr\":{},\"limits\":{{\"cpu\":{},\"wall\":{},\"memory\":{},\"output\":{},\
         \"processes\":1}}}}\n",
        text("/bin/sh".as_ref()),
        text("-c".as_ref()),
        text(script.as_ref()),
        text(&bench.request.stdout),
        text(&bench.request.stderr),
        lax().cpu.as_millis_f64(),
        lax().wall.as_millis_f64(),
        lax().memory.0,
        lax().output.0,
        directory = text(&bench.request.directory.host),
    );
    let mut child = Command::new(launcher().program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(order.as_bytes())
        .unwrap();
    let pids = ["pid", "daemon"].map(|name| {
        loop {
            match fs::read_to_string(bench.inside(name)) {
                Ok(pid) if pid.ends_with('\n') => break pid,
                _ => assert_eq!(child.try_wait().unwrap(), None),
            }
        }
    });
    assert!(pids.iter().all(|pid| is_alive(pid)));

    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(str::from_utf8(&output.stdout), Ok(""));
    assert_eq!(str::from_utf8(&output.stderr), Ok("the grader is gone\n"));
    assert!(!pids.iter().any(|pid| is_alive(pid)));
}

#[test]
fn a_program_dies_with_its_launcher() {
    let bench = Bench::shell("echo $PPID > launcher; echo $$ > pid; exec sleep 600");
    let killer = "until grep -q . pid 2>/dev/null; do :; done; kill -9 $(cat launcher)";
    let mut killer = Command::new("/bin/sh")
        .args(["-c", killer])
        .current_dir(&bench.request.directory.host)
        .spawn()
        .unwrap();
    let error = bench.try_run().unwrap_err();
    assert!(killer.wait().unwrap().success());
    assert_eq!(error.to_string(), killed());
    let pid = fs::read_to_string(bench.inside("pid")).unwrap();
    // The kernel delivers the signal when the launcher ends, which we may see a moment before.
    while is_alive(&pid) {
        std::thread::yield_now();
    }
}

/// What is said of a run whose launcher was killed.
fn killed() -> String {
    let suspicion = if keeps_signals() {
        "something outside the run killed it"
    } else {
        "something killed it, perhaps the program itself, which level `basic` cannot prevent here"
    };
    format!("the launcher failed: it did not answer (signal: 9 (SIGKILL)): {suspicion}")
}

#[test]
fn a_program_cannot_kill_its_launcher_unless_that_is_said() {
    let bench = Bench::shell("kill -9 $PPID || exit 7; exec sleep 600");
    match bench.try_run() {
        Ok(done) => assert_eq!((done.outcome.end, keeps_signals()), (End::Exited(7), true)),
        Err(error) => {
            assert_eq!((error.to_string(), keeps_signals()), (killed(), false));
        }
    }
}

#[test]
fn signals_other_than_the_certain_ones_do_not_reach_the_launcher() {
    let bench =
        Bench::shell("for s in HUP INT QUIT TERM USR1 PIPE TSTP; do kill -$s $PPID; done; exit 4");
    assert_eq!(bench.run().outcome.end, End::Exited(4));
}

#[test]
fn a_launcher_that_is_not_there_is_named() {
    let missing = LauncherCommand {
        program: "/no/such/launcher".into(),
        arguments: Vec::new(),
    };
    let error = BasicRunner::new(missing)
        .run(&Bench::shell("exit 0").request)
        .unwrap_err();
    assert!(matches!(error, SandboxError::Launcher { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "cannot start the launcher `/no/such/launcher`"
    );
}

#[test]
fn a_launcher_that_talks_nonsense_is_an_error() {
    let failure = |script: &str| {
        let nonsense = LauncherCommand {
            program: "/bin/sh".into(),
            arguments: ["-c", script].map(Into::into).to_vec(),
        };
        BasicRunner::new(nonsense)
            .run(&Bench::shell("exit 0").request)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        failure("read line; echo hello"),
        "the launcher failed: its answer is not understood: expected value at line 1 column 1"
    );
    assert_eq!(
        failure("read line; echo 'no \u{1b}[31msuch' >&2; exit 9"),
        "the launcher failed: it did not answer (exit status: 9): no \\x1b[31msuch"
    );
}

#[test]
fn many_runs_at_a_time_do_not_disturb_each_other() {
    let ends: Vec<(End, Vec<u8>)> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..20)
            .map(|status| {
                scope.spawn(move || {
                    let done = Bench::shell(&format!("(setsid sleep 600 &); cat; exit {status}"))
                        .stdin(format!("input {status}").as_bytes())
                        .run();
                    (done.outcome.end, done.stdout)
                })
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let expected: Vec<_> = (0..20)
        .map(|status| (End::Exited(status), format!("input {status}").into_bytes()))
        .collect();
    assert_eq!(ends, expected);
}

#[test]
fn the_layers_in_force_are_named() {
    let isolation = BasicRunner::new(launcher()).isolation();
    assert_eq!(isolation.level, IsolationLevel::Basic);
    let (held, lacking): (Vec<_>, Vec<_>) = [
        ("seccomp", is_held("seccomp")),
        ("landlock", landlock() > 0),
    ]
    .into_iter()
    .partition(|&(_, holds)| holds);
    let names = |part: Vec<(&'static str, bool)>| part.into_iter().map(|(name, _)| name);
    let always = [
        "process-group",
        "own-directory",
        "empty-environment",
        "resource-limits",
        "output-cap",
        "no-new-privileges",
    ];
    let watched = ["time-watch", "memory-watch", "kills-descendants"];
    let layers: Vec<_> = always
        .into_iter()
        .chain(names(held))
        .chain(watched)
        .collect();
    assert_eq!(isolation.layers, layers);
    let never = [
        "user-namespace",
        "pid-namespace",
        "mount-namespace",
        "network-namespace",
        "ipc-namespace",
    ];
    // Where everything is closed that can be.
    let closed = [
        "no-capabilities",
        "other-user",
        "process-count",
        "memory-cgroup",
        "cpu-clock",
    ];
    let missing: Vec<_> = closed
        .into_iter()
        .chain(names(lacking))
        .chain(["closed-files"])
        .chain(never)
        .collect();
    assert_eq!(isolation.missing, missing);
}

#[test]
fn the_filter_is_in_force_exactly_if_it_is_named() {
    // The kernel's own word for it: 2 is a filter.
    let bench = Bench::new("/bin/grep").arguments(["^Seccomp:", "/proc/self/status"]);
    let ours = fs::read_to_string("/proc/self/status").unwrap();
    if ours.contains("Seccomp:\t2") {
        eprintln!("skipped: there is a filter around us already");
        return;
    }
    let mode = if is_held("seccomp") { 2 } else { 0 };
    assert_eq!(bench.run().text(), format!("Seccomp:\t{mode}\n"));
}

#[test]
fn a_launcher_without_an_order_complains() {
    let mut child = Command::new(launcher().program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut complaint = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut complaint)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(complaint, "EOF while parsing a value at line 1 column 0\n");
}

#[test]
fn a_missing_folder_or_input_names_the_step() {
    let mut bench = Bench::shell("exit 0");
    bench.request.stdin = Some("/no/such/input".into());
    let input = bench.try_run().unwrap_err().to_string();
    bench.request.stdin = None;
    bench.request.directory.host = "/no/such/folder".into();
    let folder = bench.try_run().unwrap_err().to_string();
    assert_eq!(input, "cannot open standard input `/no/such/input`");
    assert_eq!(folder, "cannot enter the run's folder");
}

#[test]
fn a_nul_byte_in_an_argument_is_an_error() {
    let error = Bench::shell("exit 0")
        .arguments(["a\0b"])
        .try_run()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot pass an argument that holds a NUL byte"
    );
}
