//! What `board` prints for whole command lines.

use reference_board::run;
use reference_program::printed;

#[test]
fn a_board_has_a_line_for_each_row() {
    for (n, board) in [
        ("1", "Q\n"),
        ("4", "#Q##\n###Q\nQ###\n##Q#\n"),
        ("6", "#Q####\n###Q##\n#####Q\nQ#####\n##Q###\n####Q#\n"),
    ] {
        assert_eq!(printed(run, &[n], b"").as_deref(), Ok(board));
    }
}

#[test]
fn other_sizes_are_refused() {
    for (n, message) in [
        (
            "2",
            "no board of 2 queens exists: n must be 1 or at least 4",
        ),
        (
            "3",
            "no board of 3 queens exists: n must be 1 or at least 4",
        ),
        ("33", "invalid value '33' for '<N>': 33 is not in 1..=32"),
    ] {
        let (status, error) = printed(run, &[n], b"").unwrap_err();
        assert_eq!((status, error.lines().next()), (2, Some(message)));
    }
}
