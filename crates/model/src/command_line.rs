//! Command lines, quoted for a shell.

/// Joins words into a command line.
pub fn typed(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words = words.into_iter().map(|word| quoted(word.as_ref()));
    words.collect::<Vec<_>>().join(" ")
}

/// A word, in single quotes if a shell needs them.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_shell_reads_every_word_as_it_was() {
        let words = ["a b", "$HOME", "`ls`", "x\ny", "it's", "\\", "*", "王", ""];
        let line = typed(words);
        assert!(line.starts_with("'a b' '$HOME' '`ls`' "), "{line}");
        let line = format!("printf '%s\\0' {line}");
        let ran = Command::new("sh").args(["-c", &line]).output().unwrap();
        let read = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(read, words.map(|word| format!("{word}\0")).concat());
    }
}
