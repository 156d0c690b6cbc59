//! Programming languages.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A language in which students may hand in programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
