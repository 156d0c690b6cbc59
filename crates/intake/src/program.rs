//! What a file is: a source by its name, or by what it holds.

use grader_language::{Languages, SourceText};
use grader_model::{LanguageId, SourceFile, extension_of};

use crate::read::read_beginning;
use crate::tree::File;
use crate::unreadable::Unreadable;

/// What a file is by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A source file.
    Source(LanguageId),
    /// A header: part of a program, but no program alone.
    Header,
    /// Something else.
    Other,
}

impl Kind {
    /// What the file of this name is.
    pub(crate) fn of(name: &str, languages: &Languages) -> Self {
        match languages.of_file_name(name) {
            Some(language) => Self::Source(language.id),
            None if languages.is_header_name(name) => Self::Header,
            None => Self::Other,
        }
    }

    /// Whether it is a source file.
    pub(crate) fn is_source(self) -> bool {
        matches!(self, Self::Source(_))
    }

    /// Whether it is a source file in one of these languages.
    pub(crate) fn is_accepted(self, languages: &[LanguageId]) -> bool {
        matches!(self, Self::Source(language) if languages.contains(&language))
    }

    /// Whether it is a source file that can be part of a program in this language.
    pub(crate) fn goes_with(self, language: LanguageId) -> bool {
        let is_c = |language| matches!(language, LanguageId::C | LanguageId::Cpp);
        matches!(self, Self::Source(own) if own == language || is_c(own) && is_c(language))
    }
}

/// The language of a file by its contents, if it holds a program of at most `max_bytes`.
pub(crate) fn language_by_content(
    file: &File,
    max_bytes: u64,
    languages: &Languages,
) -> Result<Option<LanguageId>, Unreadable> {
    if file.size > max_bytes || !is_text(file)? {
        return Ok(None);
    }
    let Some(bytes) = file.read(max_bytes)? else {
        return Ok(None);
    };
    let files = [SourceFile::new(file.name.as_str(), bytes)];
    let language = languages.recognise(&SourceText::all(&files));
    Ok(language.map(|language| language.id))
}

/// Number of leading bytes that decide whether a file is text.
const BEGINNING: u64 = 8 << 10;

/// Whether a file holds text, in whatever encoding, as far as its beginning shows.
pub(crate) fn is_text(file: &File) -> Result<bool, Unreadable> {
    Ok(is_text_beginning(
        &file.with(|location| read_beginning(location, BEGINNING))?,
    ))
}

fn is_text_beginning(beginning: &[u8]) -> bool {
    // UTF-16 has zero bytes, and a mark at its beginning.
    let marked = beginning.starts_with(b"\xff\xfe") || beginning.starts_with(b"\xfe\xff");
    marked || !beginning.contains(&0)
}

/// Whether a file is a Jupyter notebook, by its name or by what it holds, whatever it is called.
pub(crate) fn is_notebook(name: &str, bytes: &[u8]) -> bool {
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    let begins_as_json = bytes.trim_ascii_start().starts_with(b"{");
    extension_of(name).eq_ignore_ascii_case("ipynb")
        || begins_as_json && has(b"\"nbformat\"") && has(b"\"cells\"")
}

/// Whether a text seems to define a function `main`, as C, C++, Java and Rust need exactly one.
pub(crate) fn has_main(text: &[u8]) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.windows(4).enumerate().any(|(at, word)| {
        word == b"main"
            && !at
                .checked_sub(1)
                .is_some_and(|before| is_word(text[before]))
            && text[at + 4..].trim_ascii_start().starts_with(b"(")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_sources_from_headers_and_the_rest() {
        let kinds = [
            "a.C",
            "Main.java",
            "a.hpp",
            "a.inc",
            "a.txt",
            "a",
            "Cargo.toml",
        ]
        .map(|name| Kind::of(name, &Languages::built_in()));
        assert_eq!(
            kinds,
            [
                Kind::Source(LanguageId::C),
                Kind::Source(LanguageId::Java),
                Kind::Header,
                Kind::Header,
                Kind::Other,
                Kind::Other,
                Kind::Other,
            ]
        );
    }

    #[test]
    fn recognises_a_main_function() {
        assert!(has_main(b"int main (void) {"));
        assert!(has_main(b"fn main() {}"));
        assert!(!has_main(
            b"int domain(void); int main_loop(); // the main part"
        ));
    }

    #[test]
    fn recognises_notebooks_by_name_and_by_content() {
        let notebook = br#" {"cells": [], "nbformat": 4}"#;
        for (name, bytes, expected) in [
            ("a.ipynb", &b""[..], true),
            ("a.IPYNB", b"", true),
            ("a.py", notebook, true),
            ("a.py", b"{'nbformat': 4}", false),
            ("a.py", b"print('\"cells\" \"nbformat\"')", false),
        ] {
            assert_eq!(is_notebook(name, bytes), expected, "{name}");
        }
    }

    #[test]
    fn recognises_text() {
        for (beginning, is_text) in [
            (&b""[..], true),
            (b"int main(void) {}", true),
            (b"// \xb0\xcb\xbb\xca\xba\xf3", true),
            (b"\xff\xfei\0n\0t\0", true),
            (b"\x7fELF\x02\x01\x01\0\0", false),
        ] {
            assert_eq!(is_text_beginning(beginning), is_text, "{beginning:?}");
        }
    }
}
