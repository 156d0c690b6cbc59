//! What `binomial-parity` prints for whole inputs.

use reference_binomial_parity::run;
use reference_program::printed;

#[test]
fn each_line_is_answered() {
    for (input, output) in [
        ("4 0\n4 1\n4 2\n4 3\n4 4\n", "odd\neven\neven\neven\nodd\n"),
        ("\n 7\t 3 \r\n\n0 0", "odd\nodd\n"),
        ("", ""),
        ("9223372036854775807 4611686018427387904\n", "odd\n"),
        ("9223372036854775806 4611686018427387905\n", "even\n"),
    ] {
        assert_eq!(printed(run, &[], input.as_bytes()).as_deref(), Ok(output));
    }
}

#[test]
fn a_line_that_is_no_pair_in_range_is_refused_with_its_number() {
    for line in ["5", "5 6", "5 x", "-1 0", "5 2 1", "9223372036854775808 0"] {
        let message = format!("line 3: expected `n k` with 0 <= k <= n < 2^63, found `{line}`");
        let input = format!("1 1\n\n{line}\n");
        assert_eq!(printed(run, &[], input.as_bytes()), Err((2, message)));
    }
    let message = "cannot read the input: stream did not contain valid UTF-8";
    assert_eq!(printed(run, &[], b"1 \xff\n"), Err((2, message.to_owned())));
}
