//! Numbers.

use grader_model::{ParsePointsError, Points, Share};
use serde_json::{Value, json};
use toml::de::DeValue;

use crate::diagnostic::{Code, Log};
use crate::reader::{Node, Read};

/// Largest factor of a time limit.
pub const MOST_FACTOR: f64 = 1000.0;

/// The version of the format; there is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format;

impl Format {
    /// The version that this grader reads.
    pub(crate) const CURRENT: i64 = 1;
}

impl Read for Format {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let found = node.integer("the integer 1", log)?;
        if found == Self::CURRENT {
            return Some(Self);
        }
        log.report(
            &node.span,
            Code::WrongFormat,
            format!("this grader reads format {}, found {found}", Self::CURRENT),
        );
        None
    }

    fn schema() -> Value {
        json!({ "const": Self::CURRENT })
    }
}

fn points(node: &Node<'_>, log: &mut Log) -> Option<Points> {
    let (text, parsed) = match node.value {
        DeValue::Integer(_) => {
            let text = node.integer("a number", log)?.to_string();
            let parsed = text.parse();
            (text, parsed)
        }
        DeValue::Float(float) => {
            let text = float.as_str().to_owned();
            // From the text where it is plain, because 0.001 has no exact floating-point value.
            let parsed = text.trim_start_matches('+').parse().or_else(|error| {
                match (error, text.parse::<f64>()) {
                    (ParsePointsError::NotANumber, Ok(value)) if !value.is_nan() => {
                        Points::from_f64(value)
                    }
                    (error, _) => Err(error),
                }
            });
            (text, parsed)
        }
        _ => {
            node.wrong_type("a number", log);
            return None;
        }
    };
    match parsed {
        Ok(points) => Some(points),
        Err(error) => {
            let message = format!("{error}, found `{text}`");
            log.report(&node.span, Code::BadValue, message);
            None
        }
    }
}

/// What something is worth: more than nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth(pub(crate) Points);

impl Read for Worth {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let points = points(node, log)?;
        if points > Points::ZERO {
            return Some(Self(points));
        }
        log.report(
            &node.span,
            Code::BadValue,
            "points must be more than 0, found `0`",
        );
        None
    }

    fn schema() -> Value {
        json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1_000_000 })
    }
}

/// What was earned; may be nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earned(pub(crate) Points);

impl Read for Earned {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        points(node, log).map(Self)
    }

    fn schema() -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1_000_000 })
    }
}

/// A number that may be written as an integer.
fn float(node: &Node<'_>, expected: &str, log: &mut Log) -> Option<f64> {
    match node.value {
        DeValue::Integer(_) => node.integer(expected, log).map(|value| value as f64),
        DeValue::Float(float) => {
            let parsed = float.as_str().parse().ok();
            if parsed.is_none() {
                node.bad_value(expected, float.as_str(), log);
            }
            parsed
        }
        _ => {
            node.wrong_type(expected, log);
            None
        }
    }
}

/// Types of numbers in a range; the words are what messages expect.
macro_rules! numbers {
    ($($(#[doc = $doc:literal])* $name:ident: $expected:literal, |$value:ident| $fits:expr, $schema:tt;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(pub(crate) f64);

        impl Read for $name {
            fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
                let $value = float(node, $expected, log)?;
                if $fits {
                    return Some(Self($value));
                }
                node.bad_value($expected, &$value.to_string(), log);
                None
            }

            fn schema() -> Value {
                json!($schema)
            }
        }
    )*};
}

numbers! {
    /// A factor: more than 0, at most [`MOST_FACTOR`].
    Positive: "a number above 0 and at most 1000",
        |value| value > 0.0 && value <= MOST_FACTOR,
        { "type": "number", "exclusiveMinimum": 0, "maximum": MOST_FACTOR };
    /// A factor by which something grows.
    Multiple: "a number above 1 and at most 1000",
        |value| value > 1.0 && value <= MOST_FACTOR,
        { "type": "number", "exclusiveMinimum": 1, "maximum": MOST_FACTOR };
    /// A part of something: neither nothing nor all of it.
    Part: "a number above 0 and below 1",
        |value| value > 0.0 && value < 1.0,
        { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 };
    /// An exponent of a growth.
    Exponent: "a number above 0 and at most 20",
        |value| value > 0.0 && value <= 20.0,
        { "type": "number", "exclusiveMinimum": 0, "maximum": 20 };
    /// A value of a variable.
    Finite: "a finite number", |value| value.is_finite(), { "type": "number" };
    /// A tolerance: finite, not negative.
    Tolerance: "a finite number, not below 0",
        |value| value >= 0.0 && value.is_finite(),
        { "type": "number", "minimum": 0 };
}

/// A percentage with at most one decimal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Percent(pub(crate) Share);

impl Read for Percent {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        const EXPECTED: &str = "a percentage from 1 to 100 with at most one decimal";
        let percent = float(node, EXPECTED, log)?;
        let thousandths = (percent * 10.0).round();
        // The nearest number with one decimal; what a decimal fraction is off as a binary one is forgiven.
        if (10.0..=1000.0).contains(&thousandths) && (percent * 10.0 - thousandths).abs() < 1e-9 {
            return Some(Self(Share::from_thousandths(thousandths as u32)));
        }
        node.bad_value(EXPECTED, &percent.to_string(), log);
        None
    }

    fn schema() -> Value {
        json!({ "type": "number", "minimum": 1, "maximum": 100 })
    }
}

/// A whole number in a range, both ends included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count<const LEAST: u32, const MOST: u32>(pub(crate) u32);

/// A count of processes, or of answers.
pub(crate) type Natural = Count<1, 1024>;

impl<const LEAST: u32, const MOST: u32> Read for Count<LEAST, MOST> {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let expected = format!("a whole number from {LEAST} to {MOST}");
        let value = node.integer(&expected, log)?;
        let count = u32::try_from(value)
            .ok()
            .filter(|count| (LEAST..=MOST).contains(count));
        if count.is_none() {
            node.bad_value(&expected, &value.to_string(), log);
        }
        count.map(Self)
    }

    fn schema() -> Value {
        json!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}

/// The number of the first column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base(pub(crate) u32);

impl Read for Base {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        const EXPECTED: &str = "0 or 1";
        let value = node.integer(EXPECTED, log)?;
        match value {
            0 => Some(Self(0)),
            1 => Some(Self(1)),
            _ => {
                node.bad_value(EXPECTED, &value.to_string(), log);
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "enum": [0, 1] })
    }
}
