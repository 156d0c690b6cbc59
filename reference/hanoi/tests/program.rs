//! What `hanoi` prints for whole command lines.

use reference_hanoi::run;
use reference_program::printed;

#[test]
fn the_smallest_disc_comes_first() {
    let states = (0..8).map(|k| printed(run, &["3", &k.to_string()], b"").unwrap());
    let pegs = "1 1 1\n3 1 1\n3 2 1\n2 2 1\n2 2 3\n1 2 3\n1 3 3\n3 3 3\n";
    assert_eq!(states.collect::<String>(), pegs);
}

#[test]
fn other_numbers_are_refused() {
    for (arguments, message) in [
        (
            ["3", "8"],
            "the solution for 3 discs has 7 moves: k must be 0 to 7, found 8",
        ),
        (
            ["3", "x"],
            "invalid value 'x' for '<K>': invalid digit found in string",
        ),
        (
            ["0", "0"],
            "invalid value '0' for '<N>': 0 is not in 1..=62",
        ),
    ] {
        let (status, error) = printed(run, &arguments, b"").unwrap_err();
        assert_eq!((status, error.lines().next()), (2, Some(message)));
    }
}
