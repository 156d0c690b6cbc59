//! The usual wrong answers of beginners: what is said, and what is too near to chance to be said.

use grader_check::{Failed, Mistakes, common_mistake, mistakes};
use grader_problem::{Checker, TokenOptions};

const TOKENS: Checker = Checker::Tokens(TokenOptions {
    case_sensitive: true,
    space_change_sensitive: false,
});

/// What all these cases show: input, output and answer of each.
fn said(cases: &[[&str; 3]]) -> String {
    said_of((&[], &[]), cases)
}

/// The quotients and factors of a program.
type Divisions<'a> = (&'a [(u32, u32)], &'a [u32]);

fn said_of((quotients, factors): Divisions<'_>, cases: &[[&str; 3]]) -> String {
    let shown = |[input, output, answer]: &[&str; 3]| {
        let failed = Failed {
            input: input.as_bytes(),
            output: output.as_bytes(),
            answer: answer.as_bytes(),
            has_extra_text: false,
            is_python: true,
            quotients,
            factors,
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
        (["3", "hello world", "Hello World"], "Everything is right except for upper"),
        (["3", "1236", "1 2 36"], "All characters are right"),
        (["3", "[1, 2, 3]", "1 2 3"], "The values are right, but a list"),
        (["3", "Hello World", "Hello, World!"], "Only punctuation, or upper"),
        (["3", "hello world", "Hello, World!"], "Only punctuation, or upper"),
        (["3", "42 42 42", "42"], "The right answer is printed more than once"),
        (["3", "-2147483648", "2147483648"], "The right number is larger than an `int`"),
        (["1 3", "13", "4"], "Numbers of the input are printed one directly behind"),
        (["0 5", "05", "5"], "Numbers of the input are printed one directly behind"),
        (["0 0", "00", "0"], "Numbers of the input are printed one directly behind"),
        (["3 2", "33", "6"], "Numbers of the input are printed one directly behind"),
        (["3", "4.0", "4"], "The right whole number is printed with digits"),
        (["7 8", "12 24", "12.5 25"], "The output is the right number without its digits"),
        (["7 8", "12", "12.5"], "The output is the right number without its digits"),
        (["3", "3.1416", "3.14"], "The numbers are right except for how many digits"),
        (["9 10 1", "1 10 9", "1 9 10"], "The values are sorted as text"),
        (["9 10 1", "4 3 9", "3 4 9"], "The right values are there, but in another"),
        (["5", "1 2 3 4", "1 2 3 4 5"], "All but the last"),
        (["5", "2 3 4 5", "1 2 3 4 5"], "All but the first"),
        (["5", "0 1 2 3 4 5", "1 2 3 4 5"], "The output ends with the right answer"),
        (["5", "1 2 3 4 5 6", "1 2 3 4 5"], "The output begins with the right answer"),
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
        ([["1 2 5 9", "8", "17"], ["1 2 9 4", "12", "16"]], "The result is that of the input without its last"),
        ([["1", "", "1 1"], ["4", "1 1\n2 4\n3 9", "1 1\n2 4\n3 9\n4 16"]], "All but the last"),
        ([["2\n5 3", "3", "8"], ["2\n9 4", "4", "13"]], "The result is that of the input without its first"),
        // The largest value, the mean (of too few, or by the whole count), how many are even.
        ([["3\n5\n1\n9", "5", "9"], ["2\n-4\n-1", "-4", "-1"]], "The result is that of the input without its last"),
        ([["3\n5\n2\n8", "3.5", "5"], ["2\n4\n1", "4.0", "2.5"]], "The result is that of the input without its last"),
        ([["3\n5\n2\n8", "2.33", "5.00"], ["2\n4\n1", "2.00", "2.50"]], "The result is that of the input without its last"),
        ([["4\n1\n2\n4\n6", "2", "3"], ["2\n3\n8", "0", "1"]], "The result is that of the input without its last"),
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
fn what_is_one_too_small_or_large_takes_three_cases() {
    let up = [["8 9", "7", "6"], ["9 7", "13", "12"], ["2 2 2", "5", "4"]];
    let down = up.map(|[input, output, answer]| [input, answer, output]);
    assert_eq!(said(&up[..2]), "");
    assert!(said(&up).starts_with("Each wrong number is exactly 1 too large"));
    assert!(said(&down).starts_with("Each wrong number is exactly 1 too small"));
    assert_eq!(said(&[up[0], up[1], down[2]]), "");
    assert_eq!(said(&[up[0], up[1], up[0]]), "");
}

#[test]
fn a_quotient_that_lost_a_part_is_named_if_the_output_shows_it() {
    let lost = "A division of two whole numbers loses";
    // 9 / 5 * c + 32; 4 / 3 * pi * r * r * r; 5 / 9 * (f - 32); a / b * 100.
    #[rustfmt::skip]
    let table: [(Divisions<'_>, &[[&str; 3]], &str); 6] = [
        ((&[(9, 5)], &[]), &[["100", "132.0", "212.0"], ["-40", "-8.0", "-40.0"]], lost),
        ((&[(4, 3)], &[]), &[["2", "25.13", "33.51"], ["3", "84.82", "113.10"]], lost),
        ((&[(5, 9)], &[]), &[["212", "0.0", "100.0"]], lost),
        ((&[], &[100]), &[["1 4", "0.00", "25.00"], ["5 3", "100.00", "166.67"]], lost),
        ((&[(9, 5)], &[]), &[["100", "180.0", "212.0"]], ""),
        ((&[], &[100]), &[["1 4", "4.00", "25.00"]], ""),
    ];
    for (of, cases, expected) in table {
        let found = said_of(of, cases);
        assert!(
            found.starts_with(expected) && found.is_empty() == expected.is_empty(),
            "{cases:?}: {found}"
        );
        assert_eq!(said(cases), "", "{cases:?}");
    }
}

#[test]
fn nothing_is_said_of_what_has_another_cause() {
    #[rustfmt::skip]
    let table: [&[[&str; 3]]; 19] = [
        // The larger of two of three.
        &[["1 2 5", "2", "5"], ["4 3 9", "4", "9"]],
        // Another value than the last is left out, or another result is printed.
        &[["3\n5\n2\n8", "13", "15"], ["2\n4\n1", "2", "5"]],
        &[["3\n5\n1\n9", "1", "9"], ["2\n4\n7", "4", "7"]],
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
