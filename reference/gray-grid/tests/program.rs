//! What `gray-grid` prints for whole command lines.

use reference_gray_grid::run;
use reference_program::printed;

#[test]
fn a_row_of_the_grid_is_a_line() {
    for (arguments, grid) in [
        (["1", "1"], "00 01\n10 11\n"),
        (["1", "2"], "000 001 011 010\n100 101 111 110\n"),
        (["2", "1"], "000 001\n010 011\n110 111\n100 101\n"),
    ] {
        assert_eq!(printed(run, &arguments, b"").as_deref(), Ok(grid));
    }
    let largest = printed(run, &["8", "8"], b"").unwrap();
    let codes = |line: &str| line.split(' ').filter(|code| code.len() == 16).count();
    assert_eq!(largest.lines().map(codes).collect::<Vec<_>>(), [256; 256]);
}

#[test]
fn a_side_out_of_range_is_refused() {
    for (arguments, name, value) in [(["2", "0"], "N", 0), (["9", "1"], "M", 9)] {
        let (status, error) = printed(run, &arguments, b"").unwrap_err();
        let message = format!("invalid value '{value}' for '<{name}>': {value} is not in 1..=8");
        assert_eq!((status, error.lines().next()), (2, Some(&*message)));
    }
}
