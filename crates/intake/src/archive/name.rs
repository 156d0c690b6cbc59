//! Names of entries.

use encoding_rs::GBK;
use grader_model::escaped;
use unicode_normalization::UnicodeNormalization;

use super::Caps;
use super::refusal::Cause;

/// Characters of a name that are shown: a sentence must stay one.
const SHOWN: usize = 120;

/// A name as text. What is no UTF-8 was most likely packed on a Chinese Windows, in GBK; of what is neither, the
/// bytes that are no text become `%` and their number.
pub(super) fn decode(name: &[u8]) -> String {
    if let Ok(text) = str::from_utf8(name) {
        return text.to_owned();
    }
    if let Some(text) = GBK.decode_without_bom_handling_and_without_replacement(name) {
        return text.into_owned();
    }
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        // Not as elsewhere with a backslash, which separates.
        let bytes = chunk.invalid().iter().map(|byte| format!("%{byte:02x}"));
        text.extend(bytes);
    }
    text
}

/// A name or path as it may be shown: escaped and, where it is long, cut.
pub(super) fn shown(name: &str) -> String {
    // Cut first: an escape takes more room than its character, and never less.
    let mut characters = name.char_indices();
    match characters.nth(SHOWN) {
        Some((at, _)) => format!("{}…", escaped(&name.as_bytes()[..at])),
        None => escaped(name.as_bytes()),
    }
}

/// What is equal of two names that some file system takes for one: case and the writing of accents do not count.
pub(super) fn folded(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// The path of an entry: never absolute, never upwards, never empty.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EntryPath {
    /// Its parts, none empty, `.` or `..`, none with a slash, a backslash or a null byte in it.
    pub(super) parts: Vec<String>,
    /// Whether it ends as paths of folders do.
    pub(super) is_folder: bool,
}

impl EntryPath {
    /// Reads a path that is not too long; nothing for the archive's own folder (`./`). Backslashes separate too, as in
    /// what some Windows programs pack.
    pub(super) fn read(text: &str, caps: &Caps) -> Result<Option<Self>, Cause> {
        let path = Self::of_any_length(text)?;
        path.map(|path| path.hold_to(caps).map(|()| path))
            .transpose()
    }

    /// Whether it is not too long.
    pub(super) fn hold_to(&self, caps: &Caps) -> Result<(), Cause> {
        let long = |path: &str, most| Cause::LongPath {
            path: shown(path),
            bytes: path.len(),
            most,
        };
        let whole = self.parts.join("/");
        if whole.len() > caps.path {
            return Err(long(&whole, caps.path));
        }
        let mut parts = self.parts.iter();
        match parts.find(|part| part.len() > Caps::COMPONENT) {
            Some(part) => Err(long(part, Caps::COMPONENT)),
            None => Ok(()),
        }
    }

    /// Reads a path, however long.
    pub(super) fn of_any_length(text: &str) -> Result<Option<Self>, Cause> {
        if text.is_empty() {
            return Err(Cause::NoName);
        }
        if text.contains('\0') {
            return Err(Cause::Null(shown(text)));
        }
        if text.starts_with(['/', '\\']) {
            return Err(Cause::Absolute(shown(text)));
        }
        if matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
            return Err(Cause::Drive(shown(text)));
        }
        let mut parts = Vec::new();
        for part in text.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." => return Err(Cause::Upwards(shown(text))),
                _ => parts.push(part.to_owned()),
            }
        }
        let is_folder = text.ends_with(['/', '\\']) || text.ends_with("/.");
        if parts.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self { parts, is_folder }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<EntryPath>, Cause> {
        EntryPath::read(text, &Caps::default())
    }

    fn parts(text: &str) -> Vec<String> {
        read(text).unwrap().unwrap().parts
    }

    #[test]
    fn paths_are_split_at_both_slashes_and_lose_what_means_nothing() {
        assert_eq!(parts("./a//b/./c.c"), ["a", "b", "c.c"]);
        assert_eq!(parts("a\\b.c"), ["a", "b.c"]);
        assert_eq!(parts("...\u{1b}[31m"), ["...\u{1b}[31m"]);
        assert!(read("a/").unwrap().unwrap().is_folder);
        assert_eq!(read("./"), Ok(None));
    }

    #[test]
    fn no_path_leads_out() {
        for (text, cause) in [
            ("../x", Cause::Upwards("../x".into())),
            ("a/../../x", Cause::Upwards("a/../../x".into())),
            ("a\\..\\x", Cause::Upwards("a\\..\\x".into())),
            ("..", Cause::Upwards("..".into())),
            ("/etc/x", Cause::Absolute("/etc/x".into())),
            ("\\\\server\\x", Cause::Absolute("\\\\server\\x".into())),
            ("c:x", Cause::Drive("c:x".into())),
            ("a\0b", Cause::Null("a\\0b".into())),
            ("", Cause::NoName),
        ] {
            assert_eq!(read(text), Err(cause), "{text}");
        }
    }

    #[test]
    fn names_are_utf_8_or_gbk_or_spelled_out() {
        assert_eq!(decode("八皇后.c".as_bytes()), "八皇后.c");
        let (gbk, _, _) = GBK.encode("八皇后.c");
        assert_eq!(decode(&gbk), "八皇后.c");
        assert_eq!(decode(b"a\xff.c"), "a%ff.c");
        // Its second byte is that of a backslash: decoded before it is split.
        assert_eq!(decode(b"\xd5\x5c.c"), "誠.c");
    }

    #[test]
    fn names_are_folded_as_file_systems_do() {
        assert_eq!(folded("É.C"), folded("e\u{301}.c"));
        assert_ne!(folded("e.c"), folded("é.c"));
    }

    #[test]
    fn a_long_name_is_cut_where_it_is_shown() {
        let name = "八\u{1b}".repeat(1000);
        assert_eq!(shown(&name), format!("{}…", "八\\x1b".repeat(60)));
    }
}
