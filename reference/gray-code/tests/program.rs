//! What `gray-code` prints for whole command lines.

use reference_gray_code::run;
use reference_program::printed;

#[test]
fn codes_are_printed_with_all_their_digits() {
    for (n, codes) in [
        ("1", "0\n1\n"),
        ("3", "000\n001\n011\n010\n110\n111\n101\n100\n"),
    ] {
        assert_eq!(printed(run, &[n], b"").as_deref(), Ok(codes));
    }
    let (status, error) = printed(run, &["21"], b"").unwrap_err();
    let message = "invalid value '21' for '<N>': 21 is not in 1..=20";
    assert_eq!((status, error.lines().next()), (2, Some(message)));
}
