//! A file that keeps what is counted so far, so that a killed run can go on.
//!
//! ```toml
//! # What `count` has counted so far: give this file to --checkpoint again, and it goes on.
//! format = 1
//! n = 20
//! method = "meet-in-the-middle"
//! parts = 46252
//! done = [[0, 1233], [1235, 1235]]
//! sum = 1052033224
//! check = "326003d8c73df904"
//! ```
//!
//! `done` lists the parts that are counted, as ranges with their first and last part, and `sum` is
//! what these parts gave. The last line checks all bytes above it: a file that was cut off or edited
//! would give a wrong number of solutions, so it is refused.
//!
//! The vector instructions and the number of threads are not in the file, because the parts do not
//! depend on them.

mod file;

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::driver::Tally;
use crate::method::Method;

pub use file::CheckpointFile;

/// The format that this program reads and writes. To be raised whenever a method cuts its counts
/// differently, because then the same numbers mean other parts.
const FORMAT: u32 = 1;
const HEADER: &str =
    "# What `count` has counted so far: give this file to --checkpoint again, and it goes on.\n";

/// What a checkpoint holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The number of queens.
    pub n: u32,
    /// The way they are counted.
    pub method: Method,
    /// The number of parts that the method cuts the count into.
    pub parts: usize,
    /// The parts that are counted, all below `parts`.
    pub tally: Tally,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("cannot read the checkpoint `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the checkpoint `{path}`: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another run has the file open.
    #[error("the checkpoint `{path}` is used by another run")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is not as this program writes it.
    #[error("the checkpoint `{path}` cannot be used: {fault}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: Fault,
    },
}

/// What is wrong with the content of a checkpoint.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is no check value at its end.
    #[error("its last line is not a check value, so it was cut off or is no checkpoint")]
    Torn,
    /// The check value is that of another content.
    #[error("its check value is {found}, but that of its content is {expected}: it was changed")]
    Changed {
        /// The check value in the file.
        found: String,
        /// The check value of its content.
        expected: String,
    },
    /// It is of another version of this program.
    #[error("it is of format {0}, and this program knows format {FORMAT} only")]
    Format(u32),
    /// It was written by this program, but not with values that it writes.
    #[error("{0}")]
    Value(String),
    /// It holds another count than the one that is asked for.
    #[error("it holds {held}; asked for is {asked}")]
    Foreign {
        /// What the file holds.
        held: String,
        /// What is asked for.
        asked: String,
    },
}

/// The lines of the file, apart from the check value.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    format: u32,
    n: u32,
    method: String,
    parts: usize,
    done: Vec<[usize; 2]>,
    sum: u64,
}

/// The one line that every format has.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

impl Checkpoint {
    /// Reads the checkpoint in the file `path`, also while a run uses it; `None` if there is no such
    /// file.
    pub fn load(path: &Path) -> Result<Option<Self>, CheckpointError> {
        file::open_if_there(path)?
            .map(|opened| file::read(path, &opened))
            .transpose()
    }

    /// Writes the checkpoint to the file `path`, while no run uses it.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        CheckpointFile::open(path)?.save(self)
    }

    /// Whether this is the count of `n` queens by `method` in `parts` parts.
    pub fn expect(&self, n: u32, method: Method, parts: usize) -> Result<(), Fault> {
        let describe =
            |n, method: Method, parts| format!("n = {n}, method {}, {parts} parts", method.name());
        if (self.n, self.method, self.parts) == (n, method, parts) {
            return Ok(());
        }
        Err(Fault::Foreign {
            held: describe(self.n, self.method, self.parts),
            asked: describe(n, method, parts),
        })
    }

    /// The text of the file.
    fn text(&self) -> String {
        let lines = Lines {
            format: FORMAT,
            n: self.n,
            method: self.method.name().to_owned(),
            parts: self.parts,
            done: self
                .tally
                .ranges()
                .iter()
                .map(|range| [*range.start(), *range.end()])
                .collect(),
            sum: self.tally.sum(),
        };
        let lines = toml::to_string(&lines).expect("numbers and a name can be written as TOML");
        let content = format!("{HEADER}{lines}");
        let check = check_value(content.as_bytes());
        format!("{content}check = \"{check}\"\n")
    }

    /// Reads the text of a file.
    fn parse(text: &[u8]) -> Result<Self, Fault> {
        let (content, found) = split_check(text).ok_or(Fault::Torn)?;
        let expected = check_value(content.as_bytes());
        if found != expected {
            return Err(Fault::Changed {
                found: found.to_owned(),
                expected,
            });
        }
        let value = |error: toml::de::Error| Fault::Value(error.message().to_owned());
        let Version { format } = toml::from_str(content).map_err(value)?;
        if format != FORMAT {
            return Err(Fault::Format(format));
        }
        let Lines {
            n,
            method,
            parts,
            done,
            sum,
            ..
        } = toml::from_str(content).map_err(value)?;
        let method = Method::named(&method).ok_or_else(|| {
            Fault::Value(format!("it holds a method `{method}`, which is unknown"))
        })?;
        let ranges: Vec<_> = done.iter().map(|&[first, last]| first..=last).collect();
        let tally = ranges
            .last()
            .is_none_or(|range| *range.end() < parts)
            .then(|| Tally::new(ranges, sum))
            .flatten()
            .ok_or_else(|| {
                Fault::Value(format!(
                    "its ranges of parts are not ascending numbers below {parts}"
                ))
            })?;
        Ok(Self {
            n,
            method,
            parts,
            tally,
        })
    }
}

