//! The usual wrong answers of beginners: what is said, and what is too near to chance to be said.

use grader_check::{Failed, Mistakes, common_mistake, mistakes};
use grader_problem::{Checker, TokenOptions};

const TOKENS: Checker = Checker::Tokens(TokenOptions {
    case_sensitive: true,
    space_change_sensitive: false,
});

/// What all these cases show: input, output and answer of each.
fn said(cases: &[[&str; 3]]) -> String {
    let shown = |[input, output, answer]: &[&str; 3]| {
        let failed = Failed {
            input: input.as_bytes(),
            output: output.as_bytes(),
            answer: answer.as_bytes(),
            has_extra_text: false,
            is_python: true,
        };
        mistakes(&TOKENS, failed)
    };
    let all: Vec<Mistakes> = cases.iter().map(shown).collect();
    let text = common_mistake(&all.iter().collect::<Vec<_>>());
    text.map(|it| it.en).unwrap_or_default()
}

#[test]
fn one_case_is_enough_for_what_no_chance_explains() {
    #[rustfmt::skip]
    let table = [
        (["3", "6\nNone", "6"], "`None` is printed"),
        (["3", "None", "6"], "`None` is printed"),
        (["3", "> 6", "6"], "The right answer is there"),
        (["3", "> > 6\n> 7", "6\n7"], "The right answer is there"),
        (["3", "x = 6, y = 7", "6 7"], "The right answer is there"),
        (["3", "hell", "hello"], "All but the last"),
        (["3", "[I@1b6d3586", "1 2"], "An object is printed"),
        (["3", "<map object at 0x7f1>", "1 2"], "An object is printed"),
        (["3", "1/n2/n", "1\n2"], "The output would be right if"),
        (["3", "hello world", "Hello World"], "Everything is right except for upper"),
        (["3", "1236", "1 2 36"], "All characters are right"),
        (["3", "[1, 2, 3]", "1 2 3"], "The values are right, but a list"),
        (["3", "Hello World", "Hello, World!"], "Everything is right except for the punctuation"),
        (["3", "hello world", "Hello, World!"], "Only punctuation and upper"),
        (["3", "42 42 42", "42"], "The right answer is printed more than once"),
        (["3", "-2147483648", "2147483648"], "The right number is larger than an `int`"),
        (["1 3", "13", "4"], "Numbers of the input are printed one directly behind"),
        (["0 5", "05", "5"], "Numbers of the input are printed one directly behind"),
        (["0 0", "00", "0"], "Numbers of the input are printed one directly behind"),
        (["3 2", "33", "6"], "Numbers of the input are printed one directly behind"),
        (["3", "4.0", "4"], "The right whole number is printed with digits"),
        (["7 8", "12", "12.5"], "The output is the right number without its digits"),
        (["3", "3.1416", "3.14"], "The numbers are right except for how many digits"),
        (["9 10 1", "1 10 9", "1 9 10"], "The values are sorted as text"),
        (["9 10 1", "9 4 3", "3 4 9"], "The right values are there, in reverse order"),
        (["9 10 1", "4 3 9", "3 4 9"], "The right values are there, but in another"),
        (["5", "1 2 3 4", "1 2 3 4 5"], "All but the last"),
        (["5", "2 3 4 5", "1 2 3 4 5"], "All but the first"),
        (["5", "0 1 2 3 4 5", "1 2 3 4 5"], "The output ends with the right answer"),
        (["5", "1 2 3 4 5 6", "1 2 3 4 5"], "The output begins with the right answer"),
        (["5", "0 1 4 8", "1 2 5 9"], "Each wrong number is exactly 1 too small"),
    ];
    for (case, expected) in table {
        let found = said(&[case]);
        assert!(found.starts_with(expected), "{case:?}: {found}");
    }
}

#[test]
fn what_one_case_may_show_by_chance_takes_two_with_different_answers() {
    #[rustfmt::skip]
    let table = [
        ([["8 1", "3", "3.5"], ["1 8 6", "4", "4.5"]], "The output is the right number without its digits"),
        ([["7 9", "5", "6"], ["9 7", "11", "12"]], "Each wrong number is exactly 1 too small"),
        ([["8 9", "7", "6"], ["9 7", "13", "12"]], "Each wrong number is exactly 1 too large"),
        ([["1 2 5", "3", "8"], ["1 2 9", "3", "12"]], "The number is too small by exactly the last"),
        ([["1", "", "1 1"], ["4", "1 1\n2 4\n3 9", "1 1\n2 4\n3 9\n4 16"]], "All but the last"),
        ([["2\n5 3", "3", "8"], ["2\n9 4", "4", "13"]], "The number is too small by exactly the first"),
        ([["2\n5 3", "10", "8"], ["3\n9 4 1", "17", "14"]], "The number is too large by exactly the first"),
        ([["4 3", "3.0", "3.5"], ["3 2", "2.0", "2.5"]], "The output is the right number without its digits"),
        ([["2", "1 3", "3"], ["3", "1 3 6", "6"]], "The output ends with the right answer"),
    ];
    for (cases, expected) in table {
        assert_eq!(said(&cases[..1]), "", "{cases:?}");
        let found = said(&cases);
        assert!(found.starts_with(expected), "{cases:?}: {found}");
        let same_answer = [cases[0], cases[0]];
        assert_eq!(said(&same_answer), "", "{cases:?}");
    }
}

#[test]
fn nothing_is_said_of_what_has_another_cause() {
    #[rustfmt::skip]
    let table: [&[[&str; 3]]; 16] = [
        // The lower middle value in place of the mean of both: each is a number of the input.
        &[["3 4", "3", "3.5"], ["1 2", "1", "1.5"]],
        // So it is with a mean that is whole.
        &[["4 1 3 8", "3", "3.5"], ["11 17", "14", "14.0"]],
        // A constant.
        &[["1", "0", "1"], ["2", "0", "1"]],
        &[["1", "0", "0.5"], ["2", "0", "0.25"]],
        // `YES` and `NO`, both always.
        &[["1", "YES\nNO", "YES"], ["2", "YES\nNO", "NO"]],
        // One case shows it, another does not.
        &[["1 3", "13", "4"], ["1 4", "7", "5"]],
        &[["5", "1 2 3 4", "1 2 3 4 5"], ["3", "7", "1 2 3"]],
        // The same digits with other values.
        &[["1", "12 3", "1 23"]],
        // A sign, a point and a comma in a number are no punctuation.
        &[["1", "5", "-5"]],
        &[["1", "35", "3.5"]],
        &[["1", "a@b", "c@d"]],
        &[["1", "two", "2"]],
        &[["1", "Valid", "Not Valid"]],
        &[["1", "", "1"], ["2", "", "2"]],
        &[["1", "", "1"], ["2", "3", "3 4"]],
        &[["1", "1  2", "1 2"]],
    ];
    for cases in table {
        assert_eq!(said(cases), "", "{cases:?}");
    }
}

#[test]
fn hostile_outputs_take_no_long_time() {
    let long = "11 ".repeat(20_000);
    let repeated = said(&[[&long, &long, "11"]]);
    assert!(
        repeated.starts_with("The right answer is printed more than once"),
        "{repeated}"
    );
    assert_eq!(
        said(&[[&"1 ".repeat(20_000), &long, &"1 ".repeat(20_000)]]),
        ""
    );
    assert_eq!(said(&[[&"1".repeat(60_000), &"1".repeat(60_000), "5"]]), "");
    assert_eq!(said(&[["", &"[".repeat(100_000), "1"]]), "");
    assert_eq!(said(&[["1", "\u{ff01}\u{0}é", "é"]]), "");
}
