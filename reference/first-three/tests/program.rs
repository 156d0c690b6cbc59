//! What `first-three` prints for whole inputs.

use reference_first_three::{Error, run};

fn first_three(mut input: &[u8]) -> Result<String, Error> {
    let mut output = Vec::new();
    run([], &mut input, &mut output)?;
    Ok(String::from_utf8_lossy(&output).into_owned())
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
fn input_that_is_no_board_is_refused() {
    for (input, found) in [
        ("", ""),
        ("\n6\n", ""),
        ("six\n", "six"),
        ("6 7\n", "6 7"),
        ("3\n", "3"),
        ("21\n", "21"),
    ] {
        let error = first_three(input.as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the first line must be one number from 4 to 20, found `{found}`")
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn input_that_is_no_text_is_refused() {
    let error = first_three(b"\xff\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the input: stream did not contain valid UTF-8"
    );
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn a_number_as_argument_is_refused() {
    let error = run(["6".into()], &mut std::io::empty(), &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unexpected argument '6' found\n\nUsage: first-three\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}
