//! Times and sizes with their units.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Longest time accepted in a file: multiples of a longer one might overflow.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// CPU time of a process tree, user and system together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(transparent, inline)]
pub struct CpuTime(#[schemars(with = "f64", range(min = 0))] pub Duration);

/// Wall-clock time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(transparent, inline)]
pub struct WallTime(#[schemars(with = "f64", range(min = 0))] pub Duration);

/// A number of bytes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
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

        impl Serialize for $name {
            /// Milliseconds as a decimal number, to the nanosecond: exact up to ten days.
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
    };
}

/// Whole numbers are written without a point.
pub(crate) fn serialize_number<S: Serializer>(
    number: f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    // Below 2^53, every whole number has an exact float.
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

/// Reads a number and one of these units, each with its size: `2.5 s`.
fn parse(text: &str, units: &[(&str, f64)]) -> Result<f64, String> {
    let text = text.trim();
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '_');
    let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim());
    let value = number.replace('_', "").parse::<f64>();
    let Some(value) = value.ok().filter(|it| *it >= 0.0 && it.is_finite()) else {
        let found = if end == 0 { text } else { number };
        return Err(format!("`{found}` is not a number"));
    };
    if let Some((_, size)) = units.iter().find(|(name, _)| *name == unit) {
        return Ok(value * size);
    }
    let known: Vec<String> = units.iter().map(|(name, _)| format!("`{name}`")).collect();
    let problem = match unit {
        "" => "a unit is missing".to_owned(),
        _ => format!("unknown unit `{unit}`"),
    };
    Err(format!("{problem}; known are {}", known.join(", ")))
}

/// Reads a time such as `500 ms`, `2 s`, `1.5 s` or `2 min`.
///
/// # Errors
/// If the number or the unit is invalid; the error names the units.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let seconds = parse(
        text,
        &[("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("min", 60.0)],
    )?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "the value is too large".to_owned())
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
    type Err = String;

    /// Reads a size such as `64 KiB`, `1 MB` or `512 B`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const UNITS: &[(&str, f64)] = &[
            ("B", 1.0),
            ("KiB", 1024.0),
            ("MiB", 1_048_576.0),
            ("GiB", 1_073_741_824.0),
            ("kB", 1e3),
            ("MB", 1e6),
            ("GB", 1e9),
        ];
        let bytes = parse(text, UNITS)?;
        if bytes > (1u64 << 50) as f64 {
            return Err("the value is too large".to_owned());
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
    fn quantities_are_read_with_their_unit_and_written_back_short() {
        let time = |text| parse_duration(text).map(|time| CpuTime(time).to_string());
        for (text, shown) in [
            ("1 s", "1 s"),
            ("1.50s", "1.5 s"),
            ("2 min", "120 s"),
            ("250 ms", "250 ms"),
            ("1.23 ms", "1.2 ms"),
            ("15us", "0.0 ms"),
            ("1_000 ms", "1 s"),
        ] {
            assert_eq!(time(text).as_deref(), Ok(shown));
        }
        for (text, shown) in [
            ("64 KiB", "64 KiB"),
            ("256MiB", "256 MiB"),
            ("1.5 GiB", "1.5 GiB"),
            ("100 B", "100 B"),
            ("1 MB", "976.6 KiB"),
        ] {
            assert_eq!(text.parse::<Bytes>().unwrap().to_string(), shown);
        }
        for (text, error) in [
            ("2", "a unit is missing; known are `us`, `ms`, `s`, `min`"),
            (
                "2 parsecs",
                "unknown unit `parsecs`; known are `us`, `ms`, `s`, `min`",
            ),
            ("two s", "`two s` is not a number"),
            ("-1 s", "`-1` is not a number"),
            ("", "`` is not a number"),
        ] {
            assert_eq!(time(text).unwrap_err(), error);
        }
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
