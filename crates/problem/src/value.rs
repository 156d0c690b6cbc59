//! Values in problem files: types with TOML deserialisation and JSON Schemas.
//!
//! The second line of a `TryFrom` message, if there is one, becomes the help below the caret.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::ops::{Deref, Range, RangeInclusive};
use std::time::Duration;

use grader_language::Languages;
use grader_model::{
    Bytes, CpuTime, LanguageId, Points, Share, Text, Verdict, WallTime, parse_duration,
};
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

use crate::constants::{
    MAX_FACTOR, MAX_MEMORY, MAX_NAME_CHARS, MAX_NEXT_INPUT, MAX_OUTPUT, MAX_SUBMISSION, MIN_MEMORY,
    TIMES,
};
use crate::flags::FLAG_CODES;
use crate::suggest::{quoted, unknown};

/// A value and its place in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) span: Range<usize>,
}

impl<T> At<T> {
    pub(crate) fn place(&self) -> &Range<usize> {
        &self.span
    }
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = toml::Spanned::deserialize(deserializer)?;
        let span = spanned.span();
        let value = spanned.into_inner();
        Ok(Self { value, span })
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A table in the order of the file.
pub(crate) type Entries<K, V> = IndexMap<At<K>, V>;

/// Implements `Deserialize` and `JsonSchema` for a type that converts from strings, numbers, lists or tables with
/// `TryFrom` or `From`. The text describes the expected value, for messages about values of other types.
macro_rules! value {
    ($type:ident, $expected:expr, { $($schema:tt)* }, $($form:ident: $from:ty),+) => {
        value!($type, $expected, |_| schemars::json_schema!({ $($schema)* }), $($form: $from),+);
    };
    (
        $type:ident $(<const $min:ident, const $max:ident: $bound:ty>)?, $expected:expr, $schema:expr,
        $($form:ident: $from:ty),+
    ) => {
        impl<'de $(, const $min: $bound, const $max: $bound)?> serde::Deserialize<'de> for $type $(<$min, $max>)? {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any($crate::value::ValueVisitor::<Self>(std::marker::PhantomData))
            }
        }

        impl<'de $(, const $min: $bound, const $max: $bound)?> serde::de::Visitor<'de> for $crate::value::ValueVisitor<$type $(<$min, $max>)?> {
            type Value = $type $(<$min, $max>)?;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let expected: std::borrow::Cow<'static, str> = $expected.into();
                f.write_str(&expected)
            }

            $(value!(@$form $from);)+
        }

        impl $(<const $min: $bound, const $max: $bound>)? schemars::JsonSchema for $type $(<$min, $max>)? {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema = $schema;
                schema(generator)
            }
        }
    };
    (@string $from:ty) => {
        fn visit_str<E: serde::de::Error>(self, value: $from) -> Result<Self::Value, E> {
            Self::Value::try_from(value).map_err(E::custom)
        }
    };
    (@boolean $from:ty) => {
        fn visit_bool<E: serde::de::Error>(self, value: $from) -> Result<Self::Value, E> {
            Self::Value::try_from(value).map_err(E::custom)
        }
    };
    (@integer $from:ty) => {
        fn visit_i64<E: serde::de::Error>(self, value: $from) -> Result<Self::Value, E> {
            Self::Value::try_from(value).map_err(E::custom)
        }
    };
    (@float $from:ty) => {
        fn visit_f64<E: serde::de::Error>(self, value: $from) -> Result<Self::Value, E> {
            Self::Value::try_from(value).map_err(E::custom)
        }

        fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Self::Value, E> {
            self.visit_f64(value as f64)
        }
    };
    (@list $item:ty) => {
        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
            let items = <Vec<$item> as serde::Deserialize>::deserialize(serde::de::value::SeqAccessDeserializer::new(list))?;
            Self::Value::try_from(items).map_err(serde::de::Error::custom)
        }
    };
    (@table $table:ty) => {
        fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            let table = <$table as serde::Deserialize>::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
            Self::Value::try_from(table).map_err(serde::de::Error::custom)
        }
    };
}
pub(crate) use value;

/// Visitor that produces a value of this type.
pub(crate) struct ValueVisitor<T>(pub(crate) PhantomData<T>);

// Names and texts

/// Whether a text has 1 to [`MAX_NAME_CHARS`] characters that all satisfy `fits`.
fn is_name(text: &str, fits: impl Fn(char) -> bool) -> bool {
    (1..=MAX_NAME_CHARS).contains(&text.chars().count()) && text.chars().all(fits)
}

