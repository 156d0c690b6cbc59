//! Lexical syntax of each language.

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
    /// `--`, and `--[[ ]]`.
    Lua,
    /// `--`, `/* */`, and quotes without escapes.
    Sql,
    /// `--`, `{- -}`, and names with `'`.
    Haskell,
    /// `(* *)`, and names with `'`.
    #[serde(rename = "ocaml")]
    OCaml,
}

/// The lexical rules of a [`Syntax`].
pub(crate) struct LexicalRules {
    pub(crate) line_comment: &'static str,
    pub(crate) block_comments: &'static [(&'static str, &'static str)],
    /// Longer quotes first.
    pub(crate) quotes: &'static [Quote],
    /// Operators of more than one character.
    pub(crate) operators: &'static str,
    /// Characters allowed in names besides letters, digits and `_`.
    pub(crate) name_signs: &'static [u8],
    /// Words that pages highlight.
    keywords: &'static str,
}

pub(crate) struct Quote {
    pub(crate) mark: &'static str,
    pub(crate) escapes: bool,
    /// Whether it may span lines.
    pub(crate) multi_line: bool,
}

pub(crate) const fn quote(mark: &'static str, escapes: bool, multi_line: bool) -> Quote {
    Quote {
        mark,
        escapes,
        multi_line,
    }
}

/// Strings and characters, as in most languages.
const STRING: Quote = quote("\"", true, false);
const CHAR: Quote = quote("'", true, false);

const C: LexicalRules = LexicalRules {
    line_comment: "//",
    block_comments: &[("/*", "*/")],
    quotes: &[STRING, CHAR],
    operators: "<<= >>= ... << >> <= >= == != && || ++ -- -> += -= *= /= %= &= |= ^=",
    name_signs: b"",
    keywords: "auto break case char const continue default define do double elif else endif enum extern float for \
               goto if ifdef ifndef include inline int long register restrict return short signed sizeof static \
               struct switch typedef undef union unsigned void volatile while",
};
const CPP: LexicalRules = LexicalRules {
    operators: "<<= >>= ... <=> ->* << >> <= >= == != && || ++ -- -> :: .* += -= *= /= %= &= |= ^=",
    keywords: "alignas auto bool break case catch char class concept const const_cast constexpr continue decltype \
               default define delete do double dynamic_cast elif else endif enum explicit extern false float for \
               friend goto if ifdef ifndef include inline int long mutable namespace new noexcept nullptr operator \
               private protected public register reinterpret_cast requires restrict return short signed sizeof \
               static static_assert static_cast struct switch template this throw true try typedef typename undef \
               union unsigned using virtual void volatile while",
    ..C
};
const RUST: LexicalRules = LexicalRules {
    quotes: &[quote("\"", true, true), CHAR],
    operators: "<<= >>= ..= ... << >> <= >= == != && || -> => :: .. += -= *= /= %= &= |= ^=",
    keywords: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop \
               match mod move mut pub ref return self Self static struct super trait true type unsafe use where \
               while",
    ..C
};
const JAVA: LexicalRules = LexicalRules {
    quotes: &[quote("\"\"\"", true, true), STRING, CHAR],
    operators: ">>>= <<= >>= >>> ... << >> <= >= == != && || ++ -- -> :: += -= *= /= %= &= |= ^=",
    name_signs: b"$",
    keywords: "abstract assert boolean break byte case catch char class continue default do double else enum \
               extends false final finally float for if implements import instanceof int interface long native new \
               null package private protected public record return short static strictfp super switch synchronized \
               this throw throws transient true try var void volatile while",
    ..C
};
const PASCAL: LexicalRules = LexicalRules {
    block_comments: &[("{", "}"), ("(*", "*)")],
    quotes: &[quote("'", false, false)],
    operators: ":= <> >< <= >= << >> ** .. += -= *= /=",
    keywords: "and array as begin case class const constructor destructor div do downto else end except exit false \
               file finally for function goto if implementation in inherited inline interface is label mod nil not \
               object of on or out packed procedure program property raise record repeat set shl shr string then \
               to true try type unit until uses var while with xor",
    ..C
};
const PYTHON: LexicalRules = LexicalRules {
    line_comment: "#",
    block_comments: &[],
    quotes: &[
        quote("\"\"\"", true, true),
        quote("'''", true, true),
        STRING,
        CHAR,
    ],
    operators: "**= //= <<= >>= ... ** // << >> <= >= == != -> := += -= *= /= %= @= &= |= ^= <>",
    keywords: "and as assert async await break class continue def del elif else except False finally for from \
               global if import in is lambda None nonlocal not or pass raise return True try while with yield",
    ..C
};
const GO: LexicalRules = LexicalRules {
    quotes: &[STRING, CHAR, quote("`", false, true)],
    operators: "<<= >>= &^= ... << >> &^ && || <- ++ -- == != <= >= := += -= *= /= %= &= |= ^=",
    keywords: "break case chan const continue default defer else fallthrough false for func go goto if import \
               interface map nil package range return select struct switch true type var",
    ..C
};
const JAVASCRIPT: LexicalRules = LexicalRules {
    quotes: &[STRING, CHAR, quote("`", true, true)],
    operators: ">>>= === !== **= <<= >>= &&= ||= ??= >>> ... => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= \
                << >> **",
    name_signs: b"$",
    keywords: "async await break case catch class const continue default delete do else export extends false \
               finally for from function if import in instanceof let new null of return static super switch this \
               throw true try typeof undefined var void while yield",
    ..C
};

