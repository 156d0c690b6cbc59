//! What `count` prints for whole command lines.

use reference_count::{array, bitmask, run};
use reference_program::Error;

fn count(arguments: &[&str]) -> Result<String, Error> {
    let mut output = Vec::new();
    let arguments = arguments.iter().map(Into::into);
    run(arguments, &mut std::io::empty(), &mut output)?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

#[test]
fn prints_the_number_on_one_line() {
    assert_eq!(count(&["8"]).unwrap(), "92\n");
    assert_eq!(count(&["8", "--method", "array"]).unwrap(), "92\n");
    assert_eq!(count(&["2"]).unwrap(), "0\n");
}

#[test]
fn both_methods_give_the_published_totals() {
    // OEIS A000170.
    let totals = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200];
    for (n, total) in (1..).zip(totals) {
        assert_eq!(array::number_of_solutions(n), total, "n = {n}");
        assert_eq!(bitmask::number_of_solutions(n), total, "n = {n}");
    }
}

#[test]
fn prints_a_table_with_growth() {
    assert_eq!(
        count(&["table", "1..8", "--method", "array"]).unwrap(),
        " n             solutions  growth
 1                     1       -
 2                     0    0.00
 3                     0       -
 4                     2       -
 5                    10    5.00
 6                     4    0.40
 7                    40   10.00
 8                    92    2.30
"
    );
}

#[test]
fn refuses_other_arguments() {
    for (arguments, message) in [
        (
            &["0"][..],
            "invalid value '0' for '<N>': 0 is not in 1..=32",
        ),
        (
            &[],
            "the following required arguments were not provided:\n  <N>",
        ),
        (
            &["table", "8..7"],
            "invalid value '8..7' for '<FROM..TO>': expected two ascending numbers from 1 to 32",
        ),
    ] {
        let error = count(arguments).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn prints_its_version() {
    let version = concat!("count ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(count(&["--version"]).unwrap(), version);
}
