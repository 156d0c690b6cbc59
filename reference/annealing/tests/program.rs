//! What `annealing` prints for whole command lines.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use reference_annealing::run;
use reference_local_search::legality::is_solution;
use reference_program::Error;

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
        &["--acceptance", "zero"],
        &["--acceptance", "strict", "--sweeps", "50"],
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
    for (rule, board) in [
        ("annealing", "5 7 10 6 3 1 8 4 2 9\n"),
        ("zero", "7 1 4 6 9 3 10 8 2 5\n"),
        ("strict", "3 6 9 1 8 4 2 7 5 10\n"),
    ] {
        let output = annealing(&["10", "--seed", "7", "--acceptance", rule]).unwrap();
        assert_eq!(output, board, "{rule}");
    }
}

#[test]
fn the_board_of_a_seed_is_the_same_for_many_queens() {
    // A sum that depends on every queen and its row.
    let sum = columns(&annealing(&["1000", "--seed", "7"]).unwrap())
        .unwrap()
        .iter()
        .fold(0_u64, |sum, &column| {
            sum.wrapping_mul(1_000_003).wrapping_add(column.into())
        });
    assert_eq!(sum, 17_372_226_280_031_219_986);
}

/// A path for a file of the test of this name.
fn file(test: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("annealing-{test}.csv"))
}

#[test]
fn a_trace_has_a_row_for_each_sweep() {
    let path = file("trace");
    let name = path.to_str().unwrap();
    let output = annealing(&["8", "--seed", "7", "--trace", name]).unwrap();
    assert_eq!(output, annealing(&["8", "--seed", "7"]).unwrap());
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "attempt,sweep,temperature,energy,best,proposals,accepted,uphill\n\
         1,0,1,3,3,0,0,0\n\
         1,1,1,3,3,8,2,0\n\
         1,2,0.9,4,3,8,4,1\n\
         1,3,0.81,2,2,8,3,0\n\
         1,4,0.7290000000000001,4,2,8,5,2\n\
         1,5,0.6561000000000001,3,2,8,5,0\n\
         1,6,0.5904900000000002,2,2,8,6,0\n\
         1,7,0.5314410000000002,2,2,8,1,0\n\
         1,8,0.47829690000000014,2,2,8,4,1\n\
         1,9,0.43046721000000016,2,2,8,1,0\n\
         1,10,0.38742048900000015,2,2,8,3,1\n\
         1,11,0.34867844010000015,1,1,8,3,0\n\
         1,12,0.31381059609000017,0,0,2,1,0\n"
    );
}

#[test]
fn a_trace_that_cannot_be_created_is_found_before_the_search() {
    // A folder is in the way. Ten million queens would take minutes.
    let name = env!("CARGO_TARGET_TMPDIR");
    let reason = fs::File::create(name).unwrap_err();
    let error = annealing(&["10000000", "--trace", name]).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("cannot create the trace `{name}`: {reason}")
    );
    assert_eq!(error.exit_status(), 2);
}

/// Standard output and standard error of the program, and its exit status.
fn program(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_annealing"))
        .args(arguments)
        .output()
        .expect("the program starts");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (stdout, stderr, output.status.code())
}

#[cfg(unix)]
#[test]
fn more_memory_than_there_is_is_said_and_no_abort() {
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 60000 && exec \"$0\" 10000000"])
        .arg(env!("CARGO_BIN_EXE_annealing"))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "annealing: 10000000 queens need 80 MB of memory, more than can be had\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_statistics_are_on_standard_error() {
    let (output, errors, status) = program(&["10", "--seed", "7", "--stats"]);
    assert_eq!(output, "5 7 10 6 3 1 8 4 2 9\n");
    assert_eq!(
        errors,
        "n = 10\n\
         seed = 7\n\
         acceptance = annealing\n\
         start-temperature = 1\n\
         cooling = 0.9\n\
         final-temperature = 0.3\n\
         most-attempts = 1000\n\
         most-sweeps = 2000\n\
         attempts = 1\n\
         sweeps = 117\n\
         proposals = 1170\n\
         accepted = 165\n\
         accepted-uphill = 15\n"
    );
    assert_eq!(status, Some(0));
}

#[test]
fn a_temperature_without_annealing_is_refused() {
    for rule in ["zero", "strict"] {
        for option in ["--start-temperature", "--cooling", "--final-temperature"] {
            let error = annealing(&["8", "--acceptance", rule, option, "0.5"]).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("the option `{option}` cannot be used with `--acceptance {rule}`")
            );
            assert_eq!(error.exit_status(), 2);
        }
    }
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
        "no solution with `--attempts 2` and `--sweeps 1`: allow more"
    );
    assert_eq!(error.exit_status(), 1);
}
