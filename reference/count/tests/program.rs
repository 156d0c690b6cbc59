//! What `count` prints for whole command lines.

use reference_count::{array, bitmask, run};
use reference_program::printed;

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
fn prints_a_number_or_a_table_with_growth() {
    let table = " n             solutions  growth
 1                     1       -
 2                     0    0.00
 3                     0       -
 4                     2       -
 5                    10    5.00
";
    for (arguments, output) in [
        (&["8"][..], "92\n"),
        (&["8", "--method", "array"], "92\n"),
        (&["2"], "0\n"),
        (&["table", "1..5", "--method", "array"], table),
        (
            &["--version"],
            concat!("count ", env!("CARGO_PKG_VERSION"), "\n"),
        ),
    ] {
        assert_eq!(printed(run, arguments, b"").as_deref(), Ok(output));
    }
}

#[test]
fn refuses_other_arguments() {
    for (arguments, message) in [
        (
            &["0"][..],
            "invalid value '0' for '<N>': 0 is not in 1..=32",
        ),
        (&[], "the following required arguments were not provided:"),
        (
            &["table", "8..7"],
            "invalid value '8..7' for '<FROM..TO>': expected two ascending numbers from 1 to 32, such as 1..12",
        ),
    ] {
        let (status, error) = printed(run, arguments, b"").unwrap_err();
        assert_eq!((status, error.lines().next()), (2, Some(message)));
    }
}
