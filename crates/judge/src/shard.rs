//! Shards of a class for several machines.

use std::fmt;
use std::str::FromStr;

use grader_model::StudentId;
use serde::{Deserialize, Serialize};

/// A shard of a class: whole students, by a hash of their ids. So every machine assigns a student to the same shard,
/// whatever the rest of the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// The shard's number, from 1.
    pub number: u32,
    /// The number of shards.
    pub of: u32,
}

/// All students of a class, of whom a shard grades some: what shards of the same class have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeClass {
    /// How many there are.
    pub students: usize,
    /// A hash of their ids.
    pub ids: String,
}

impl WholeClass {
    /// The class of these students, in whatever order.
    pub fn of<'a>(students: impl Iterator<Item = &'a StudentId>) -> Self {
        let mut ids: Vec<&str> = students.map(StudentId::as_str).collect();
        ids.sort_unstable();
        let mut hasher = blake3::Hasher::new();
        for id in &ids {
            hasher.update(blake3::hash(id.as_bytes()).as_bytes());
        }
        Self {
            students: ids.len(),
            ids: hasher.finalize().to_hex().to_string(),
        }
    }
}

impl Shard {
    /// Whether a student is in this shard.
    pub fn has(self, student: &StudentId) -> bool {
        let hash = blake3::hash(student.as_str().as_bytes());
        let first = hash.as_bytes().first_chunk();
        let first = first.map_or(0, |bytes| u64::from_be_bytes(*bytes));
        first % u64::from(self.of) == u64::from(self.number) - 1
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    /// Reads `3/16`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            Some(_) => Err("the number of a shard must be from 1 to the number of shards"),
            None => Err("expected a shard such as `3/16`"),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
