//! What `first-three` prints for whole inputs.

use std::io::{self, Write};

use reference_first_three::{Error, run};

fn first_three_with(arguments: &[&str], mut input: &[u8]) -> Result<String, Error> {
    let mut output = Vec::new();
    run(arguments.iter().map(Into::into), &mut input, &mut output)?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

fn first_three(input: &[u8]) -> Result<String, Error> {
    first_three_with(&[], input)
}

#[test]
fn six_queens_are_the_sample_of_the_task() {
    assert_eq!(
        first_three(b"6\n").unwrap(),
        "2 4 6 1 3 5\n3 6 2 5 1 4\n4 1 5 2 6 3\n4\n"
    );
}

#[test]
fn four_queens_have_two_boards_only() {
    assert_eq!(first_three(b"4").unwrap(), "2 4 1 3\n3 1 4 2\n2\n");
}

#[test]
fn two_digit_columns_are_ordered_as_numbers() {
    assert_eq!(
        first_three(b"  12 \r\n").unwrap(),
        "1 3 5 8 10 12 6 11 2 7 9 4\n1 3 5 10 8 11 2 12 6 9 7 4\n\
         1 3 5 10 8 11 2 12 7 9 4 6\n14200\n"
    );
}

#[test]
fn thirteen_queens_are_the_largest_case_of_the_task() {
    assert_eq!(
        first_three(b"13\n").unwrap(),
        "1 3 5 2 9 12 10 13 4 6 8 11 7\n1 3 5 7 9 11 13 2 4 6 8 10 12\n\
         1 3 5 7 12 10 13 6 4 2 8 11 9\n73712\n"
    );
}

#[test]
fn the_limit_says_how_many_boards_there_are_beside_the_total() {
    for (limit, expected) in [
        ("--limit=0", "4\n"),
        ("--limit=1", "2 4 6 1 3 5\n4\n"),
        (
            "--limit=4",
            "2 4 6 1 3 5\n3 6 2 5 1 4\n4 1 5 2 6 3\n5 3 1 6 4 2\n4\n",
        ),
        (
            "--limit=18446744073709551615",
            "2 4 6 1 3 5\n3 6 2 5 1 4\n4 1 5 2 6 3\n5 3 1 6 4 2\n4\n",
        ),
    ] {
        for method in ["plain", "feasible", "array", "auto"] {
            assert_eq!(
                first_three_with(&[limit, "--method", method], b"6\n").unwrap(),
                expected,
                "{limit}, {method}"
            );
        }
    }
}

#[test]
fn without_the_total_there_are_boards_only() {
    assert_eq!(
        first_three_with(&["--no-total"], b"6\n").unwrap(),
        "2 4 6 1 3 5\n3 6 2 5 1 4\n4 1 5 2 6 3\n"
    );
    for n in [4, 40] {
        let input = format!("{n}\n");
        let nothing = first_three_with(&["--no-total", "--limit", "0"], input.as_bytes());
        assert_eq!(nothing.unwrap(), "", "n = {n}");
    }
}

#[test]
fn without_the_total_large_boards_are_searched_too() {
    let expected =
        "1 3 5 2 4 9 11 13 15 6 18 23 26 28 31 25 27 30 7 17 29 14 10 8 20 12 16 19 22 24 21\n";
    for method in ["plain", "feasible", "auto"] {
        let arguments = ["--no-total", "--limit", "1", "--method", method];
        let board = first_three_with(&arguments, b"31\n").unwrap();
        assert_eq!(board, expected, "{method}");
    }
}

/// Keeps what was written up to each flush.
#[derive(Default)]
struct Flushes {
    written: String,
    at_each_flush: Vec<String>,
}

impl Write for Flushes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written.push_str(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.at_each_flush.push(self.written.clone());
        Ok(())
    }
}

#[test]
fn the_boards_are_flushed_before_the_total_is_counted() {
    let mut output = Flushes::default();
    run([], &mut &b"4\n"[..], &mut output).unwrap();
    assert_eq!(
        output.at_each_flush,
        ["2 4 1 3\n3 1 4 2\n", "2 4 1 3\n3 1 4 2\n2\n"]
    );
}

#[test]
fn a_board_of_a_long_search_is_flushed_as_soon_as_it_is_found() {
    let mut output = Flushes::default();
    let arguments = ["--no-total", "--limit", "2"].map(Into::into);
    run(arguments, &mut &b"21\n"[..], &mut output).unwrap();
    let lines: Vec<usize> = output
        .at_each_flush
        .iter()
        .map(|text| text.lines().count())
        .collect();
    assert_eq!(lines, [1, 2, 2]);
}

#[test]
fn an_answer_that_cannot_be_written_is_no_mistake_of_the_caller() {
    for input in ["6\n", "4\n"] {
        let mut closed: &mut [u8] = &mut [0; 5];
        let error = run([], &mut input.as_bytes(), &mut closed).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot write the answer: failed to write whole buffer"
        );
        assert_eq!(error.exit_status(), 1);
    }
}

#[test]
fn input_that_is_no_board_is_refused() {
    for (input, found) in [
        ("", ""),
        ("\n6\n", ""),
        ("six\n", "six"),
        ("6 7\n", "6 7"),
        ("-6\n", "-6"),
        ("3\n", "3"),
        ("41\n", "41"),
        ("99999999999999999999\n", "99999999999999999999"),
    ] {
        for arguments in [&[][..], &["--no-total"]] {
            let error = first_three_with(arguments, input.as_bytes()).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "the first line must be one number from 4 to 20, or to 40 with `--no-total`, \
                     found `{found}`"
                )
            );
            assert_eq!(error.exit_status(), 2);
        }
    }
}

#[test]
fn a_total_out_of_reach_is_refused_before_the_search() {
    for n in [21, 40] {
        let error = first_three(format!("{n}\n").as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the total is counted up to n = 20, found `{n}`; `--no-total` prints the boards only"
            )
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn input_that_is_no_text_is_shown_readably() {
    for (input, found) in [
        (&b"\xff\n"[..], "\u{fffd}"),
        (b"8\0\n", "8\\0"),
        (b"\xef\xbb\xbf8\n", "\\u{feff}8"),
        (b"\x1b[31m8\n", "\\u{1b}[31m8"),
    ] {
        let error = first_three(input).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the first line must be one number from 4 to 20, or to 40 with `--no-total`, \
                 found `{found}`"
            )
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn a_first_line_without_end_is_not_read_to_its_end() {
    for byte in [b'8', b' ', b'0'] {
        let mut input = io::BufReader::new(io::repeat(byte));
        let error = run([], &mut input, &mut io::sink()).unwrap_err();
        assert_eq!(error.exit_status(), 2);
        assert!(error.to_string().len() < 200, "{error}");
    }
}

#[test]
fn arguments_that_are_not_described_are_refused() {
    for (arguments, message) in [
        (
            &["6"][..],
            "unexpected argument '6' found\n\nUsage: first-three [OPTIONS]\n\n\
             For more information, try '--help'.",
        ),
        (
            &["--limit", "-1"],
            "invalid value '-1' for '--limit <K>': invalid digit found in string\n\n\
             For more information, try '--help'.",
        ),
        (
            &["--method", "none"],
            "invalid value 'none' for '--method <METHOD>'\n  \
             [possible values: plain, feasible, array, auto]\n\n\
             For more information, try '--help'.",
        ),
    ] {
        let error = first_three_with(arguments, b"6\n").unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.exit_status(), 2);
    }
}
