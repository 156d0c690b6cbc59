//! What `count` prints for whole command lines.

use std::io::{self, Write};

use reference_count::{Error, run};

fn count(arguments: &[&str]) -> Result<String, Error> {
    let mut output = Vec::new();
    run(
        arguments.iter().map(Into::into),
        &mut io::empty(),
        &mut output,
    )?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

#[test]
fn the_total_is_printed_on_one_line() {
    assert_eq!(count(&["8"]).unwrap(), "92\n");
    assert_eq!(count(&["8", "--method", "array"]).unwrap(), "92\n");
    assert_eq!(count(&["--method=bitmask", "1"]).unwrap(), "1\n");
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
