//! Commands for people to copy.

use std::ffi::OsStr;

/// A word as a shell reads it.
pub(super) fn quoted(word: &OsStr) -> String {
    let word = grader_model::escaped(word.as_encoded_bytes());
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_only_where_a_shell_would_misread_it() {
        let shown =
            ["grade", "第一班", "a b", "it's", "", "$(x)"].map(|word| quoted(word.as_ref()));
        assert_eq!(
            shown,
            ["grade", "第一班", "'a b'", r"'it'\''s'", "''", "'$(x)'"]
        );
    }
}
