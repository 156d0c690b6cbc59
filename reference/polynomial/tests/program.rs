//! What `polynomial` prints for whole command lines.

use std::io;
use std::process::Command;

use reference_polynomial::run;
use reference_program::printed;

fn polynomial(arguments: &[&str]) -> Result<String, (u8, String)> {
    printed(run, arguments, b"")
}

#[test]
fn the_board_of_a_seed_is_the_same_on_every_platform() {
    for (method, line) in [
        ("qs1", "11 5 7 2 10 12 1 15 8 3 13 9 14 6 4 16\n"),
        ("qs2", "12 8 16 4 1 15 5 9 11 14 3 6 2 13 10 7\n"),
        ("qs4", "7 3 14 6 15 1 5 11 9 4 2 16 12 10 8 13\n"),
        ("qs4c", "11 15 10 4 2 12 3 7 13 1 5 14 6 9 16 8\n"),
    ] {
        let arguments = ["16", "--seed", "7", "--method", method];
        assert_eq!(polynomial(&arguments).unwrap(), line, "{method}");
    }
    assert_eq!(
        polynomial(&["10", "--seed", "7"]).unwrap(),
        "5 9 2 6 8 3 1 4 7 10\n"
    );
    assert_eq!(polynomial(&["1"]).unwrap(), "1\n");
}

/// Standard output and standard error of the program itself, which must succeed.
fn outputs(arguments: &[&str]) -> io::Result<(String, String)> {
    let output = Command::new(env!("CARGO_BIN_EXE_polynomial"))
        .args(arguments)
        .output()?;
    assert_eq!(output.status.code(), Some(0));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&output.stdout), text(&output.stderr)))
}

#[test]
fn figures_are_said_on_standard_error() {
    for (method, figures) in [
        (
            "qs1",
            "restarts = 0\ncollisions = 548\ncollisions-per-queen = 0.5480\n\
             swap-tests = 16554\nswaps = 504\n",
        ),
        (
            "qs2",
            "restarts = 0\ncollisions = 548\ncollisions-per-queen = 0.5480\n\
             swap-tests = 13015\nswaps = 444\n",
        ),
        (
            "qs4",
            "restarts = 0\ncollisions = 23\ncollisions-per-queen = 0.0230\n\
             trials = 3080\ntrials-per-queen = 3.0800\nleft = 24\nswap-tests = 1291\nswaps = 18\n",
        ),
        (
            "qs4c",
            "restarts = 0\ntrials = 1086\ntrials-per-queen = 1.0860\nleft = 6\n\
             swap-tests = 492\nswaps = 6\n",
        ),
    ] {
        let arguments = [
            "1000",
            "--seed",
            "1",
            "--stats",
            "--no-board",
            "--method",
            method,
        ];
        let text = format!("n = 1000\nmethod = {method}\nseed = 1\n{figures}");
        assert_eq!(outputs(&arguments).unwrap(), (String::new(), text));
    }
    assert_eq!(
        outputs(&["6", "--method", "closed-form", "--stats"]).unwrap(),
        (
            "2 4 6 1 3 5\n".to_owned(),
            "n = 6\nmethod = closed-form\n".to_owned()
        )
    );
}

#[cfg(unix)]
#[test]
fn more_memory_than_there_is_is_said_and_no_abort() {
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 200000 && exec \"$0\" 100000000"])
        .arg(env!("CARGO_BIN_EXE_polynomial"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "polynomial: 100000000 queens need 600 MB of memory, more than can be had\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn questions_that_have_no_answer_are_refused() {
    for (arguments, message) in [
        (
            &["2"][..],
            "no board of 2 queens exists: n must be 1 or at least 4",
        ),
        (
            &["3"],
            "no board of 3 queens exists: n must be 1 or at least 4",
        ),
        (
            &["8", "--method", "closed-form", "--seed", "1"],
            "the closed form draws no random numbers: --seed goes with the other methods",
        ),
    ] {
        assert_eq!(polynomial(arguments), Err((2, message.to_owned())));
    }
}
