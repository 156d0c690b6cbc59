//! The inputs of a problem's cases, as programs read them. What a search shows must not be the input of a hidden case, and
//! two inputs that differ in white space only are one input to most programs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blake3::Hasher;
use grader_problem::{Case, CaseRef, Problem};

use crate::Fault;
use crate::constants::MAX_COMPARED_WORDS_BYTES;
use crate::lab::{Key, Lab, Task};

type Hash = [u8; blake3::OUT_LEN];

/// Inputs that a search must not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Withheld {
    /// Those of hidden cases.
    Hidden,
    /// Those of all cases.
    All,
}

/// The inputs of a problem that a search must not show.
pub(crate) struct WithheldInputs<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) withheld: Withheld,
}

impl Task for WithheldInputs<'_> {
    type Out = Arc<CaseInputs>;

    fn key(&self) -> Key {
        let withheld = format!("{:?}", self.withheld);
        let version = self.problem.own_version();
        Key::of("withheld inputs", [version.as_bytes(), withheld.as_bytes()])
    }

    fn run(&self, lab: Lab<'_>) -> Result<Arc<CaseInputs>, Fault> {
        let mut inputs = CaseInputs {
            words: BTreeSet::new(),
            short: BTreeMap::new(),
        };
        for (index, at) in CaseRef::all(self.problem).enumerate() {
            if self.withheld == Withheld::Hidden && !at.subtask.hidden {
                continue;
            }
            let case = lab.with_input(at)?;
            inputs.words.insert(words(&case));
            if let Some(letters) = letters(&case) {
                inputs.short.entry(letters).or_default().push(index);
            }
        }
        Ok(Arc::new(inputs))
    }
}

/// The inputs of some cases.
pub(crate) struct CaseInputs {
    /// Hashes of their words.
    words: BTreeSet<Hash>,
    /// The cases with a short input, by its letters without white space.
    short: BTreeMap<Vec<u8>, Vec<usize>>,
}

impl CaseInputs {
    /// Whether one of the cases has this input, as far as a program can tell.
    pub(crate) fn contain(
        &self,
        lab: Lab<'_>,
        problem: &Problem,
        at: CaseRef<'_>,
    ) -> Result<bool, Fault> {
        let case = lab.with_input(at)?;
        if self.words.contains(&words(&case)) {
            return Ok(true);
        }
        let alike = letters(&case).and_then(|it| self.short.get(&it));
        let Some(alike) = alike else {
            return Ok(false);
        };
        let answer = |at| match lab.answer(at) {
            Err(Fault::Stopped) => Err(Fault::Stopped),
            // If there is none, the inputs may be the same.
            answer => Ok(answer.ok().flatten().map(|it| hash_of(split(&it)))),
        };
        let own = answer(at)?;
        for index in alike {
            let other = CaseRef::all(problem)
                .nth(*index)
                .map(answer)
                .transpose()?
                .flatten();
            if own.is_none() || other.is_none() || own == other {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A hash of the words that a program reads, its arguments first.
fn words(case: &Case) -> Hash {
    let arguments = case.arguments.iter().flat_map(|it| split(it.as_bytes()));
    hash_of(arguments.chain(split(&case.input)))
}

fn hash_of<'a>(words: impl Iterator<Item = &'a [u8]>) -> Hash {
    let mut hasher = Hasher::new();
    for word in words {
        hasher.update(&number(word));
        hasher.update(b"\n");
    }
    *hasher.finalize().as_bytes()
}

fn split(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    // The mark of an editor is no text.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let words = text.split(|byte| is_space(*byte));
    words.filter(|word| !word.is_empty())
}

const fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b)
}

/// The bytes of a short input without its white space.
fn letters(case: &Case) -> Option<Vec<u8>> {
    let arguments = case.arguments.iter().map(String::as_bytes);
    let parts = || arguments.clone().chain([&case.input[..]]);
    let is_short = parts().map(<[u8]>::len).sum::<usize>() <= MAX_COMPARED_WORDS_BYTES;
    is_short.then(|| parts().flat_map(split).flatten().copied().collect())
}

/// A number as programs read it: without a plus sign, zeros at its beginning, and zeros at the end of its fraction.
fn number(word: &[u8]) -> Cow<'_, [u8]> {
    let (sign, digits) = match word {
        [b'-', digits @ ..] => (&b"-"[..], digits),
        [b'+', digits @ ..] | digits => (&b""[..], digits),
    };
    let point = digits.iter().position(|it| *it == b'.');
    let (whole, fraction) = digits.split_at(point.unwrap_or(digits.len()));
    let fraction = fraction.get(1..).unwrap_or_default();
    let mut all = whole.iter().chain(fraction);
    if whole.len() + fraction.len() == 0 || !all.all(u8::is_ascii_digit) {
        return word.into();
    }
    let zeros = whole.iter().take_while(|it| **it == b'0').count();
    let whole = &whole[zeros.min(whole.len().saturating_sub(1))..];
    let zeros = fraction.iter().rev().take_while(|it| **it == b'0').count();
    let fraction = &fraction[..fraction.len() - zeros];
    let is_zero = matches!(whole, [] | [b'0']) && fraction.is_empty();
    let (sign, whole) = match (is_zero, whole) {
        (true, _) => (&b""[..], &b"0"[..]),
        (false, []) => (sign, &b"0"[..]),
        (false, whole) => (sign, whole),
    };
    let point = if fraction.is_empty() { &b""[..] } else { b"." };
    [sign, whole, point, fraction].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(arguments: &[&str], input: &str) -> Case {
        Case {
            arguments: arguments.iter().map(ToString::to_string).collect(),
            input: input.as_bytes().into(),
            ..Case::default()
        }
    }

    #[test]
    fn what_a_program_reads_in_the_same_way_is_one_input() {
        let hidden = [case(&[], "41"), case(&["7"], "a b\n1.50 -0\n")];
        for (index, arguments, input) in [
            (0, &[][..], "41\n"),
            (0, &[], "41 \n"),
            (0, &[], "41\r\n"),
            (0, &[], "\u{feff}\n\n\t041\n"),
            (0, &[], "+41.0"),
            (0, &[], "41."),
            (0, &["41"], ""),
            (1, &["7"], "a  b\r\n1.5 0"),
            (1, &[" 7 "], "a\nb\n01.5 -0.0"),
        ] {
            let other = case(arguments, input);
            assert_eq!(words(&other), words(&hidden[index]), "{input:?}");
        }
        for (index, arguments, input) in [
            (0, &[][..], "4 1"),
            (0, &[], "-41"),
            (0, &[], "410"),
            (0, &[], "41.1"),
            (0, &[], "x41"),
            (0, &[], ""),
            (1, &["7"], "ab\n1.5 0"),
            (1, &[], "a b\n1.5 0"),
        ] {
            let other = case(arguments, input);
            assert_ne!(words(&other), words(&hidden[index]), "{input:?}");
        }
    }

    #[test]
    fn a_short_input_is_compared_without_its_white_space() {
        let text = |input: &str| letters(&case(&["1"], input));
        assert_eq!(text("a, b\n"), Some(b"1a,b".to_vec()));
        assert_eq!(text("a,b"), text("a , b"));
        assert_eq!(text(&"a".repeat(MAX_COMPARED_WORDS_BYTES)), None);
    }
}
