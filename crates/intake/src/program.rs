//! Which files are programs, by the ends of their names.

use grader_model::LanguageId;

/// What a file is, as far as its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A source file.
    Source(LanguageId),
    /// A header of C or C++: part of a program, but no program alone.
    Header,
    /// Something else.
    Other,
}

/// The endings of a language's source files, the usual one first.
pub(crate) const fn endings(language: LanguageId) -> &'static [&'static str] {
    match language {
        LanguageId::C => &["c"],
        LanguageId::Cpp => &["cpp", "cc", "cxx", "c++"],
        LanguageId::Rust => &["rs"],
        LanguageId::Java => &["java"],
        LanguageId::Pascal => &["pas", "pp", "dpr", "lpr"],
        LanguageId::Python => &["py", "py3"],
    }
}

const HEADERS: &[&str] = &["h", "hpp", "hh", "hxx", "inc"];

/// The part of a name after the last dot, in lower case; empty where there is none.
pub(crate) fn extension_of(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
        _ => String::new(),
    }
}

/// The part of a name before the last dot.
pub(crate) fn stem_of(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

impl Kind {
    /// What the file of this name is.
    pub(crate) fn of(name: &str) -> Self {
        let extension = extension_of(name);
        let extension = extension.as_str();
        if HEADERS.contains(&extension) {
            return Self::Header;
        }
        LanguageId::ALL
            .into_iter()
            .find(|&language| endings(language).contains(&extension))
            .map_or(Self::Other, Self::Source)
    }

    /// Whether it may be part of a submission in one of these languages.
    ///
    /// C and C++ count as one here: a `.c` file may be meant as either, and the language crate decides.
    pub(crate) fn is_accepted(self, languages: &[LanguageId]) -> bool {
        match self {
            Self::Source(language) => languages.contains(&language),
            Self::Header => {
                languages.contains(&LanguageId::C) || languages.contains(&LanguageId::Cpp)
            }
            Self::Other => false,
        }
    }

    /// Whether two files can be parts of one program.
    pub(crate) fn goes_with(self, other: Self) -> bool {
        let family = |kind| match kind {
            Self::Source(LanguageId::C | LanguageId::Cpp) | Self::Header => Some(LanguageId::C),
            Self::Source(language) => Some(language),
            Self::Other => None,
        };
        family(self).is_some() && family(self) == family(other)
    }
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
    fn endings_are_known_in_any_case() {
        let kinds = [
            "a.C",
            "a.b.CPP",
            "a.c++",
            "Main.java",
            "a.py",
            "a.PAS",
            "a.hpp",
            "a.txt",
            "a",
            ".c",
        ]
        .map(Kind::of);
        assert_eq!(
            kinds,
            [
                Kind::Source(LanguageId::C),
                Kind::Source(LanguageId::Cpp),
                Kind::Source(LanguageId::Cpp),
                Kind::Source(LanguageId::Java),
                Kind::Source(LanguageId::Python),
                Kind::Source(LanguageId::Pascal),
                Kind::Header,
                Kind::Other,
                Kind::Other,
                Kind::Other,
            ]
        );
    }

    #[test]
    fn a_main_function_is_told_from_other_words() {
        assert!(has_main(b"int main (void) {"));
        assert!(has_main(b"fn main() {}"));
        assert!(!has_main(
            b"int domain(void); int main_loop(); // the main part"
        ));
    }
}
