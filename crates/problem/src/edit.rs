//! Changing one value of a problem file and no other byte.

use toml::de::{DeTable, DeValue};

use crate::raw::MOST_FACTOR;

/// A new value for `limits.time`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeValue {
    /// The multiple of the reference's time: above 0, at most [`MOST_FACTOR`].
    Factor(f64),
    /// An absolute time in seconds, from a millisecond to a day.
    Seconds(f64),
}

/// Why a problem file was not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The text is not TOML.
    #[error("the file is not TOML")]
    NotToml,
    /// There is no `limits.time` of the kind of the new value.
    #[error("the file has no `limits.time` of this kind")]
    NoTime,
    /// The new value may not stand in a problem file.
    #[error("the value is outside what a problem file may say")]
    Range,
}

impl TimeValue {
    /// The value as TOML.
    fn literal(self) -> Result<String, EditError> {
        match self {
            Self::Factor(factor) if factor > 0.0 && factor <= MOST_FACTOR => {
                // With a decimal point, as `{:?}` writes it.
                Ok(format!("{:?}", rounded(factor)))
            }
            Self::Seconds(seconds) if (0.001..1.0).contains(&seconds) => {
                Ok(format!("\"{} ms\"", rounded(seconds * 1000.0)))
            }
            Self::Seconds(seconds) if (1.0..=86_400.0).contains(&seconds) => {
                Ok(format!("\"{} s\"", rounded(seconds)))
            }
            Self::Factor(_) | Self::Seconds(_) => Err(EditError::Range),
        }
    }
}

/// Four decimals: a limit is no finer.
fn rounded(value: f64) -> f64 {
    let rounded = (value * 1e4).round() / 1e4;
    if rounded > 0.0 { rounded } else { value }
}

/// The text of a `problem.toml` with another value of `limits.time`: the multiple of `{ reference = … }`, or the whole
/// of an absolute time. Every other byte stays: comments, blanks, line ends, a byte order mark.
///
/// # Errors
/// When the text is not TOML, has no such value, or the new one may not stand there.
pub fn with_time(text: &str, value: TimeValue) -> Result<String, EditError> {
    let literal = value.literal()?;
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let skipped = text.len() - bare.len();
    let table = DeTable::parse(bare).map_err(|_| EditError::NotToml)?;
    let time = table
        .get_ref()
        .get("limits")
        .and_then(|limits| limits.get_ref().as_table())
        .and_then(|limits| limits.get("time"))
        .ok_or(EditError::NoTime)?;
    let span = match (value, time.get_ref()) {
        (TimeValue::Seconds(_), DeValue::String(_)) => time.span(),
        (TimeValue::Factor(_), DeValue::Table(rule)) => {
            rule.get("reference").ok_or(EditError::NoTime)?.span()
        }
        _ => return Err(EditError::NoTime),
    };
    let (before, rest) = text
        .split_at_checked(skipped + span.start)
        .ok_or(EditError::NoTime)?;
    let after = rest.get(span.len()..).ok_or(EditError::NoTime)?;
    Ok(format!("{before}{literal}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\u{feff}# 时间限制 reference = 3.0\r\n[limits] # here\r\n  time  = { reference =  3.0 , at-least=\"1 s\", at-most = \"60 s\" } # 3.0\r\nmemory = \"256 MiB\"\r\n\r\n";

    #[test]
    fn a_factor_is_replaced_and_every_other_byte_stays() {
        assert_eq!(
            with_time(FILE, TimeValue::Factor(4.0)).unwrap(),
            FILE.replace("=  3.0 ,", "=  4.0 ,")
        );
        for (old, value, new) in [
            (
                "limits.time.reference = 1_0\nx = 1",
                2.5,
                "limits.time.reference = 2.5\nx = 1",
            ),
            (
                "[limits.time]\nat-most = \"3 s\"\nreference = +3e0",
                0.35,
                "[limits.time]\nat-most = \"3 s\"\nreference = 0.35",
            ),
            (
                "limits = { time = { \"reference\" = 3 } }",
                12.0,
                "limits = { time = { \"reference\" = 12.0 } }",
            ),
        ] {
            assert_eq!(with_time(old, TimeValue::Factor(value)), Ok(new.to_owned()));
        }
    }

    #[test]
    fn an_absolute_time_is_replaced_with_its_quotes_and_unit() {
        for (old, value, new) in [
            (
                "[limits]\ntime = \"2 s\" # two\n",
                1.5,
                "[limits]\ntime = \"1.5 s\" # two\n",
            ),
            (
                "[limits]\r\ntime='1 min'\r\n",
                0.25,
                "[limits]\r\ntime=\"250 ms\"\r\n",
            ),
            (
                "[limits]\ntime = \"\"\"2 s\"\"\"",
                60.0,
                "[limits]\ntime = \"60 s\"",
            ),
            (
                "[limits]\ntime = \"1 s\"",
                0.3,
                "[limits]\ntime = \"300 ms\"",
            ),
        ] {
            assert_eq!(
                with_time(old, TimeValue::Seconds(value)),
                Ok(new.to_owned())
            );
        }
    }

    #[test]
    fn what_cannot_be_changed_is_refused() {
        let refused = |text, value| with_time(text, value).unwrap_err();
        assert_eq!(
            refused("limits = ", TimeValue::Factor(2.0)),
            EditError::NotToml
        );
        assert_eq!(
            refused("[limits]", TimeValue::Factor(2.0)),
            EditError::NoTime
        );
        assert_eq!(refused("", TimeValue::Seconds(2.0)), EditError::NoTime);
        assert_eq!(refused(FILE, TimeValue::Seconds(2.0)), EditError::NoTime);
        assert_eq!(
            refused("limits.time = \"2 s\"", TimeValue::Factor(2.0)),
            EditError::NoTime
        );
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY, 1000.5] {
            assert_eq!(refused(FILE, TimeValue::Factor(value)), EditError::Range);
        }
        for value in [0.0, 0.0009, 86_401.0, f64::NAN] {
            assert_eq!(
                refused("limits.time = \"2 s\"", TimeValue::Seconds(value)),
                EditError::Range
            );
        }
    }
}
