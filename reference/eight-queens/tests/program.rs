//! What `eight-queens` prints.

use reference_eight_queens::run;
use reference_program::printed;

#[test]
fn the_total_is_printed_and_an_argument_refused() {
    assert_eq!(printed(run, &[], b"").as_deref(), Ok("92\n"));
    let (status, error) = printed(run, &["8"], b"").unwrap_err();
    assert_eq!(
        (status, error.lines().next()),
        (2, Some("unexpected argument '8' found"))
    );
}
