//! What `polynomial` prints for whole command lines.

use reference_polynomial::legality::is_solution;
use reference_polynomial::{Error, run};

fn polynomial(arguments: &[&str]) -> Result<String, Error> {
    let mut output = Vec::new();
    run(
        arguments.iter().map(Into::into),
        &mut std::io::empty(),
        &mut output,
    )?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

/// The columns, counted from 0, of an output that must be one line of numbers with single blanks.
fn columns(output: &str) -> Option<Vec<u32>> {
    output
        .strip_suffix('\n')?
        .split(' ')
        .map(|word| word.parse::<u32>().ok()?.checked_sub(1))
        .collect()
}

#[test]
fn a_line_of_columns_is_printed() {
    assert_eq!(polynomial(&["1"]).unwrap(), "1\n");
    let four = polynomial(&["4"]).unwrap();
    assert!(
        ["2 4 1 3\n", "3 1 4 2\n"].contains(&four.as_str()),
        "{four}"
    );
}

#[test]
fn every_board_is_a_solution_by_every_method() {
    for method in [&[][..], &["--method", "qs1"], &["--method", "qs4"]] {
        for n in ["4", "5", "6", "7", "8", "30", "199", "200", "1000"] {
            let output = polynomial(&[&[n], method].concat()).unwrap();
            let columns = columns(&output).unwrap();
            assert_eq!(columns.len().to_string(), n);
            assert!(is_solution(&columns), "{n} {method:?}: {output}");
        }
    }
}

#[test]
fn a_million_queens_are_placed() {
    let output = polynomial(&["1000000", "--seed", "1"]).unwrap();
    assert!(is_solution(&columns(&output).unwrap()));
    assert_eq!(output.split(' ').count(), 1_000_000);
}

#[test]
fn the_board_of_a_seed_is_the_same_on_every_platform() {
    assert_eq!(
        polynomial(&["10", "--seed", "7"]).unwrap(),
        "5 9 2 6 8 3 1 4 7 10\n"
    );
    assert_eq!(
        polynomial(&["10", "--seed", "7", "--method", "qs4"]).unwrap(),
        "3 6 9 1 8 4 2 7 5 10\n"
    );
}

#[test]
fn two_and_three_queens_are_refused() {
    for n in ["2", "3"] {
        let error = polynomial(&[n]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("no board of {n} queens exists: n must be 1 or at least 4")
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn no_queens_are_refused() {
    let error = polynomial(&["0"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value '0' for '<N>': 0 is not in 1..=100000000\n\n\
         For more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn a_method_that_is_unknown_is_refused() {
    let error = polynomial(&["8", "--method", "qs5"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value 'qs5' for '--method <METHOD>'\n  [possible values: qs1, qs4]\n\n  \
         tip: a similar value exists: 'qs4'\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}
