//! The commonest wrong answers of beginners, recognised by what was printed and what is right.
//!
//! Each sentence of `mistake/kinds.rs` begins with a fact about the two, which holds whatever the program does, and quotes neither. It
//! is said if the fact holds in every failed case, and chance does not explain that: [`common_mistake`].

mod kinds;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use grader_model::Text;
use grader_problem::Checker;

pub use self::kinds::Failed;

use self::kinds::{KINDS, Seen, Weight};
use crate::constants::{MAX_INPUT_WORDS, MAX_SAID_BYTES};
use crate::{rule_of, scan};

/// The usual mistakes that the output of one case may show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// A hash of the case's answer.
    answer: u64,
    /// Places in [`KINDS`].
    found: Vec<(usize, Weight)>,
}

/// The usual mistakes that an output may show to a built-in checker. None if only white space differs, or if something is very long.
pub fn mistakes(checker: &Checker, case: Failed<'_>) -> Mistakes {
    let texts = [case.output, case.answer];
    let is_usual = |it: &[u8]| it.len() <= MAX_SAID_BYTES;
    let is_usual = texts.into_iter().all(is_usual) && !scan::is_blank(case.answer);
    let Some(rule) = rule_of(checker).filter(|_| is_usual) else {
        return Mistakes::default();
    };
    let [found, wanted] = texts.map(|it| scan::words(it).collect::<Vec<_>>());
    let mut hasher = DefaultHasher::new();
    wanted.hash(&mut hasher);
    let are_as_many = found.len() == wanted.len();
    let pairs = wanted.iter().copied().zip(found.iter().copied());
    let seen = Seen {
        case,
        rule,
        input: scan::words(case.input).take(MAX_INPUT_WORDS).collect(),
        pairs: pairs
            .filter(|(one, two)| are_as_many && !rule.same(one, two))
            .collect(),
        found,
        wanted,
    };
    let differs = !(are_as_many && seen.pairs.is_empty());
    let kinds = (0..).zip(&KINDS).filter(|_| differs);
    Mistakes {
        answer: hasher.finish(),
        found: kinds
            .filter_map(|(place, kind)| Some((place, (kind.0)(&seen)?)))
            .collect(),
    }
}

/// The sentence on the first mistake that all failed cases show. `None` if there is none, or if it may be chance.
pub fn common_mistake(failed: &[&Mistakes]) -> Option<Text> {
    let is_common = |kind: usize| {
        let shown = failed.iter().map(|case| {
            let known = case.found.iter().find(|it| it.0 == kind)?;
            Some((known.1, case.answer))
        });
        let Some(shown) = shown.collect::<Option<Vec<_>>>() else {
            return false;
        };
        let answers = |weight| {
            let all = shown.iter().filter(|it| it.0 >= weight);
            all.map(|it| it.1).collect::<HashSet<u64>>().len()
        };
        answers(Weight::Enough) > 0 || answers(Weight::Half) > 1 || answers(Weight::Third) > 2
    };
    let (_, kind) = (0..).zip(&KINDS).find(|(place, _)| is_common(*place))?;
    Some(Text::new(kind.1, kind.2))
}
