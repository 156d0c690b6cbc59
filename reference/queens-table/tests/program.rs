//! What `queens-table` prints for whole inputs.

use reference_program::printed;
use reference_queens_table::run;

#[test]
fn each_number_before_the_zero_gets_a_line() {
    for (input, output) in [
        ("8\n4\n6\n0\n", "92\n2\n4\n"),
        ("5 5\n\n 5\t1 0", "10\n10\n10\n1\n"),
        ("2 0 x\nx\n", "0\n"),
        ("0\n", ""),
        ("3\n7", "0\n40\n"),
        ("", ""),
    ] {
        assert_eq!(printed(run, &[], input.as_bytes()).as_deref(), Ok(output));
    }
}

#[test]
fn a_word_that_is_no_board_is_refused() {
    for (input, line, word) in [
        ("8\n17\n0\n", 2, "17"),
        ("-1", 1, "-1"),
        ("4 four", 1, "four"),
    ] {
        let message = format!("line {line}: expected a number from 0 to 16, found `{word}`");
        assert_eq!(printed(run, &[], input.as_bytes()), Err((2, message)));
    }
}
