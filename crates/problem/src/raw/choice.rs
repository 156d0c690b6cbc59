//! Values that are one of a few words.

use std::fmt::Debug;
use std::ops::Range;

use grader_model::{LanguageId, Verdict};
use serde_json::{Map, Value, json};

use crate::diagnostic::{Code, Log};
use crate::problem::{ExitPolicy, FLAG_CODES, GrayOrder, ScoreRule};
use crate::reader::{Key, Node, Read};
use crate::suggest::{did_you_mean, quoted};

/// One of a few words.
pub(crate) trait Choice: Copy + Debug + 'static {
    /// What the words are called in messages.
    const NOUN: &'static str;
    /// The kind of mistake that another word is.
    const CODE: Code;

    /// The words with their meaning.
    fn all() -> Vec<(&'static str, Self)>;

    /// The value of a word; reports an unknown one.
    fn find(text: &str, span: &Range<usize>, log: &mut Log) -> Option<Self> {
        let all = Self::all();
        if let Some((_, value)) = all.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let words: Vec<&str> = all.iter().map(|(word, _)| *word).collect();
        log.report_with(
            span,
            Self::CODE,
            format!("unknown {} {}", Self::NOUN, quoted(text)),
            did_you_mean(text, &words, Self::NOUN),
        );
        None
    }

    /// The JSON Schema of the words.
    fn words() -> Value {
        let words: Vec<&str> = Self::all().iter().map(|(word, _)| *word).collect();
        json!({ "enum": words })
    }
}

/// The points follow the rate of accepted attempts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate;

/// The code of a flag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlagCode(pub(crate) &'static str);

macro_rules! choice {
    ($type:ident, $noun:literal, $code:ident, $all:expr) => {
        impl Choice for $type {
            const NOUN: &'static str = $noun;
            const CODE: Code = Code::$code;

            fn all() -> Vec<(&'static str, Self)> {
                $all
            }
        }

        impl Read for $type {
            fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
                let text = node.string(concat!("the word for a ", $noun), log)?;
                Self::find(text, &node.span, log)
            }

            fn schema() -> Value {
                Self::words()
            }
        }
    };
}

choice!(
    ScoreRule,
    "score rule",
    BadValue,
    vec![
        ("sum", Self::Sum),
        ("all", Self::All),
        ("worst", Self::Worst),
    ]
);
choice!(
    Rate,
    "score rule of attempts",
    BadValue,
    vec![("rate", Self)]
);
choice!(
    FlagCode,
    "flag",
    BadValue,
    FLAG_CODES.map(|code| (code, Self(code))).to_vec()
);
choice!(
    ExitPolicy,
    "exit-status rule",
    BadValue,
    vec![("zero", Self::Zero), ("ignored", Self::Ignored)]
);
choice!(
    GrayOrder,
    "code order",
    BadValue,
    vec![("any", Self::Any), ("reflected", Self::Reflected)]
);
choice!(
    LanguageId,
    "language",
    UnknownLanguage,
    grader_language::languages()
        .map(|language| (language.id().as_str(), language.id()))
        .collect()
);
choice!(
    Verdict,
    "verdict",
    UnknownVerdict,
    Self::ALL.map(|verdict| (verdict.code(), verdict)).to_vec()
);

impl Key for LanguageId {
    fn read(text: &str, span: &Range<usize>, log: &mut Log) -> Option<Self> {
        Self::find(text, span, log)
    }

    fn object(values: Value) -> Value {
        let properties: Map<String, Value> = Self::ALL
            .iter()
            .map(|language| (language.to_string(), values.clone()))
            .collect();
        json!({ "type": "object", "properties": properties, "additionalProperties": false })
    }
}
