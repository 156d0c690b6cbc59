//! Shares of a class for several machines.

use std::fmt;
use std::str::FromStr;

use grader_model::StudentId;

/// A share of a class: whole students, by a hash of their ids, so that the share of a student is the same on every machine,
/// whoever else is in the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// Which share, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl Shard {
    /// Whether a student is in this share.
    pub fn has(self, student: &StudentId) -> bool {
        let hash = blake3::hash(student.as_str().as_bytes());
        let (first, _) = hash.as_bytes().split_at(8);
        let first = first
            .iter()
            .fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
        first % u64::from(self.of) == u64::from(self.number) - 1
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    /// Reads `3/16`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, of) = text
            .split_once('/')
            .ok_or("expected a share such as `3/16`")?;
        let read = |text: &str| {
            text.parse::<u32>()
                .map_err(|_| "expected a share such as `3/16`")
        };
        match (read(number)?, read(of)?) {
            (number, of) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("the number of a share must be from 1 to the number of shares"),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
