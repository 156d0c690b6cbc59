//! What `queens-table` prints for whole inputs.

use reference_program::Error;
use reference_queens_table::run;

fn table(mut input: &[u8]) -> Result<String, Error> {
    let mut output = Vec::new();
    run([], &mut input, &mut output)?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

#[test]
fn each_number_gets_a_line_in_the_order_of_the_input() {
    assert_eq!(table(b"8\n4\n6\n0\n").unwrap(), "92\n2\n4\n");
}

#[test]
fn a_number_may_come_again() {
    assert_eq!(table(b"5 5\n\n 5\t1 0").unwrap(), "10\n10\n10\n1\n");
}

#[test]
fn what_follows_the_zero_is_not_read() {
    assert_eq!(table(b"2 0 x\nx\n").unwrap(), "0\n");
    assert_eq!(table(b"0\n").unwrap(), "");
}

#[test]
fn the_end_of_the_input_ends_it_too() {
    assert_eq!(table(b"3\n7").unwrap(), "0\n40\n");
    assert_eq!(table(b"").unwrap(), "");
}

#[test]
fn a_word_that_is_no_board_is_refused() {
    for (input, message) in [
        (
            "8\n17\n0\n",
            "line 2: expected a number from 0 to 16, found `17`",
        ),
        ("-1", "line 1: expected a number from 0 to 16, found `-1`"),
        (
            "4 four",
            "line 1: expected a number from 0 to 16, found `four`",
        ),
    ] {
        let error = table(input.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.exit_status(), 2);
    }
}
