//! Names of programming languages.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A programming language, by its word in problem files and results: `cpp`.
///
/// Built-in languages are constants; a site can define others. Their definitions are in the crate `grader-language`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, JsonSchema)]
#[schemars(transparent)]
pub struct LanguageId(&'static str);

/// Words of languages defined by a site. They live as long as the process, so that an id is `Copy`.
static DEFINED: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

#[expect(
    non_upper_case_globals,
    reason = "they read like the variants of an enum, in patterns too"
)]
impl LanguageId {
    /// C, GNU dialect of C17.
    pub const C: Self = Self("c");
    /// C++, GNU dialect of C++20.
    pub const Cpp: Self = Self("cpp");
    /// Rust, one crate without dependencies.
    pub const Rust: Self = Self("rust");
    /// Java 17.
    pub const Java: Self = Self("java");
    /// Free Pascal.
    pub const Pascal: Self = Self("pascal");
    /// Python 3.
    pub const Python: Self = Self("python");
    /// Go.
    pub const Go: Self = Self("go");
    /// JavaScript, by Node.
    pub const JavaScript: Self = Self("javascript");

    /// An author's program that its own script builds and starts. Not a language of submissions.
    pub const Scripted: Self = Self("scripted");
    /// Output files, submitted instead of a program.
    pub const Outputs: Self = Self("outputs");
    /// Tests, submitted instead of a program.
    pub const Tests: Self = Self("tests");

    /// The built-in languages, in the order of lists.
    pub const ALL: [Self; 8] = [
        Self::C,
        Self::Cpp,
        Self::Rust,
        Self::Java,
        Self::Pascal,
        Self::Python,
        Self::Go,
        Self::JavaScript,
    ];

    /// Longest word, in bytes.
    pub const LONGEST: usize = 32;

    /// The language with this word, built in or a site's.
    ///
    /// # Errors
    /// If the word does not begin with a letter, is too long, or has characters other than `a-z`, `0-9`, `-` and `+`.
    pub fn new(word: &str) -> Result<Self, String> {
        if let Some(known) = Self::ALL.into_iter().find(|id| id.0 == word) {
            return Ok(known);
        }
        let is_word = word.len() <= Self::LONGEST
            && word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'+'));
        if !is_word {
            return Err(format!(
                "language `{}`: expected at most {} of `a-z`, `0-9`, `-` and `+`, the first a letter",
                word.escape_debug(),
                Self::LONGEST
            ));
        }
        let mut defined = DEFINED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = defined.get(word) {
            return Ok(Self(known));
        }
        let word: &'static str = String::from(word).leak();
        defined.insert(word);
        Ok(Self(word))
    }

    /// Whether its submissions are programs, not outputs or tests.
    pub fn is_of_programs(self) -> bool {
        ![Self::Outputs, Self::Tests].contains(&self)
    }

    /// Its word: `cpp`.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// The built-in languages come first, in their order; the others follow in alphabetical order.
impl Ord for LanguageId {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |id: &Self| Self::ALL.iter().position(|known| known == id);
        let key = |id: &Self| (place(id).unwrap_or(Self::ALL.len()), id.0);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for LanguageId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for LanguageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for LanguageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl Serialize for LanguageId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for LanguageId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Self::new(&word).map_err(serde::de::Error::custom)
    }
}

/// A file name's extension in lower case: the part after the last dot of the path's last part. Empty if there is no
/// dot, or nothing before it.
pub fn extension_of(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_can_name_a_language_and_it_comes_after_the_built_in_ones() {
        let zig = LanguageId::new("zig").unwrap();
        assert_eq!(LanguageId::new("zig"), Ok(zig));
        assert_eq!(LanguageId::new("cpp"), Ok(LanguageId::Cpp));
        assert!(LanguageId::JavaScript < zig && LanguageId::Cpp < LanguageId::Java);
        for word in ["", "Zig", "1c", "a b", "a/b", &"a".repeat(33)] {
            assert!(LanguageId::new(word).is_err(), "{word}");
        }
        let json = serde_json::to_string(&zig).unwrap();
        assert_eq!(json, "\"zig\"");
        assert_eq!(serde_json::from_str::<LanguageId>(&json).unwrap(), zig);
    }

    #[test]
    fn an_extension_is_what_follows_the_last_dot() {
        let table = [("a.b.CC", "cc"), ("a.c++", "c++"), ("c", ""), (".c", "")];
        for (name, extension) in table {
            assert_eq!(extension_of(name), extension);
        }
    }
}