macro_rules! names {
    ($($(#[doc = $doc:literal])* $name:ident: $expected:literal, $pattern:literal, |$text:ident| $fits:expr;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) String);

        impl TryFrom<&str> for $name {
            type Error = String;

            fn try_from($text: &str) -> Result<Self, String> {
                if $fits {
                    return Ok(Self($text.to_owned()));
                }
                Err(format!(concat!("expected ", $expected, ", found {}"), quoted($text)))
            }
        }

        value! {
            $name, $expected,
            { "type": "string", "minLength": 1, "maxLength": MAX_NAME_CHARS, "pattern": $pattern },
            string: &str
        }
    )*};
}

names! {
    /// The id of an assignment or problem.
    Id: "a name made of `a-z`, `0-9` and `-`", "^[a-z0-9-]+$",
        |text| is_name(text, |c| matches!(c, 'a'..='z' | '0'..='9' | '-'));
    /// The name of a subtask or a case.
    Name: "a name of 1 to 100 characters without `/` and without spaces at its ends", r"^[^/\\]+$",
        |text| is_name(text, |c| !c.is_control() && c != '/' && c != '\\') && text.trim() == text;
    /// The name of a file in the run folder.
    FileName: "the name of a file, without a folder", r"^[^/\\:]+$",
        |text| is_name(text, |c| !c.is_control() && !matches!(c, '/' | '\\' | ':')) && !matches!(text, "." | "..");
    /// The name of a case variable.
    VariableName: "the name of a variable (a letter, then letters, digits, `-` and `_`)", "^[A-Za-z][A-Za-z0-9_-]*$",
        |text| text.starts_with(|c: char| c.is_ascii_alphabetic())
            && is_name(text, |c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    /// The digits of a student.
    Digits: "16 digits `0-9` and `a-f`", "^[0-9a-f]{16}$",
        |text| text.len() == 16 && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
}

/// The name of a file, or several.
pub(crate) struct FileNames(pub(crate) Vec<FileName>);

impl TryFrom<&str> for FileNames {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        FileName::try_from(text).map(|name| Self(vec![name]))
    }
}

impl From<Vec<FileName>> for FileNames {
    fn from(names: Vec<FileName>) -> Self {
        Self(names)
    }
}

value!(
    FileNames,
    "the name of a file, or an array of them",
    |generator| {
        let one = FileName::json_schema(generator);
        json_schema!({ "anyOf": [one, { "type": "array", "minItems": 1, "items": one }] })
    },
    string: &str,
    list: FileName
);

/// A text, or a whole number as its text.
#[derive(Clone, Debug)]
pub(crate) struct Scalar(pub(crate) String);

impl From<i64> for Scalar {
    fn from(value: i64) -> Self {
        Self(value.to_string())
    }
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

value! { Scalar, "a whole number or a string", { "type": ["integer", "string"] }, integer: i64, string: &str }

/// A text that is not blank, trimmed.
#[derive(Clone, Debug)]
pub(crate) struct Prose(pub(crate) String);

impl TryFrom<&str> for Prose {
    type Error = &'static str;

    fn try_from(text: &str) -> Result<Self, &'static str> {
        match text.trim() {
            "" => Err("the text must not be blank"),
            text => Ok(Self(text.to_owned())),
        }
    }
}

value! { Prose, "a string", { "type": "string", "pattern": r"\S" }, string: &str }

/// A text for people: one string, or a table with one or both languages. A missing language falls back to the other.
#[derive(Clone, Debug)]
pub(crate) struct Words(pub(crate) Text);

/// A text in each language.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Translations {
    /// Chinese.
    zh: Option<Prose>,
    /// English.
    en: Option<Prose>,
}

impl TryFrom<&str> for Words {
    type Error = &'static str;

    fn try_from(text: &str) -> Result<Self, &'static str> {
        Prose::try_from(text).map(|Prose(text)| Self(Text::plain(text)))
    }
}

impl TryFrom<Translations> for Words {
    type Error = &'static str;

    fn try_from(texts: Translations) -> Result<Self, &'static str> {
        match (texts.en, texts.zh) {
            (Some(Prose(en)), Some(Prose(zh))) => Ok(Self(Text::new(en, zh))),
            (Some(Prose(only)), None) | (None, Some(Prose(only))) => Ok(Self(Text::plain(only))),
            (None, None) => Err("expected a text as `en`, `zh` or both, found none"),
        }
    }
}

