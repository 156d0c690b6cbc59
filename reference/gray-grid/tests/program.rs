//! What `gray-grid` prints for whole command lines.

use reference_gray_grid::run;
use reference_program::Error;

fn gray_grid(arguments: &[&str]) -> Result<String, Error> {
    let mut output = Vec::new();
    run(
        arguments.iter().map(Into::into),
        &mut std::io::empty(),
        &mut output,
    )?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

#[test]
fn a_row_of_the_grid_is_a_line() {
    assert_eq!(gray_grid(&["1", "1"]).unwrap(), "00 01\n10 11\n");
    assert_eq!(
        gray_grid(&["1", "2"]).unwrap(),
        "000 001 011 010\n100 101 111 110\n"
    );
    assert_eq!(
        gray_grid(&["2", "1"]).unwrap(),
        "000 001\n010 011\n110 111\n100 101\n"
    );
}

#[test]
fn the_largest_grid_has_all_codes() {
    let output = gray_grid(&["8", "8"]).unwrap();
    assert_eq!(output.lines().count(), 256);
    for line in output.lines() {
        assert_eq!(line.split(' ').count(), 256);
        assert!(line.split(' ').all(|code| code.len() == 16), "{line}");
    }
}

#[test]
fn a_side_without_digits_is_refused() {
    let error = gray_grid(&["2", "0"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value '0' for '<N>': 0 is not in 1..=8\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
    let error = gray_grid(&["9", "1"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value '9' for '<M>': 9 is not in 1..=8\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}
