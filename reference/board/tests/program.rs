//! What `board` prints for whole command lines.

use reference_board::run;
use reference_program::Error;

fn board(arguments: &[&str]) -> Result<String, Error> {
    let mut output = Vec::new();
    run(
        arguments.iter().map(Into::into),
        &mut std::io::empty(),
        &mut output,
    )?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

#[test]
fn a_board_has_a_line_for_each_row() {
    assert_eq!(board(&["1"]).unwrap(), "Q\n");
    assert_eq!(board(&["4"]).unwrap(), "#Q##\n###Q\nQ###\n##Q#\n");
    assert_eq!(
        board(&["6"]).unwrap(),
        "#Q####\n###Q##\n#####Q\nQ#####\n##Q###\n####Q#\n"
    );
}

#[test]
fn two_and_three_queens_are_refused() {
    for n in ["2", "3"] {
        let error = board(&[n]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("no board of {n} queens exists: n must be 1 or at least 4")
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn more_columns_than_bits_are_refused() {
    let error = board(&["33"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value '33' for '<N>': 33 is not in 1..=32\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}
