//! How the sources of each language are split into tokens.

use schemars::JsonSchema;
use serde::Deserialize;

/// The rules for comments, literals and operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Syntax {
    /// `//`, `/* */`, `"…"` and `'…'`, as most languages have them.
    #[default]
    C,
    /// As C, with raw strings and more operators.
    Cpp,
    /// Nested comments, raw strings, lifetimes.
    Rust,
    /// As C, with text blocks.
    Java,
    /// `{ }`, `(* *)`, `//`, and strings in single quotes.
    Pascal,
    /// `#`, and strings in triple quotes.
    Python,
    /// As C, with raw strings in backquotes.
    Go,
    /// As C, with templates in backquotes and regular expressions.
    #[serde(rename = "javascript")]
    JavaScript,
}

/// A description of a [`Syntax`].
pub(crate) struct Rules {
    pub(crate) line_comment: &'static str,
    pub(crate) block_comments: &'static [(&'static str, &'static str)],
    /// Longer quotes first.
    pub(crate) quotes: &'static [Quote],
    /// Operators of several signs.
    pub(crate) operators: &'static str,
    /// Signs that names may hold besides letters, digits and `_`.
    pub(crate) name_signs: &'static [u8],
}

pub(crate) struct Quote {
    pub(crate) mark: &'static str,
    pub(crate) escapes: bool,
    /// Whether it goes on after the end of a line.
    pub(crate) multi_line: bool,
}

pub(crate) const fn quote(mark: &'static str, escapes: bool, multi_line: bool) -> Quote {
    Quote {
        mark,
        escapes,
        multi_line,
    }
}

/// A string and a character as most languages write them.
const STRING: Quote = quote("\"", true, false);
const CHAR: Quote = quote("'", true, false);

const C: Rules = Rules {
    line_comment: "//",
    block_comments: &[("/*", "*/")],
    quotes: &[STRING, CHAR],
    operators: "<<= >>= ... << >> <= >= == != && || ++ -- -> += -= *= /= %= &= |= ^=",
    name_signs: b"",
};
const CPP: Rules = Rules {
    operators: "<<= >>= ... <=> ->* << >> <= >= == != && || ++ -- -> :: .* += -= *= /= %= &= |= ^=",
    ..C
};
const RUST: Rules = Rules {
    quotes: &[quote("\"", true, true), CHAR],
    operators: "<<= >>= ..= ... << >> <= >= == != && || -> => :: .. += -= *= /= %= &= |= ^=",
    ..C
};
const JAVA: Rules = Rules {
    quotes: &[quote("\"\"\"", true, true), STRING, CHAR],
    operators: ">>>= <<= >>= >>> ... << >> <= >= == != && || ++ -- -> :: += -= *= /= %= &= |= ^=",
    name_signs: b"$",
    ..C
};
const PASCAL: Rules = Rules {
    block_comments: &[("{", "}"), ("(*", "*)")],
    quotes: &[quote("'", false, false)],
    operators: ":= <> >< <= >= << >> ** .. += -= *= /=",
    ..C
};
const PYTHON: Rules = Rules {
    line_comment: "#",
    block_comments: &[],
    quotes: &[
        quote("\"\"\"", true, true),
        quote("'''", true, true),
        STRING,
        CHAR,
    ],
    operators: "**= //= <<= >>= ... ** // << >> <= >= == != -> := += -= *= /= %= @= &= |= ^= <>",
    ..C
};
const GO: Rules = Rules {
    quotes: &[STRING, CHAR, quote("`", false, true)],
    operators: "<<= >>= &^= ... << >> &^ && || <- ++ -- == != <= >= := += -= *= /= %= &= |= ^=",
    ..C
};
const JAVASCRIPT: Rules = Rules {
    quotes: &[STRING, CHAR, quote("`", true, true)],
    operators: ">>>= === !== **= <<= >>= &&= ||= ??= >>> ... => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= \
                << >> **",
    name_signs: b"$",
    ..C
};

impl Syntax {
    pub(crate) const fn rules(self) -> &'static Rules {
        match self {
            Self::C => &C,
            Self::Cpp => &CPP,
            Self::Rust => &RUST,
            Self::Java => &JAVA,
            Self::Pascal => &PASCAL,
            Self::Python => &PYTHON,
            Self::Go => &GO,
            Self::JavaScript => &JAVASCRIPT,
        }
    }
}