value!(
    Words,
    "a text, or one for each language such as { en = \"…\", zh = \"…\" }",
    |generator| json_schema!({
        "anyOf": [Prose::json_schema(generator), generator.subschema_for::<Translations>()]
    }),
    string: &str,
    table: Translations
);

// Known words

fn words<T>(
    all: impl IntoIterator<Item = (&'static str, T)>,
) -> impl Iterator<Item = &'static str> {
    all.into_iter().map(|(word, _)| word)
}

/// Defines types for fixed sets of words, with their values.
macro_rules! known {
    ($($(#[doc = $doc:literal])* $name:ident($type:ty), $noun:literal, $all:expr;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) struct $name(pub(crate) $type);

        impl TryFrom<&str> for $name {
            type Error = String;

            fn try_from(text: &str) -> Result<Self, String> {
                let found = $all.into_iter().find(|(word, _)| *word == text);
                found.map(|(_, value)| Self(value)).ok_or_else(|| unknown($noun, text, words($all)))
            }
        }

        value!(
            $name,
            concat!("the word for a ", $noun),
            |_| json_schema!({ "enum": words($all).collect::<Vec<_>>() }),
            string: &str
        );
    )*};
}

known! {
    /// A verdict.
    VerdictWord(Verdict), "verdict", Verdict::ALL.iter().map(|verdict| (verdict.code(), *verdict));
    /// The code of a flag.
    FlagCode(&'static str), "flag", FLAG_CODES.map(|code| (code, code));
}

/// The word of a programming language, which the assignment may define.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LanguageWord(pub(crate) String);

impl From<&str> for LanguageWord {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// The built-in languages, and those that an assignment turns on.
fn known_languages() -> Vec<&'static str> {
    let all = LanguageId::ALL.into_iter().chain(Languages::on_request());
    all.map(LanguageId::as_str).collect()
}

value! {
    LanguageWord, "the word for a language",
    { "enum": known_languages() },
    string: &str
}

/// One expected verdict, or several of which one is expected.
#[derive(Clone, Debug)]
pub(crate) struct Verdicts(pub(crate) Vec<Verdict>);

impl TryFrom<&str> for Verdicts {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        VerdictWord::try_from(text).map(|word| Self(vec![word.0]))
    }
}

impl TryFrom<Vec<VerdictWord>> for Verdicts {
    type Error = &'static str;

    fn try_from(words: Vec<VerdictWord>) -> Result<Self, &'static str> {
        if words.is_empty() {
            return Err("expected at least one verdict, found none");
        }
        Ok(Self(words.into_iter().map(|word| word.0).collect()))
    }
}

value!(
    Verdicts,
    "a verdict such as \"WA\", or an array of them",
    {},
    string: &str,
    list: VerdictWord
);

/// Points, or the fewest and the most.
#[derive(Debug)]
pub(crate) struct PointsRange(pub(crate) RangeInclusive<Points>);

impl TryFrom<f64> for PointsRange {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        match Points::try_from(value) {
            Ok(points) => Ok(Self(points..=points)),
            Err(error) => Err(format!("{error}, found `{value}`")),
        }
    }
}

impl TryFrom<Vec<Points>> for PointsRange {
    type Error = &'static str;

    fn try_from(points: Vec<Points>) -> Result<Self, &'static str> {
        match points[..] {
            [fewest, most] if fewest <= most => Ok(Self(fewest..=most)),
            _ => Err("expected the fewest points and the most"),
        }
    }
}

value!(
    PointsRange,
    "points, or an array of the fewest and the most",
    {},
    float: f64,
    list: Points
);

// Numbers

/// A whole number in a range, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Count<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Count<MIN, MAX> {
    /// For ranges that end below 2³².
    pub(crate) fn get(self) -> u32 {
        self.0 as u32
    }

    fn expected() -> String {
        format!("a whole number from {MIN} to {MAX}")
    }
}

impl<const MIN: u64, const MAX: u64> TryFrom<i64> for Count<MIN, MAX> {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, String> {
        match u64::try_from(value) {
            Ok(count) if (MIN..=MAX).contains(&count) => Ok(Self(count)),
            _ => Err(format!("expected {}, found `{value}`", Self::expected())),
        }
    }
}

value!(
    Count<const MIN, const MAX: u64>,
    Self::Value::expected(),
    |_| json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX }),
    integer: i64
);

