//! What extra text may not consist of: numbers, and words which the answer itself uses.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use crate::scan::{self, is_space};

/// The words of an answer.
///
/// More of them beside the answer is more answer, not text: a program that prints the last line twice, or
/// `even` after `even`, is wrong.
pub(crate) struct Vocabulary<'a> {
    answer: &'a [u8],
    /// Most outputs are judged before anybody asks for a word.
    words: OnceCell<HashSet<Word<'a>>>,
}

impl<'a> Vocabulary<'a> {
    pub(crate) const fn of(answer: &'a [u8]) -> Self {
        Self {
            answer,
            words: OnceCell::new(),
        }
    }

    /// Whether it is text, and not blank, a mere list of numbers, or more of the answer's own words.
    pub(crate) fn is_text(&self, extra: &[u8]) -> bool {
        let in_list = |byte: &u8| {
            is_space(*byte)
                || byte.is_ascii_digit()
                || matches!(byte, b'+' | b'-' | b'.' | b',' | b';')
        };
        let mut answers = false;
        for token in scan::tokens(extra) {
            if self.holds(token.bytes) {
                answers = true;
            } else if token.bytes.iter().all(in_list) {
                answers |= token.bytes.iter().any(u8::is_ascii_digit);
            } else {
                return true;
            }
        }
        // Signs alone are text: `- 92`.
        !answers && !scan::is_blank(extra)
    }

    fn holds(&self, word: &[u8]) -> bool {
        let words = self.words.get_or_init(|| {
            scan::tokens(self.answer)
                .map(|token| Word(token.bytes))
                .collect()
        });
        words.contains(&Word(word))
    }
}

/// A word where upper and lower case are the same. It is not copied: an answer may have millions, and one
/// word of an output may be all of it.
struct Word<'a>(&'a [u8]);

impl PartialEq for Word<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for Word<'_> {}

impl Hash for Word<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.len().hash(state);
        for part in self.0.chunks(64) {
            let mut lower = [0; 64];
            lower[..part.len()].copy_from_slice(part);
            lower.make_ascii_lowercase();
            state.write(&lower);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_of_the_answer_are_no_text() {
        let it = Vocabulary::of(b"even odd\n");
        for (extra, text) in [
            ("", false),
            (" \n", false),
            ("1, 2; -3", false),
            ("odd", false),
            ("Even 4", false),
            ("4 is even", true),
            ("Enter n: ", true),
            ("8 : ", true),
            ("- ", true),
        ] {
            assert_eq!(it.is_text(extra.as_bytes()), text, "{extra}");
        }
    }
}
