//! What extra text may not consist of: numbers, and words which the answer itself uses.

use std::collections::HashSet;

use crate::scan::{self, is_space};

/// The words of an answer.
///
/// More of them beside the answer is more answer, not text: a program that prints the last line twice, or
/// `even` after `even`, is wrong.
pub(crate) struct Vocabulary {
    /// In lower case.
    words: HashSet<Vec<u8>>,
}

impl Vocabulary {
    pub(crate) fn of(answer: &[u8]) -> Self {
        Self {
            words: scan::tokens(answer)
                .map(|token| token.bytes.to_ascii_lowercase())
                .collect(),
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
            if self.words.contains(&token.bytes.to_ascii_lowercase()) {
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
