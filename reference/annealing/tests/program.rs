//! What `annealing` prints for whole command lines.

use std::fs;
use std::path::Path;
use std::process::Command;

use reference_annealing::run;
use reference_local_search::legality::is_solution;
use reference_program::printed;

fn annealing(arguments: &[&str]) -> Result<String, (u8, String)> {
    printed(run, arguments, b"")
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
fn every_board_is_a_solution_by_every_schedule() {
    for (options, sizes) in [
        ("", "1 4 5 7 8 10 30 10000"),
        ("--start-temperature 0.001", "4 5 7 30"),
        ("--cooling 1 --start-temperature 0.3", "4 5 7 30"),
        (
            "--final-temperature 0.2 --sweeps 500 --cooling 0.99",
            "4 5 7 30",
        ),
        ("--acceptance zero", "4 5 7 30"),
        ("--acceptance strict --sweeps 50", "4 5 7 30"),
    ] {
        for n in sizes.split(' ') {
            let arguments: Vec<&str> = [n].into_iter().chain(options.split_whitespace()).collect();
            let output = annealing(&arguments).unwrap();
            let columns = columns(&output).unwrap();
            assert_eq!(columns.len().to_string(), n);
            assert!(is_solution(&columns), "{n} {options}: {output}");
        }
    }
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
    // A sum that depends on every queen and its row.
    let columns = columns(&annealing(&["1000", "--seed", "7"]).unwrap()).unwrap();
    let add = |sum: u64, &column: &u32| sum.wrapping_mul(1_000_003).wrapping_add(column.into());
    assert_eq!(columns.iter().fold(0, add), 17_372_226_280_031_219_986);
}

#[test]
fn a_trace_has_a_row_for_each_sweep() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("annealing-trace.csv");
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
    let output = Command::new(env!("CARGO_BIN_EXE_annealing"))
        .args(["10", "--seed", "7", "--stats"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"5 7 10 6 3 1 8 4 2 9\n");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
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
}

#[test]
fn questions_that_have_no_answer_are_refused() {
    let temperature = "expected a number from 0.001 to 1000";
    let cooling = "expected a number from 0.01 to 1";
    let folder = env!("CARGO_TARGET_TMPDIR");
    let reason = fs::File::create(folder).unwrap_err();
    for (arguments, status, message) in [
        (
            "2",
            2,
            "no board of 2 queens exists: n must be 1 or at least 4",
        ),
        (
            "3",
            2,
            "no board of 3 queens exists: n must be 1 or at least 4",
        ),
        (
            "8 --start-temperature 0",
            2,
            &format!("invalid value '0' for '--start-temperature <T0>': {temperature}"),
        ),
        (
            "8 --start-temperature -1",
            2,
            &format!("invalid value '-1' for '--start-temperature <T0>': {temperature}"),
        ),
        (
            "8 --final-temperature NaN",
            2,
            &format!("invalid value 'NaN' for '--final-temperature <TMIN>': {temperature}"),
        ),
        (
            "8 --cooling 1.1",
            2,
            &format!("invalid value '1.1' for '--cooling <A>': {cooling}"),
        ),
        (
            "8 --cooling 0",
            2,
            &format!("invalid value '0' for '--cooling <A>': {cooling}"),
        ),
        (
            "8 --sweeps 0",
            2,
            "invalid value '0' for '--sweeps <MAX>': 0 is not in 1..18446744073709551615",
        ),
        (
            "8 --seed x",
            2,
            "invalid value 'x' for '--seed <SEED>': invalid digit found in string",
        ),
        (
            "8 --acceptance zero --cooling 0.5",
            2,
            "the option `--cooling` cannot be used with `--acceptance zero`",
        ),
        (
            "8 --start-temperature 0.5 --final-temperature 2",
            2,
            "the final temperature 2 must not be above the start temperature 0.5",
        ),
        // Found before the search, which would take minutes.
        (
            &format!("10000000 --trace {folder}"),
            2,
            &format!("cannot create the trace `{folder}`: {reason}"),
        ),
        (
            "500 --sweeps 1 --attempts 2",
            1,
            "no solution with `--attempts 2` and `--sweeps 1`: allow more",
        ),
    ] {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let (found, error) = annealing(&arguments).unwrap_err();
        assert_eq!((found, error.lines().next()), (status, Some(message)));
    }
}
