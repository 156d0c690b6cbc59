//! What `binomial-parity` prints for whole inputs.

use reference_binomial_parity::run;
use reference_program::Error;

fn binomial_parity(mut input: &[u8]) -> Result<String, Error> {
    let mut output = Vec::new();
    run([], &mut input, &mut output)?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

#[test]
fn each_line_is_answered() {
    assert_eq!(
        binomial_parity(b"4 0\n4 1\n4 2\n4 3\n4 4\n").unwrap(),
        "odd\neven\neven\neven\nodd\n"
    );
}

#[test]
fn blank_lines_and_blanks_around_numbers_are_skipped() {
    assert_eq!(
        binomial_parity(b"\n 7\t 3 \r\n\n0 0").unwrap(),
        "odd\nodd\n"
    );
    assert_eq!(binomial_parity(b"").unwrap(), "");
}

#[test]
fn the_largest_numbers_are_answered() {
    assert_eq!(
        binomial_parity(b"9223372036854775807 4611686018427387904\n").unwrap(),
        "odd\n"
    );
    assert_eq!(
        binomial_parity(b"9223372036854775806 4611686018427387905\n").unwrap(),
        "even\n"
    );
}

#[test]
fn a_line_that_is_no_pair_in_range_is_refused_with_its_number() {
    for question in [
        "5",
        "5 6",
        "5 x",
        "-1 0",
        "5 2 1",
        "9223372036854775808 0",
        "99999999999999999999 1",
    ] {
        let error = binomial_parity(format!("1 1\n\n{question}\n").as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("line 3: expected `n k` with 0 <= k <= n < 2^63, found `{question}`")
        );
        assert_eq!(error.exit_status(), 2);
    }
}

#[test]
fn input_that_is_no_text_is_refused() {
    let error = binomial_parity(b"1 \xff\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the input: stream did not contain valid UTF-8"
    );
    assert_eq!(error.exit_status(), 2);
}