const LUA: LexicalRules = LexicalRules {
    line_comment: "--",
    block_comments: &[("--[[", "]]")],
    operators: "... .. == ~= <= >= << >> // ::",
    keywords: "and break do else elseif end false for function goto if in local nil not or repeat return then true until \
               while",
    ..C
};
const SQL: LexicalRules = LexicalRules {
    line_comment: "--",
    quotes: &[quote("'", false, true), quote("\"", false, true)],
    operators: "<> != <= >= == ||",
    keywords: "ALL AND AS ASC BETWEEN BY CASE CREATE DELETE DESC DISTINCT ELSE END EXISTS FROM GROUP HAVING IN INNER INSERT \
               INTO IS JOIN LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER OVER PARTITION SELECT SET TABLE THEN UNION UPDATE \
               USING VALUES VIEW WHEN WHERE WITH",
    ..C
};
const HASKELL: LexicalRules = LexicalRules {
    line_comment: "--",
    block_comments: &[("{-", "-}")],
    name_signs: b"'",
    operators: ">>= =<< ... -> <- => :: == /= <= >= && || ++ .. $! <$> <*> >> **",
    keywords: "case class data deriving do else if import in infix infixl infixr instance let module newtype of then type \
               where",
    ..C
};
const OCAML: LexicalRules = LexicalRules {
    // There is none.
    line_comment: "(*)",
    block_comments: &[("(*", "*)")],
    quotes: &[quote("\"", true, true)],
    name_signs: b"'",
    operators: "-> <- := :: == != <> <= >= && || |> @@ ** +. -. *. /. ;;",
    keywords: "and as assert begin class do done downto else end exception external false for fun function functor if in \
               include inherit initializer lazy let match method module mutable new object of open or private rec sig \
               struct then to true try type val virtual when while with",
};

impl Syntax {
    /// The number of syntaxes.
    pub(crate) const COUNT: usize = Self::OCaml as usize + 1;

    /// Whether a name is a keyword.
    pub(crate) fn is_keyword(self, name: &str) -> bool {
        self.rules().keywords.split(' ').any(|word| match self {
            Self::Pascal | Self::Sql => word.eq_ignore_ascii_case(name),
            _ => word == name,
        })
    }

    pub(crate) const fn rules(self) -> &'static LexicalRules {
        match self {
            Self::C => &C,
            Self::Cpp => &CPP,
            Self::Rust => &RUST,
            Self::Java => &JAVA,
            Self::Pascal => &PASCAL,
            Self::Python => &PYTHON,
            Self::Go => &GO,
            Self::JavaScript => &JAVASCRIPT,
            Self::Lua => &LUA,
            Self::Sql => &SQL,
            Self::Haskell => &HASKELL,
            Self::OCaml => &OCAML,
        }
    }
}
