//! Programming languages.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A language in which students may hand in programs.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum LanguageId {
    /// C, GNU dialect of C17.
    C,
    /// C++, GNU dialect of C++20.
    Cpp,
    /// Rust, one crate without dependencies.
    Rust,
    /// Java 17.
    Java,
    /// Free Pascal.
    Pascal,
    /// Python 3.
    Python,
}

impl LanguageId {
    /// All of them, in the order in which they are listed to people.
    pub const ALL: [Self; 6] = [
        Self::C,
        Self::Cpp,
        Self::Rust,
        Self::Java,
        Self::Pascal,
        Self::Python,
    ];

    /// The word for it in problem files and results: `cpp`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Rust => "rust",
            Self::Java => "java",
            Self::Pascal => "pascal",
            Self::Python => "python",
        }
    }

    /// The name people call it by: `C++`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Rust => "Rust",
            Self::Java => "Java",
            Self::Pascal => "Pascal",
            Self::Python => "Python",
        }
    }

    /// Extensions of its source files, in lower case and without the dot, the usual one first.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::C => &["c"],
            Self::Cpp => &["cpp", "cc", "cxx", "c++", "cp"],
            Self::Rust => &["rs"],
            Self::Java => &["java"],
            Self::Pascal => &["pas", "pp", "dpr", "lpr"],
            Self::Python => &["py", "py3", "pyw"],
        }
    }

    /// Extensions of files that its sources include and that are no programs alone, written as those of
    /// [`LanguageId::extensions`].
    pub const fn header_extensions(self) -> &'static [&'static str] {
        match self {
            // The compilers do not mind the name of what is included: both languages use them all.
            Self::C | Self::Cpp => &[
                "h", "hpp", "hh", "hxx", "h++", "inc", "inl", "ipp", "tpp", "txx",
            ],
            Self::Pascal => &["inc"],
            Self::Rust | Self::Java | Self::Python => &[],
        }
    }

    /// The language of which a file of this name is a source; none for headers and all else.
    ///
    /// The name alone decides, so a C++ program called `.c` is C here.
    pub fn of_file_name(name: &str) -> Option<Self> {
        let extension = extension_of(name);
        Self::ALL
            .into_iter()
            .find(|language| language.extensions().contains(&extension.as_str()))
    }

    /// Whether a file of this name is a header of some language.
    pub fn is_header_name(name: &str) -> bool {
        let extension = extension_of(name);
        Self::ALL
            .into_iter()
            .any(|language| language.header_extensions().contains(&extension.as_str()))
    }
}

/// The part of a file's name (the last part of its path) after the last dot, in lower case; empty where there
/// is none, or nothing before it.
pub fn extension_of(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
        _ => String::new(),
    }
}

impl fmt::Display for LanguageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for LanguageId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|language| language.as_str() == text)
            .ok_or_else(|| {
                let known: Vec<String> = Self::ALL.iter().map(|l| format!("`{l}`")).collect();
                format!("unknown language `{text}`; known are {}", known.join(", "))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_language_of_a_source_in_any_case() {
        let table = [
            ("count.c", Some(LanguageId::C)),
            ("八皇后 #1.CPP", Some(LanguageId::Cpp)),
            ("a.b.cc", Some(LanguageId::Cpp)),
            ("a.c++", Some(LanguageId::Cpp)),
            ("a.rs", Some(LanguageId::Rust)),
            ("A.Java", Some(LanguageId::Java)),
            ("a.lpr", Some(LanguageId::Pascal)),
            ("a.pyw", Some(LanguageId::Python)),
            ("queens.h", None),
            ("queens.inc", None),
            ("a.txt", None),
            ("a.o", None),
            ("a", None),
            ("c", None),
            (".c", None),
            ("", None),
        ];
        for (name, language) in table {
            assert_eq!(LanguageId::of_file_name(name), language, "{name}");
        }
    }

    #[test]
    fn headers_are_known_in_any_case() {
        let headers = ["a.h", "A.HPP", "a.hh", "a.h++", "a.inl", "a.tpp", "a.inc"];
        assert!(headers.into_iter().all(LanguageId::is_header_name));
        let others = ["a.c", "a.pas", "h", ".h", "a.txt", "Cargo.toml"];
        assert!(!others.into_iter().any(LanguageId::is_header_name));
    }

    #[test]
    fn no_extension_stands_for_two_languages_or_for_a_source_and_a_header() {
        let sources: Vec<&str> = LanguageId::ALL
            .into_iter()
            .flat_map(|language| language.extensions().iter().copied())
            .collect();
        for (at, extension) in sources.iter().enumerate() {
            assert!(!sources[..at].contains(extension), "{extension}");
            let name = format!("a.{extension}");
            assert!(!LanguageId::is_header_name(&name), "{extension}");
        }
    }
}
