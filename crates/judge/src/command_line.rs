//! Command lines, as one types them in a shell.

/// Words as a shell reads them.
pub fn typed(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words = words.into_iter().map(|word| quoted(word.as_ref()));
    words.collect::<Vec<_>>().join(" ")
}

/// A word as it is, or in single quotes if a shell would read something else.
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
