//! What the views of a class and of a student show of the sample.

mod class;
mod close;
mod origins;
mod student;

use grader_model::{Lang, Results};

use crate::sample;
use crate::style::Style;

fn zh() -> Style {
    Style {
        lang: Lang::Zh,
        ..Style::default()
    }
}

/// The class of which the first student is graded, the second has two problems left and the third all.
fn interrupted() -> Results {
    let mut results = sample::results();
    results.interrupted = true;
    results.students.drain(3..);
    results.students[0].problems[0].flags.clear();
    results.students[0].problems[0].subtasks[2].cases[0].near_limit = false;
    results.students[1].unused.clear();
    for problem in &mut results.students[1].problems[..2] {
        *problem = sample::not_judged(problem);
    }
    for problem in &mut results.students[2].problems {
        *problem = sample::not_judged(problem);
    }
    results
}
