//! What `gray-code` prints for whole command lines.

use std::collections::HashSet;

use reference_gray_code::run;
use reference_program::Error;

fn gray_code(arguments: &[&str]) -> Result<String, Error> {
    let mut output = Vec::new();
    run(
        arguments.iter().map(Into::into),
        &mut std::io::empty(),
        &mut output,
    )?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

#[test]
fn three_digits_are_the_sequence_of_the_textbooks() {
    assert_eq!(gray_code(&["1"]).unwrap(), "0\n1\n");
    assert_eq!(
        gray_code(&["3"]).unwrap(),
        "000\n001\n011\n010\n110\n111\n101\n100\n"
    );
}

#[test]
fn all_codes_are_distinct_and_one_digit_from_the_next() {
    for n in 1..=12 {
        let output = gray_code(&[&n.to_string()]).unwrap();
        let codes: Vec<&str> = output.lines().collect();
        assert!(codes.iter().all(|code| code.len() == n), "n = {n}");
        assert_eq!(codes.iter().collect::<HashSet<_>>().len(), 1 << n);
        for pair in codes.windows(2) {
            let differing = pair[0]
                .bytes()
                .zip(pair[1].bytes())
                .filter(|(a, b)| a != b)
                .count();
            assert_eq!(differing, 1, "{pair:?}");
        }
    }
}

#[test]
fn more_than_twenty_digits_are_refused() {
    let error = gray_code(&["21"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value '21' for '<N>': 21 is not in 1..=20\n\nFor more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}
