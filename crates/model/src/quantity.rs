//! Times and sizes with their units.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A longer time is read from no file: no run takes it, and multiples of it might not fit.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// CPU time of a process tree, user and system together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CpuTime(pub Duration);

/// Time on the clock on the wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallTime(pub Duration);

/// A number of bytes.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(transparent)]
pub struct Bytes(pub u64);

macro_rules! time {
    ($name:ident) => {
        impl $name {
            /// A time in milliseconds.
            pub const fn from_millis(millis: u64) -> Self {
                Self(Duration::from_millis(millis))
            }

            /// This time in milliseconds, with microseconds as decimals.
            pub fn as_millis_f64(self) -> f64 {
                self.0.as_micros() as f64 / 1000.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&show_duration(self.0))
            }
        }

        impl FromStr for $name {
            type Err = ParseQuantityError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                parse_duration(text).map(Self)
            }
        }

        impl Serialize for $name {
            /// Milliseconds as a decimal number, to the nanosecond: up to ten days nothing is lost.
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize_number(self.0.as_nanos() as f64 / 1e6, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let millis = f64::deserialize(deserializer)?;
                let time = Duration::try_from_secs_f64(millis / 1000.0)
                    .map_err(serde::de::Error::custom)?;
                if time > LONGEST {
                    return Err(serde::de::Error::custom("the time is too long"));
                }
                Ok(Self(time))
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "number", "minimum": 0 })
            }
        }
    };
}

/// Whole numbers are written without a point.
fn serialize_number<S: Serializer>(number: f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Below 2^53 every whole number has an exact float.
    if number.fract() == 0.0 && (0.0..9.0e15).contains(&number) {
        serializer.serialize_u64(number as u64)
    } else {
        serializer.serialize_f64(number)
    }
}

time!(CpuTime);
time!(WallTime);

fn show_duration(time: Duration) -> String {
    let millis = time.as_micros() as f64 / 1000.0;
    if millis >= 999.95 {
        let seconds = format!("{:.2}", millis / 1000.0);
        let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
        format!("{seconds} s")
    } else if millis >= 9.995 {
        format!("{millis:.0} ms")
    } else {
        format!("{millis:.1} ms")
    }
}

/// Why a text is not a time or a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseQuantityError {
    /// The number before the unit does not parse, or is negative.
    Number(String),
    /// No unit is given.
    NoUnit {
        /// The units that are known.
        known: &'static [&'static str],
    },
    /// The unit is not one of ours.
    Unit {
        /// What stands there.
        found: String,
        /// The units that are known.
        known: &'static [&'static str],
    },
    /// The value does not fit.
    TooLarge,
}

impl fmt::Display for ParseQuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(found) => write!(f, "`{found}` is not a number"),
            Self::NoUnit { known } => write!(f, "a unit is missing; known are {}", ticked(known)),
            Self::Unit { found, known } => {
                write!(f, "unknown unit `{found}`; known are {}", ticked(known))
            }
            Self::TooLarge => f.write_str("the value is too large"),
        }
    }
}

impl std::error::Error for ParseQuantityError {}

fn ticked(units: &[&str]) -> String {
    let ticked: Vec<String> = units.iter().map(|unit| format!("`{unit}`")).collect();
    ticked.join(", ")
}

/// Splits `2.5 s` into the number and the unit.
fn split(text: &str, known: &'static [&'static str]) -> Result<(f64, String), ParseQuantityError> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '_')))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let value: f64 = number
        .replace('_', "")
        .parse()
        .ok()
        .filter(|value: &f64| *value >= 0.0 && value.is_finite())
        .ok_or_else(|| {
            ParseQuantityError::Number(if end == 0 { text } else { number }.to_owned())
        })?;
    let unit = unit.trim();
    if unit.is_empty() {
        return Err(ParseQuantityError::NoUnit { known });
    }
    Ok((value, unit.to_owned()))
}