/// Splits the text of a file into the lines that are checked and the check value in the last line.
fn split_check(text: &[u8]) -> Option<(&str, &str)> {
    let text = str::from_utf8(text).ok()?;
    let (content, last) = text.split_at(text.rfind("check = \"")?);
    let found = last.strip_prefix("check = \"")?.strip_suffix("\"\n")?;
    (content.ends_with('\n') && found.len() == 16).then_some((content, found))
}

/// The check value of these bytes: FNV-1a with 64 bits.
///
/// One changed byte always gives another value, and other changes do but for one in 2⁶⁴. It does not
/// hold against somebody who computes it anew; but who does that wants a wrong number.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo and D. Eastlake, *The FNV Non-Cryptographic Hash
/// Algorithm*, IETF draft.
fn check_value(bytes: &[u8]) -> String {
    let value = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |value, &byte| {
            (value ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
    format!("{value:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            n: 20,
            method: Method::MeetInTheMiddle,
            parts: 46252,
            tally: Tally::new(vec![0..=1233, 1235..=1235], 1_052_033_224).unwrap(),
        }
    }

    /// A text with the check value that belongs to it.
    fn checked(content: &str) -> Vec<u8> {
        let check = check_value(content.as_bytes());
        format!("{content}check = \"{check}\"\n").into_bytes()
    }

    #[test]
    fn the_text_is_the_documented_one() {
        assert_eq!(
            checkpoint().text(),
            "# What `count` has counted so far: give this file to --checkpoint again, and it goes on.\n\
             format = 1\n\
             n = 20\n\
             method = \"meet-in-the-middle\"\n\
             parts = 46252\n\
             done = [[0, 1233], [1235, 1235]]\n\
             sum = 1052033224\n\
             check = \"326003d8c73df904\"\n"
        );
    }

    #[test]
    fn the_check_value_is_the_published_one() {
        // From the test vectors of the draft.
        assert_eq!(check_value(b""), "cbf29ce484222325");
        assert_eq!(check_value(b"foobar"), "85944171f73967e8");
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut full = checkpoint();
        full.tally = Tally::new(vec![0..=46251], u64::MAX).unwrap();
        let mut empty = checkpoint();
        empty.tally = Tally::default();
        for checkpoint in [checkpoint(), full, empty] {
            assert_eq!(
                Checkpoint::parse(checkpoint.text().as_bytes()),
                Ok(checkpoint)
            );
        }
    }

    #[test]
    fn a_text_that_is_cut_anywhere_is_torn() {
        let text = checkpoint().text();
        for length in 0..text.len() {
            assert_eq!(
                Checkpoint::parse(&text.as_bytes()[..length]),
                Err(Fault::Torn)
            );
        }
    }

    #[test]
    fn a_text_in_which_any_byte_is_changed_is_refused() {
        let text = checkpoint().text();
        for index in 0..text.len() {
            for bit in 0..8 {
                let mut changed = text.clone().into_bytes();
                changed[index] ^= 1 << bit;
                let fault = Checkpoint::parse(&changed).unwrap_err();
                assert!(
                    matches!(fault, Fault::Torn | Fault::Changed { .. }),
                    "{fault}"
                );
            }
        }
    }

    #[test]
    fn values_that_are_never_written_are_refused() {
        let text = checkpoint().text();
        let (content, _) = split_check(text.as_bytes()).unwrap();
        for (old, new, message) in [
            (
                "format = 1",
                "format = 2\nmore = 1",
                "it is of format 2, and this program knows format 1 only",
            ),
            ("format = 1\n", "", "missing field `format`"),
            (
                "sum",
                "summe",
                "unknown field `summe`, expected one of `format`, `n`, `method`, `parts`, `done`, `sum`",
            ),
            (
                "meet-in-the-middle",
                "dance",
                "it holds a method `dance`, which is unknown",
            ),
            (
                "46252",
                "1235",
                "its ranges of parts are not ascending numbers below 1235",
            ),
            (
                "[1235",
                "[1234",
                "its ranges of parts are not ascending numbers below 46252",
            ),
            (
                "1235]",
                "-1]",
                "invalid value: integer `-1`, expected usize",
            ),
        ] {
            let changed = content.replacen(old, new, 1);
            assert_ne!(changed, content);
            let fault = Checkpoint::parse(&checked(&changed)).unwrap_err();
            assert_eq!(fault.to_string(), message);
        }
    }

    #[test]
    fn another_count_is_refused_with_both() {
        let checkpoint = checkpoint();
        assert_eq!(
            checkpoint.expect(20, Method::MeetInTheMiddle, 46252),
            Ok(())
        );
        let fault = checkpoint.expect(19, Method::Symmetric, 19).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "it holds n = 20, method meet-in-the-middle, 46252 parts; \
             asked for is n = 19, method symmetric, 19 parts"
        );
    }
}
