//! What `annealing` prints for whole command lines.

use reference_annealing::legality::is_solution;
use reference_annealing::{Error, run};

fn annealing(arguments: &[&str]) -> Result<String, Error> {
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
    assert_eq!(annealing(&["1"]).unwrap(), "1\n");
    let four = annealing(&["4"]).unwrap();
    assert!(
        ["2 4 1 3\n", "3 1 4 2\n"].contains(&four.as_str()),
        "{four}"
    );
}

#[test]
fn every_board_is_a_solution_by_every_schedule() {
    for options in [
        &[][..],
        &["--start-temperature", "0.001"],
        &["--cooling", "1", "--start-temperature", "0.3"],
        &[
            "--final-temperature",
            "0.2",
            "--sweeps",
            "500",
            "--cooling",
            "0.99",
        ],
    ] {
        for n in ["4", "5", "7", "8", "10", "30"] {
            let output = annealing(&[&[n], options].concat()).unwrap();
            let columns = columns(&output).unwrap();
            assert_eq!(columns.len().to_string(), n);
            assert!(is_solution(&columns), "{n} {options:?}: {output}");
        }
    }
}

#[test]
fn ten_thousand_queens_are_placed() {
    let output = annealing(&["10000", "--seed", "1"]).unwrap();
    assert!(is_solution(&columns(&output).unwrap()));
    assert_eq!(output.split(' ').count(), 10_000);
}

#[test]
fn the_board_of_a_seed_is_the_same_on_every_platform() {
    assert_eq!(
        annealing(&["10", "--seed", "7"]).unwrap(),
        "3 5 9 2 10 7 4 1 8 6\n"
    );
}

#[test]
fn two_and_three_queens_are_refused() {
    for n in ["2", "3"] {
        let error = annealing(&[n]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("no board of {n} queens exists: n must be 1 or at least 4")
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let of_temperature = "expected a number from 0.001 to 1000";
    let of_cooling = "expected a number from 0.01 to 1";
    for (option, value, name, reason) in [
        ("--start-temperature", "0", "T0", of_temperature),
        ("--start-temperature", "-1", "T0", of_temperature),
        ("--start-temperature", "warm", "T0", of_temperature),
        ("--final-temperature", "NaN", "TMIN", of_temperature),
        ("--cooling", "1.1", "A", of_cooling),
        ("--cooling", "0", "A", of_cooling),
        (
            "--sweeps",
            "0",
            "MAX",
            "0 is not in 1..18446744073709551615",
        ),
        (
            "--attempts",
            "0",
            "MAX",
            "0 is not in 1..18446744073709551615",
        ),
        ("--seed", "x", "SEED", "invalid digit found in string"),
    ] {
        let error = annealing(&["8", option, value]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "invalid value '{value}' for '{option} <{name}>': {reason}\n\n\
                 For more information, try '--help'."
            )
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn a_temperature_that_would_rise_is_refused() {
    let error = annealing(&[
        "8",
        "--start-temperature",
        "0.5",
        "--final-temperature",
        "2",
    ])
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the final temperature 2 must not be above the start temperature 0.5"
    );
    assert_eq!(error.exit_status(), 2);
}

#[test]
fn a_search_that_found_nothing_says_so() {
    let error = annealing(&["500", "--sweeps", "1", "--attempts", "2"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no solution in 2 attempts of 1 sweeps: cool more slowly or try more"
    );
    assert_eq!(error.exit_status(), 1);
}
