//! What `count` prints for whole command lines.

mod common;

use std::io::{self, Write};
use std::process::Command;

use common::count;
use reference_count::host::Simd;
use reference_count::method::choose;
use reference_count::{Method, run};

#[test]
fn the_total_is_printed_on_one_line() {
    assert_eq!(count(&["8"]).unwrap(), "92\n");
    assert_eq!(count(&["8", "--method", "array"]).unwrap(), "92\n");
    assert_eq!(count(&["--method=bitmask", "1"]).unwrap(), "1\n");
    assert_eq!(count(&["8", "--method", "auto"]).unwrap(), "92\n");
}

#[test]
fn a_board_without_solution_has_zero() {
    assert_eq!(count(&["2"]).unwrap(), "0\n");
}

#[test]
fn a_board_of_no_size_is_refused() {
    let error = count(&["0"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value '0' for '<N>': 0 is not in 1..=32\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn a_missing_number_is_refused() {
    let error = count(&[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the following required arguments were not provided:\n  <N>\n\n\
         Usage: count <N>\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn the_version_is_an_answer_and_no_error() {
    assert_eq!(
        count(&["--version"]).unwrap(),
        concat!("count ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn an_output_that_is_closed_is_an_error_and_no_panic() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = run(["4".into()], &mut io::empty(), &mut Closed).unwrap_err();
    assert_eq!(error.to_string(), "cannot write the answer: broken pipe");
    assert_eq!(error.exit_status(), 1);
}

/// The program as a process: what it prints, what it says on standard error, and its status.
fn process(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_count"))
        .args(arguments)
        .output()
        .expect("the binary was built with this test");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

#[test]
fn all_methods_vectors_and_threads_give_the_same_total() {
    for method in Method::ALL {
        for simd in Simd::all() {
            for threads in ["1", "3"] {
                let arguments = ["9", "--method", method.name(), "--simd", simd.name()];
                let found = count(&[&arguments[..], &["--threads", threads]].concat());
                if method.has_parts() || threads == "1" {
                    assert_eq!(found.unwrap(), "352\n");
                } else {
                    let error = found.unwrap_err();
                    assert_eq!(
                        error.to_string(),
                        format!(
                            "{} runs on one thread, not on 3; symmetric and meet-in-the-middle \
                             count in parts",
                            method.name()
                        )
                    );
                    assert_eq!(error.exit_status(), 2);
                }
            }
        }
    }
}

#[test]
fn a_size_below_that_of_a_method_is_refused() {
    for arguments in [
        &["3", "--method", "meet-in-the-middle"][..],
        &["table", "3..8", "--method", "meet-in-the-middle"],
    ] {
        let error = count(arguments).unwrap_err();
        assert_eq!(
            error.to_string(),
            "meet-in-the-middle counts 4 queens and more, not 3"
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn vectors_that_the_processor_lacks_are_refused_with_those_it_has() {
    let has: Vec<_> = Simd::all().into_iter().map(Simd::name).collect();
    let mut lacks = ["avx2", "avx512"]
        .into_iter()
        .filter(|name| !has.contains(name))
        .peekable();
    if lacks.peek().is_none() {
        eprintln!("SKIPPED: this processor has all vector instructions that count knows");
    }
    for name in lacks {
        let error = count(&["8", "--simd", name]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("this processor has no {name}; it has {}", has.join(", "))
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn without_explain_nothing_is_said_on_standard_error() {
    assert_eq!(process(&["8"]), ("92\n".to_owned(), String::new(), Some(0)));
}

#[test]
fn explain_says_which_method_vectors_and_threads_are_used_and_why() {
    let (_, said, _) = process(&["8", "--method", "bitmask", "--explain"]);
    assert_eq!(
        said,
        "count: n = 8: bitmask, because it is asked for\n\
         count: vectors: none, because bitmask works on one board at a time\n\
         count: threads: 1, parts: 1\n"
    );

    let simd = Simd::widest();
    let choice = choose(12, simd);
    let parts = choice.method.plan(12, simd).parts();
    let (_, said, _) = process(&["12", "--explain", "--threads", "2"]);
    assert_eq!(
        said,
        format!(
            "count: n = 12: {}, because {}\n\
             count: vectors: {}, because it is the widest of this processor\n\
             count: threads: 2, parts: {parts}\n",
            choice.method.name(),
            choice.reason,
            simd.name()
        )
    );
}

#[test]
fn a_mistake_is_said_in_one_message_with_status_two() {
    let usage = "Usage: count [OPTIONS] <N>\n       count <COMMAND>\n\n";
    let more = "For more information, try '--help'.\n";
    for (arguments, message) in [
        (
            &["8", "table", "1..3"][..],
            format!("the subcommand 'table' cannot be used with '<N>'\n\n{usage}{more}"),
        ),
        (
            &["table"],
            format!(
                "the following required arguments were not provided:\n  <FROM..TO>\n\n\
                 Usage: count table <FROM..TO>\n\n{more}"
            ),
        ),
        (
            &["table", "8..7"],
            format!(
                "invalid value '8..7' for '<FROM..TO>': \
                 expected two ascending numbers from 1 to 32, such as 1..18\n\n{more}"
            ),
        ),
        (
            &["8", "--threads", "0"],
            format!("invalid value '0' for '--threads <T>': 0 is not in 1..=1024\n\n{more}"),
        ),
    ] {
        let (printed, said, status) = process(arguments);
        assert_eq!((printed.as_str(), said), ("", format!("count: {message}")));
        assert_eq!(status, Some(2));
    }
}

#[test]
fn a_count_for_which_there_is_no_memory_is_refused() {
    let error = count(&["32", "--method", "meet-in-the-middle"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "32 queens need about 143489070 MB of memory with meet-in-the-middle, more than can be had; \
         symmetric needs hardly any"
    );
    assert_eq!(error.exit_status(), 1);
}