/// Reads a time such as `500 ms`, `2 s`, `1.5 s` or `2 min`.
///
/// # Errors
/// When the number or the unit does not parse; the error names the units.
pub fn parse_duration(text: &str) -> Result<Duration, ParseQuantityError> {
    const KNOWN: &[&str] = &["us", "ms", "s", "min"];
    let (value, unit) = split(text, KNOWN)?;
    let seconds = match unit.as_str() {
        "us" | "µs" => value / 1e6,
        "ms" => value / 1e3,
        "s" => value,
        "min" => value * 60.0,
        _ => {
            return Err(ParseQuantityError::Unit {
                found: unit,
                known: KNOWN,
            });
        }
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| ParseQuantityError::TooLarge)
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0 as f64;
        let (scaled, unit) = match self.0 {
            0..1024 => return f.pad(&format!("{} B", self.0)),
            1024..1_048_576 => (value / 1024.0, "KiB"),
            1_048_576..1_073_741_824 => (value / 1_048_576.0, "MiB"),
            _ => (value / 1_073_741_824.0, "GiB"),
        };
        let number = format!("{scaled:.1}");
        f.pad(&format!("{} {unit}", number.trim_end_matches(".0")))
    }
}

impl FromStr for Bytes {
    type Err = ParseQuantityError;

    /// Reads a size such as `64 KiB`, `1 MB` or `512 B`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const KNOWN: &[&str] = &["B", "KiB", "MiB", "GiB", "kB", "MB", "GB"];
        let (value, unit) = split(text, KNOWN)?;
        let factor = match unit.as_str() {
            "B" => 1.0,
            "KiB" => 1024.0,
            "MiB" => 1_048_576.0,
            "GiB" => 1_073_741_824.0,
            "kB" => 1e3,
            "MB" => 1e6,
            "GB" => 1e9,
            _ => {
                return Err(ParseQuantityError::Unit {
                    found: unit,
                    known: KNOWN,
                });
            }
        };
        let bytes = value * factor;
        if bytes > (1u64 << 50) as f64 {
            return Err(ParseQuantityError::TooLarge);
        }
        Ok(Self(bytes.round() as u64))
    }
}

impl Bytes {
    /// This size in KiB, rounded up.
    pub const fn kib(self) -> u64 {
        self.0.div_ceil(1024)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_are_read_with_their_unit_and_written_back_short() {
        let shown: Vec<String> = [
            "1 s", "1.50s", "2 min", "250 ms", "1.23 ms", "15us", "1_000 ms",
        ]
        .map(|t| t.parse::<CpuTime>().unwrap().to_string())
        .to_vec();
        assert_eq!(
            shown,
            ["1 s", "1.5 s", "120 s", "250 ms", "1.2 ms", "0.0 ms", "1 s"]
        );
    }

    #[test]
    fn sizes_are_read_with_their_unit_and_written_back_short() {
        let shown: Vec<String> = ["64 KiB", "256MiB", "1.5 GiB", "100 B", "1 MB"]
            .map(|t| t.parse::<Bytes>().unwrap().to_string())
            .to_vec();
        assert_eq!(
            shown,
            ["64 KiB", "256 MiB", "1.5 GiB", "100 B", "976.6 KiB"]
        );
    }

    #[test]
    fn a_wrong_quantity_says_what_was_expected() {
        let messages: Vec<String> = ["2", "2 parsecs", "two s", "-1 s", ""]
            .map(|t| t.parse::<CpuTime>().unwrap_err().to_string())
            .to_vec();
        assert_eq!(
            messages,
            [
                "a unit is missing; known are `us`, `ms`, `s`, `min`",
                "unknown unit `parsecs`; known are `us`, `ms`, `s`, `min`",
                "`two s` is not a number",
                "`-1` is not a number",
                "`` is not a number",
            ]
        );
    }

    #[test]
    fn a_time_is_kept_in_milliseconds_with_its_nanoseconds() {
        let time = CpuTime(Duration::from_nanos(1_234_567));
        assert_eq!(serde_json::to_string(&time).unwrap(), "1.234567");
        assert_eq!(time.as_millis_f64().to_string(), "1.234");
    }

    #[test]
    fn a_time_of_many_years_is_not_read_so_that_a_multiple_of_every_time_fits() {
        let read = |json| serde_json::from_str::<CpuTime>(json).map_err(|error| error.to_string());
        assert_eq!(read("1e12"), Ok(CpuTime(LONGEST)));
        assert_eq!(read("1e22"), Err("the time is too long".to_owned()));
    }

    proptest! {
        #[test]
        fn a_time_survives_json(nanos in 0u64..864_000_000_000_000) {
            let time = CpuTime(Duration::from_nanos(nanos));
            let json = serde_json::to_string(&time).unwrap();
            prop_assert_eq!(serde_json::from_str::<CpuTime>(&json).unwrap(), time);
        }
    }
}
