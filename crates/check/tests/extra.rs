//! Text around the answer: what is a wrong layout, and what changes what the answer says.

use grader_check::{check, says_another};
use grader_model::Mark;
use grader_problem::{Checker, TokenOptions};

const TOKENS: Checker = Checker::Tokens(TokenOptions {
    case_sensitive: true,
    space_change_sensitive: false,
});

#[test]
fn text_that_may_change_what_the_answer_says_is_no_layout() {
    #[rustfmt::skip]
    let table = [
        // Labels and prompts; words around a number; the same text before different answers.
        ("Result: Valid\n", "Valid\n", true),
        ("Enter a number: Valid\n", "Valid\n", true),
        ("valid? Valid\n", "Valid\n", true),
        ("x =\nValid\n", "Valid\n", true),
        ("结果：是\n", "是\n", true),
        ("There are 92 solutions.\n", "92\n", true),
        ("No. of solutions: 92\n", "92\n", true),
        ("4 is even\n5 is odd\n", "even\nodd\n", true),
        ("Valid\nTime: 0.01 s\n", "Valid\n", true),
        ("Sum 3\nIt is: Valid\n", "3\nValid\n", true),
        // A denial, or a second answer.
        ("Not Valid\n", "Valid\n", false),
        ("Valid not\n", "Valid\n", false),
        ("not 92\n", "92\n", false),
        ("It isn't 92\n", "92\n", false),
        ("92 (not sure)\n", "92\n", false),
        ("结果不等于 92\n", "92\n", false),
        ("Point is inside the Circle.Point is on the Circle.\n", "Point is on the Circle.\n", false),
        ("Valid\nInvalid\n", "Valid\n", false),
        ("Invalid\nValid\n", "Valid\n", false),
        ("4 is not even\n5 is not odd\n", "even\nodd\n", false),
        ("4 is not even\n5 is odd\n", "even\nodd\n", false),
        ("4 is odd, so it is even\n5 is odd\n", "even\nodd\n", false),
    ];
    for (output, answer, expected) in table {
        let found = check(&TOKENS, output.as_bytes(), Some(answer.as_bytes())).unwrap();
        let mark = if expected { Mark::Layout } else { Mark::Wrong };
        assert_eq!(found.mark, mark, "{output}");
    }
}

#[test]
fn an_output_that_says_the_answer_of_another_case_says_more_than_its_own() {
    #[rustfmt::skip]
    let table = [
        ("impossible\n0\n", "0", "impossible", true),
        ("Error: 5\n", "5", "Error: 5", true),
        ("Not valid: Valid\n", "Valid", "not valid", true),
        ("Case 1: 5\n", "5", "1", false),
        ("Result: Not Valid\n", "Not Valid", "Valid", false),
        ("Result: Valid\n", "Valid", "Valid", false),
        ("Result: Valid\n", "Valid", "", false),
    ];
    for (output, answer, other, expected) in table {
        let [output, answer, other] = [output, answer, other].map(str::as_bytes);
        assert_eq!(says_another(&TOKENS, output, answer, other), expected);
    }
}

#[test]
fn invisible_bytes_are_no_mistake_where_the_answer_has_them() {
    let codes = |output: &[u8], answer: &[u8]| {
        let found = check(&Checker::Exact, output, Some(answer)).unwrap();
        found
            .evidence
            .iter()
            .map(|it| it.code.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(codes(b"BM\0\x02", b"BM\0\x01"), ["byte-differs"]);
    assert_eq!(codes(b"BM\0\x01", b"BM\x01"), ["nul-bytes"]);
}
