//! A program gets exactly what was requested.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;

use crate::harness::Bench;

#[test]
fn the_environment_is_exactly_as_requested() {
    let mut bench = Bench::new("/usr/bin/env");
    bench.request.environment = vec![
        ("A".into(), "1 2".into()),
        ("B".into(), OsString::from_vec(b"x=\xff\ny".to_vec())),
        ("TMPDIR".into(), "/tmp".into()),
    ];
    assert_eq!(bench.run().stdout, b"A=1 2\nB=x=\xff\ny\nTMPDIR=/tmp\n");
}

#[test]
fn arguments_arrive_byte_for_byte() {
    let odd = [
        &b"a b"[..],
        b"",
        b"new\nline",
        b"\xff\xfe",
        b"$(id) `id` *",
        "八皇后".as_bytes(),
    ];
    let arguments = ["-c", "printf '<%s>' \"$@\"", "sh"].map(OsString::from);
    let odd = odd.map(|argument| OsString::from_vec(argument.to_vec()));
    let bench = Bench::new("/bin/sh").arguments(arguments.into_iter().chain(odd));
    assert_eq!(
        bench.run().stdout,
        [
            &b"<a b><><new\nline><\xff\xfe><$(id) `id` *><"[..],
            "八皇后".as_bytes(),
            b">"
        ]
        .concat()
    );
}

#[test]
fn a_descriptor_that_the_launcher_inherits_does_not_reach_the_program() {
    let mut bench = Bench::new("/bin/ls").arguments(["/proc/self/fd"]);
    let open_too_many = grader_sandbox::LauncherCommand {
        program: "/bin/sh".into(),
        arguments: [
            "-c",
            "exec \"$0\" 7</etc/passwd 9</etc/passwd",
            env!("CARGO_BIN_EXE_grader-launcher"),
        ]
        .map(Into::into)
        .to_vec(),
    };
    bench.request.environment.clear();
    let runner = grader_sandbox::LimitsOnlyRunner::start(&open_too_many).unwrap();
    grader_sandbox::Runner::run(&runner, &(), &bench.request).unwrap();
    let listed = fs::read_to_string(&bench.request.stdout).unwrap();
    assert_eq!(listed, "0\n1\n2\n3\n");
}

#[test]
fn it_leads_its_own_session_and_group_and_starts_in_its_folder() {
    let bench = Bench::shell("cut -d' ' -f1,5,6 /proc/$$/stat; pwd; umask");
    let done = bench.run();
    let lines: Vec<&str> = done.text().lines().collect();
    let ids: Vec<&str> = lines[0].split(' ').collect();
    assert_eq!(ids[1..], [ids[0], ids[0]]);
    assert_eq!(
        lines[1..],
        [bench.request.directory.host.to_str().unwrap(), "0077"]
    );
}

#[test]
fn no_signal_is_blocked_or_ignored() {
    let bench = Bench::new("/bin/cat").arguments(["/proc/self/status"]);
    let done = bench.run();
    let masks: Vec<&str> = done
        .text()
        .lines()
        .filter(|line| {
            ["SigBlk", "SigIgn", "SigPnd", "NoNewPrivs"]
                .iter()
                .any(|word| line.starts_with(word))
        })
        .collect();
    assert_eq!(
        masks,
        [
            "SigPnd:\t0000000000000000",
            "SigBlk:\t0000000000000000",
            "SigIgn:\t0000000000000000",
            "NoNewPrivs:\t1",
        ]
    );
}

#[test]
fn an_output_path_that_is_a_link_is_refused() {
    let bench = Bench::shell("echo new");
    let victim = bench.path("victim");
    fs::write(&victim, "precious").unwrap();
    std::os::unix::fs::symlink(&victim, &bench.request.stdout).unwrap();
    let error = bench.try_run().unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "cannot create standard output `{}`",
            bench.request.stdout.display()
        )
    );
    assert_eq!(fs::read_to_string(victim).unwrap(), "precious");
}
