//! What `hanoi` prints for whole command lines.

use reference_hanoi::run;
use reference_program::Error;

fn hanoi(arguments: &[&str]) -> Result<String, Error> {
    let mut output = Vec::new();
    run(
        arguments.iter().map(Into::into),
        &mut std::io::empty(),
        &mut output,
    )?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

#[test]
fn the_smallest_disc_comes_first() {
    let states: Vec<String> = (0..8)
        .map(|k| hanoi(&["3", &k.to_string()]).unwrap())
        .collect();
    assert_eq!(
        states,
        [
            "1 1 1\n", "3 1 1\n", "3 2 1\n", "2 2 1\n", "2 2 3\n", "1 2 3\n", "1 3 3\n", "3 3 3\n"
        ]
    );
}

#[test]
fn more_moves_than_the_solution_has_are_refused() {
    let error = hanoi(&["3", "8"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the solution for 3 discs has 7 moves: k must be 0 to 7, found 8"
    );
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn a_number_of_moves_that_is_none_is_refused() {
    let error = hanoi(&["3", "x"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value 'x' for '<K>': invalid digit found in string\n\n\
         For more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn a_tower_without_discs_is_refused() {
    let error = hanoi(&["0", "0"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value '0' for '<N>': 0 is not in 1..=62\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}