macro_rules! numbers {
    ($($(#[doc = $doc:literal])* $name:ident: $expected:literal, |$value:ident| $fits:expr, $schema:tt;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) struct $name(pub(crate) f64);

        impl TryFrom<f64> for $name {
            type Error = String;

            fn try_from($value: f64) -> Result<Self, String> {
                if $fits {
                    return Ok(Self($value));
                }
                Err(format!(concat!("expected ", $expected, ", found `{}`"), $value))
            }
        }

        value! { $name, $expected, $schema, float: f64 }
    )*};
}

numbers! {
    /// A factor: more than 0.
    Factor: "a number above 0 and at most 1000",
        |value| value > 0.0 && value <= MAX_FACTOR,
        { "type": "number", "exclusiveMinimum": 0, "maximum": MAX_FACTOR };
    /// A fraction: above 0 and below 1.
    Fraction: "a number above 0 and below 1",
        |value| value > 0.0 && value < 1.0,
        { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 };
    /// A tolerance: finite, not negative.
    Tolerance: "a finite number, not below 0",
        |value| value >= 0.0 && value.is_finite(),
        { "type": "number", "minimum": 0 };
    /// A percentage with at most one decimal.
    Percent: "a percentage from 1 to 100 with at most one decimal",
        // Tolerates the rounding of decimal fractions to binary ones.
        |value| (1.0..=100.0).contains(&value) && (value * 10.0 - (value * 10.0).round()).abs() < 1e-9,
        { "type": "number", "minimum": 1, "maximum": 100 };
}

impl Percent {
    pub(crate) fn share(self) -> Share {
        Share::of(self.0, 100.0)
    }
}

/// A number of points. An entry may have 0 only in a kit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth(pub(crate) Points);

impl TryFrom<f64> for Worth {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        match Points::try_from(value) {
            Ok(points) => Ok(Self(points)),
            Err(error) => Err(format!("{error}, found `{value}`")),
        }
    }
}

value! { Worth, "a number", { "type": "number", "minimum": 0, "maximum": 1_000_000 }, float: f64 }

// Quantities

fn unreadable(text: &str, error: &str, example: &str) -> String {
    format!(
        "{} is not valid: {error}\nwrite it like {example}",
        quoted(text)
    )
}

/// A time with its unit, from a millisecond to a day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(pub(crate) Duration);

impl Time {
    pub(crate) fn cpu(self) -> CpuTime {
        CpuTime(self.0)
    }

    pub(crate) fn wall(self) -> WallTime {
        WallTime(self.0)
    }
}

impl TryFrom<&str> for Time {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        match parse_duration(text) {
            Ok(time) if TIMES.contains(&time) => Ok(Self(time)),
            Ok(time) => Err(format!(
                "a time must be between 1 ms and 24 hours, found {}",
                CpuTime(time)
            )),
            Err(error) => Err(unreadable(text, &error, "\"2 s\" or \"500 ms\"")),
        }
    }
}

value! {
    Time, "a time with its unit, such as \"2 s\"",
    { "type": "string", "pattern": r"^\s*[0-9][0-9._]*\s*(us|ms|s|min)\s*$" },
    string: &str
}

/// Size of a submission.
pub(crate) type SubmissionSize = Size<1, MAX_SUBMISSION>;
/// A memory limit.
pub(crate) type MemorySize = Size<MIN_MEMORY, MAX_MEMORY>;
/// Limit on a run's output.
pub(crate) type OutputSize = Size<1, { MAX_OUTPUT.0 }>;
/// Limit on what is the input of a later run.
pub(crate) type NextInputSize = Size<1, { MAX_NEXT_INPUT.0 }>;

/// A size with its unit, in a range of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size<const MIN: u64, const MAX: u64>(pub(crate) Bytes);

impl<const MIN: u64, const MAX: u64> TryFrom<&str> for Size<MIN, MAX> {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        match text.parse::<Bytes>() {
            Ok(size) if (MIN..=MAX).contains(&size.0) => Ok(Self(size)),
            Ok(size) => Err(format!(
                "this size must be between {} and {}, found {size}",
                Bytes(MIN),
                Bytes(MAX)
            )),
            Err(error) => Err(unreadable(text, &error, "\"64 KiB\" or \"256 MiB\"")),
        }
    }
}

value!(
    Size<const MIN, const MAX: u64>,
    "a size with its unit, such as \"64 KiB\"",
    |_| json_schema!({ "type": "string", "pattern": r"^\s*[0-9][0-9._]*\s*(B|KiB|MiB|GiB|kB|MB|GB)\s*$" }),
    string: &str
);
