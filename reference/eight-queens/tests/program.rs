//! What `eight-queens` prints.

use reference_eight_queens::run;

#[test]
fn the_total_is_printed_on_one_line() {
    let mut output = Vec::new();
    run([], &mut std::io::empty(), &mut output).unwrap();
    assert_eq!(String::from_utf8_lossy(&output), "92\n");
}

#[test]
fn an_argument_is_refused() {
    let error = run(["8".into()], &mut std::io::empty(), &mut Vec::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unexpected argument '8' found\n\nUsage: eight-queens\n\n\
         For more information, try '--help'."
    );
    assert_eq!(error.exit_status(), 2);
}
