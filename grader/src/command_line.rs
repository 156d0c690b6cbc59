//! Command lines, as one types them in a shell.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;

/// The command that resumes a run of `grade`: the one that began it, without what asks for a new run.
pub(crate) fn to_go_on() -> String {
    typed(env::args_os().filter(|word| word != "--fresh"))
}

/// Words as a shell reads them.
pub(crate) fn typed(words: impl Iterator<Item = impl AsRef<OsStr>>) -> String {
    let words = words.map(|word| quoted(word.as_ref()));
    words.collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it: as it is, in single quotes, or, if it holds what a terminal does not show, in the
/// `$'…'` of bash, zsh and ksh.
pub(crate) fn quoted(word: &OsStr) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,:=@%+".contains(c);
    match word.to_str() {
        Some(text) if !text.is_empty() && text.chars().all(plain) => text.to_owned(),
        Some(text) if grader_model::escaped(text.as_bytes()) == text => {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
        Some(_) | None => {
            let mut quoted = String::from("$'");
            for byte in word.as_bytes() {
                match byte {
                    b'\'' | b'\\' => quoted.extend(['\\', char::from(*byte)]),
                    b' '..=b'~' => quoted.push(char::from(*byte)),
                    byte => {
                        // Writing into a string does not fail.
                        let _ = write!(quoted, "\\x{byte:02x}");
                    }
                }
            }
            quoted.push('\'');
            quoted
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn words_are_typed_as_people_type_them() {
        let words = ["grader", "grade", "王 小明's class/", "-a", "n-queens", ""];
        assert_eq!(
            typed(words.into_iter()),
            r"grader grade '王 小明'\''s class/' -a n-queens ''"
        );
        let hostile = OsStr::from_bytes(b"a\x1b[2J\xff'");
        assert_eq!(quoted(hostile), r"$'a\x1b[2J\xff\''");
    }

    #[test]
    fn a_shell_reads_every_word_as_it_was() {
        let words = ["a b", "$HOME", "`ls`", "x\ny", "it's", "\\", "*", "王"];
        let line = format!("printf '%s\\0' {}", typed(words.into_iter()));
        let Ok(ran) = Command::new("bash").args(["-c", &line]).output() else {
            eprintln!("skipped: `bash` is not installed");
            return;
        };
        let read = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(read, words.map(|word| format!("{word}\0")).concat());
    }
}
