//! What `first-three` prints for whole inputs.

use std::io;
use std::ops::ControlFlow;

use reference_first_three::{array, bitmask, run};
use reference_program::printed;

#[test]
fn both_methods_print_three_boards_and_the_total() {
    for (input, expected) in [
        (&b"6\n"[..], "2 4 6 1 3 5\n3 6 2 5 1 4\n4 1 5 2 6 3\n4\n"),
        (b"4", "2 4 1 3\n3 1 4 2\n2\n"),
        (
            b"  12 \r\n",
            "1 3 5 8 10 12 6 11 2 7 9 4\n1 3 5 10 8 11 2 12 6 9 7 4\n1 3 5 10 8 11 2 12 7 9 4 6\n14200\n",
        ),
    ] {
        for method in ["array", "bitmask"] {
            let found = printed(run, &["--method", method], input);
            assert_eq!(found.as_deref(), Ok(expected), "{method}");
        }
    }
}

#[test]
fn both_searches_visit_all_boards_in_numerical_order() {
    type Visit<'a> = &'a mut dyn FnMut(&[u32]) -> ControlFlow<()>;
    let boards = |search: &dyn Fn(Visit<'_>) -> ControlFlow<()>| {
        let mut boards = Vec::new();
        let end = search(&mut |board| {
            boards.push(board.to_vec());
            ControlFlow::Continue(())
        });
        assert!(end.is_continue());
        boards
    };
    let found = boards(&|visit| array::visit_solutions(8, visit));
    assert_eq!(found.len(), 92);
    assert!(found.is_sorted());
    assert_eq!(boards(&|visit| bitmask::visit_solutions(8, visit)), found);
}

#[test]
fn input_that_is_no_size_is_refused() {
    for (input, found) in [
        (&b""[..], ""),
        (b"six\n", "six"),
        (b"6 7\n", "6 7"),
        (b"3\n", "3"),
        (b"21\n", "21"),
        (b"\xff\n", "\u{fffd}"),
        (b"\x1b[31m8\n", "\\u{1b}[31m8"),
    ] {
        let message = format!("the first line must be one number from 4 to 20, found `{found}`");
        assert_eq!(printed(run, &[], input), Err((2, message)));
    }
}

#[test]
fn a_first_line_without_end_is_not_read_to_its_end() {
    let mut input = io::BufReader::new(io::repeat(b'8'));
    let error = run([], &mut input, &mut io::sink()).unwrap_err();
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn an_answer_that_cannot_be_written_is_no_mistake_of_the_caller() {
    let mut closed: &mut [u8] = &mut [0; 5];
    let error = run([], &mut &b"6\n"[..], &mut closed).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot write the answer: failed to write whole buffer"
    );
    assert_eq!(error.exit_status(), 1);
}
