//! Right answers that earn no points.

use super::*;

#[test]
fn a_right_answer_before_a_failure_or_in_another_place_is_pointed_out() {
    needs_compiler!();
    let heard = afresh(&doubling(|_| ()), &class(&["exits", "misplaced"]));
    let first = heard
        .results()
        .into_iter()
        .map(|it| &it.subtasks[0].cases[0]);
    let first: Vec<_> = first.collect();
    assert_eq!(
        first[0].message.as_ref().unwrap().en,
        "ended with exit status 3, although the answer is right: end with exit status 0 (`return 0` from `int main`)"
    );
    assert_eq!(
        first[1].hints[0].en,
        "Your answer was printed to stderr, not stdout."
    );
}
