//! A record: the complete results in a file, from which every report can be made again without running anything.
//!
//! The file is JSON, `{ "format": "bitcraft-record/1", "results": … }`, where `results` is [`Results`] as serde
//! writes it. Unlike the report that [`crate::write_json`] writes it is for this program alone: both languages of
//! every text, times to the nanosecond, nothing left out, so that a report made from it is the same to the byte.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use grader_model::{Bytes, Excerpt, Results, Text, escaped};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::atomic::{WriteError, atomic_write};

/// What stands in a record's `format`.
const FORMAT: &str = "bitcraft-record/1";
/// What the formats of all versions begin with.
const FAMILY: &str = "bitcraft-record/";
/// The largest record that is read: a hundred times what a class of a thousand gives.
const MOST: Bytes = Bytes(1 << 30);

#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    results: &'a Results,
}

#[derive(Deserialize)]
struct Found {
    results: Results,
}

/// What is read first: whether the rest may be read at all.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Header {
    #[serde(default)]
    format: Option<serde_json::Value>,
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the record `{}`: {why}", path.display())]
pub struct ReadRecordError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub why: RecordFault,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordFault {
    /// It cannot be opened or read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is a folder.
    #[error("it is a folder")]
    Folder,
    /// It is larger than any record.
    #[error("it is larger than {0}")]
    TooLarge(Bytes),
    /// It ends too early.
    #[error("it is cut off: it ends in line {line}, in the middle of a value")]
    CutOff {
        /// The last line, from 1.
        line: usize,
    },
    /// It is something else.
    #[error("it is not a record: {0}")]
    NotARecord(String),
    /// It is the report of `grade --format json`.
    #[error("it is a report, not a record")]
    Report,
    /// It is a record of another version.
    #[error("its format is `{0}`, and this version reads `{FORMAT}`")]
    Version(String),
    /// It calls itself a record, and what is in it is no results.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

impl ReadRecordError {
    /// The failure for people.
    pub fn text(&self) -> Text {
        let path = escaped(self.path.as_os_str().as_encoded_bytes());
        let (en, zh) = match &self.why {
            RecordFault::Io(error) => (error.to_string(), error.to_string()),
            RecordFault::Folder => (
                "it is a folder; expected a file that `grader grade --record FILE` wrote".to_owned(),
                "这是文件夹；应为 `grader grade --record FILE` 写出的文件".to_owned(),
            ),
            RecordFault::TooLarge(most) => (
                format!("it is larger than {most}, which no record is"),
                format!("它大于 {most}，不可能是评测记录"),
            ),
            RecordFault::CutOff { line } => (
                format!("it is cut off: it ends in line {line}, in the middle of a value"),
                format!("文件不完整：在第 {line} 行中途结束"),
            ),
            RecordFault::NotARecord(why) => (
                format!(
                    "it is not a record: {why}; expected a file that `grader grade --record FILE` wrote"
                ),
                format!("它不是评测记录：{why}；应为 `grader grade --record FILE` 写出的文件"),
            ),
            RecordFault::Report => (
                "it is a report (`--format json`), from which not everything can be told; expected a file that \
                 `grader grade --record FILE` wrote"
                    .to_owned(),
                "这是报告（`--format json`），信息不完整；应为 `grader grade --record FILE` 写出的文件"
                    .to_owned(),
            ),
            RecordFault::Version(found) => (
                format!("its format is `{found}`, and this version of the grader reads `{FORMAT}`"),
                format!("其格式为 `{found}`，而本版本只能读取 `{FORMAT}`"),
            ),
            RecordFault::Damaged(why) => (
                format!("it is damaged: {why}"),
                format!("文件已损坏：{why}"),
            ),
        };
        Text::new(
            format!("cannot read the record `{path}`: {en}"),
            format!("无法读取评测记录 `{path}`：{zh}"),
        )
    }
}

/// Writes the complete results, whole or not at all. They are for staff: hidden cases are in them.
///
/// # Errors
/// When the file cannot be written; an older one of that name is still there.
pub fn write_record(path: &Path, results: &Results) -> Result<(), WriteError> {
    atomic_write(path, |out| {
        serde_json::to_writer(&mut *out, &record(results))?;
        out.write_all(b"\n")
    })
}

const fn record(results: &Results) -> Written<'_> {
    Written {
        format: FORMAT,
        results,
    }
}

/// Reads what [`write_record`] wrote.
///
/// # Errors
/// When the file cannot be read, is larger than 1 GiB, or is no whole record of this version.
pub fn read_record(path: &Path) -> Result<Results, ReadRecordError> {
    contents(path, MOST)
        .and_then(|bytes| parse(&bytes))
        .map_err(|why| ReadRecordError {
            path: path.to_owned(),
            why,
        })
}

/// The bytes of a file that has at most so many.
fn contents(path: &Path, most: Bytes) -> Result<Vec<u8>, RecordFault> {
    if fs::metadata(path)?.is_dir() {
        return Err(RecordFault::Folder);
    }
    let file = File::open(path)?;
    // A pipe has no length of its own, and a file may grow.
    if file.metadata()?.len() > most.0 {
        return Err(RecordFault::TooLarge(most));
    }
    let mut bytes = Vec::new();
    file.take(most.0 + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most.0 {
        return Err(RecordFault::TooLarge(most));
    }
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> Result<Results, RecordFault> {
    if bytes.trim_ascii().is_empty() {
        return Err(RecordFault::NotARecord("it is empty".to_owned()));
    }
    let header: Header = serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        Category::Eof => RecordFault::CutOff { line: error.line() },
        Category::Io | Category::Syntax | Category::Data => RecordFault::NotARecord(shown(&error)),
    })?;
    match header.format.as_ref().and_then(serde_json::Value::as_str) {
        Some(FORMAT) => {}
        Some(other) if other.starts_with(FAMILY) => {
            return Err(RecordFault::Version(
                Excerpt::new(other.as_bytes()).to_string(),
            ));
        }
        Some(other) if other.starts_with("bitcraft-results/") => return Err(RecordFault::Report),
        Some(_) | None => {
            let why = format!("its `format` is not `{FORMAT}`");
            return Err(RecordFault::NotARecord(why));
        }
    }
    serde_json::from_slice(bytes)
        .map(|found: Found| found.results)
        .map_err(|error| RecordFault::Damaged(shown(&error)))
}

/// What serde says, which may quote the file.
fn shown(error: &serde_json::Error) -> String {
    Excerpt::first(error.to_string().as_bytes(), 300).to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use grader_model::{
        Attempts, CaseName, Confirmation, CpuTime, Growth, GrowthFit, GrowthPoint, GrowthPointKind,
        GrowthVerdict, LimitOrigin, NamedCase, ProblemId, ReferenceCase, ReferenceTime, Share,
        SubtaskName,
    };
    use proptest::prelude::*;

    use super::*;
    use crate::sample;

    /// The sample with something in every field that may be empty, and numbers that no decimal form is exact for.
    fn results(nanos: u64, number: f64) -> Results {
        let mut results = sample::results();
        let time = CpuTime(Duration::from_nanos(nanos));
        results.assignment.problems[0].version = "0123abcd".repeat(8);
        results.reference_times = vec![ReferenceTime {
            problem: ProblemId::new("count"),
            subtask: SubtaskName::new("small"),
            case: CaseName::new("n=4"),
            cpu: time,
            largest: time,
            samples: 3,
        }];
        let subtask = &mut results.students[0].problems[0].subtasks[0];
        subtask.message = Some(Text::new("grows", "增长"));
        subtask.growth = Some(Growth {
            over: "n".to_owned(),
            at_most: number,
            startup: time,
            points: vec![GrowthPoint {
                size: number,
                cpu: time,
                kind: GrowthPointKind::Measured,
            }],
            fit: Some(GrowthFit {
                exponent: number,
                low: -number,
                high: number,
                factor: number,
            }),
            stopped: Some(number),
            verdict: GrowthVerdict::Unresolved,
        });
        let case = &mut subtask.cases[0];
        case.confirmation = Some(Confirmation {
            runs: vec![time, time],
            reference_times: vec![time],
            limits: vec![time],
            resolved: false,
        });
        case.limit_origin = Some(LimitOrigin::Reference {
            factor: number,
            reference: time,
            case: ReferenceCase::AtLeast(NamedCase {
                name: "small/n=4".to_owned(),
                hidden: false,
            }),
            language_factor: number,
            start_up: time,
            slack: time,
        });
        case.attempts = Some(Attempts {
            runs: 12,
            at_least: Some(3),
            made: 4,
            accepted: 3,
            outputs: 2,
            seconds: 2,
        });
        case.share = Some(Share::from_thousandths(600));
        case.skipped = true;
        results
    }

    fn fault(bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        fs::write(&path, bytes).unwrap();
        let error = read_record(&path).unwrap_err();
        let text = error.text();
        let begin =
            |words: &str| format!("{words} `{}`", escaped(path.as_os_str().as_encoded_bytes()));
        assert!(
            text.zh.starts_with(&begin("无法读取评测记录")),
            "{}",
            text.zh
        );
        text.en
            .strip_prefix(&begin("cannot read the record"))
            .unwrap()
            .to_owned()
    }

    #[test]
    fn a_record_that_is_not_whole_is_never_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        write_record(&path, &results(1_234_567, 0.1)).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(whole.last(), Some(&b'\n'));
        let end = whole.len() - 1;
        for length in [1, 2, 10, 40, 200, end / 2, end - 1] {
            assert_eq!(
                fault(&whole[..length]),
                ": it is cut off: it ends in line 1, in the middle of a value",
                "{length}"
            );
        }
        assert_eq!(read_record(&path).unwrap(), results(1_234_567, 0.1));
    }

    #[test]
    fn what_is_not_a_record_is_told_what_it_is() {
        let report = {
            let mut out = Vec::new();
            crate::write_json(&sample::results(), crate::Audience::Staff, &mut out).unwrap();
            fault(&out)
        };
        let faults = [
            fault(b" \n"),
            fault(b"int main(void) { }\n"),
            fault(b"3\n"),
            fault(b"{ \"format\": 1 }\n"),
            fault(b"{ \"format\": \"bitcraft-record/2\", \"results\": [] }\n"),
            fault(b"{ \"format\": \"bitcraft-record/\\u001b[2J\" }\n"),
            fault(b"{ \"format\": \"bitcraft-record/1\" }\n"),
            fault(b"{ \"format\": \"bitcraft-record/1\", \"results\": { \"students\": 3 } }\n"),
            report,
        ];
        let expected = "; expected a file that `grader grade --record FILE` wrote";
        assert_eq!(
            faults,
            [
                format!(": it is not a record: it is empty{expected}"),
                format!(": it is not a record: expected value at line 1 column 1{expected}"),
                format!(
                    ": it is not a record: invalid type: integer `3`, expected an object at line 1 column 1{expected}"
                ),
                format!(": it is not a record: its `format` is not `bitcraft-record/1`{expected}"),
                ": its format is `bitcraft-record/2`, and this version of the grader reads `bitcraft-record/1`"
                    .to_owned(),
                ": its format is `bitcraft-record/\\x1b[2J`, and this version of the grader reads \
                 `bitcraft-record/1`"
                    .to_owned(),
                ": it is damaged: missing field `results` at line 1 column 33".to_owned(),
                ": it is damaged: invalid type: integer `3`, expected a sequence at line 1 column 59"
                    .to_owned(),
                format!(
                    ": it is a report (`--format json`), from which not everything can be told{expected}"
                ),
            ]
        );
    }

    #[test]
    fn a_folder_a_missing_file_and_a_file_that_is_too_large_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let why = |path: &Path| read_record(path).unwrap_err().why.to_string();
        assert_eq!(why(folder.path()), "it is a folder");
        let missing = folder.path().join("none.json");
        assert_eq!(why(&missing), "No such file or directory (os error 2)");
        // Three gigabytes of nothing, which take no room on the disk and must take none in memory.
        let large = folder.path().join("large.json");
        File::create(&large).unwrap().set_len(3 << 30).unwrap();
        assert_eq!(why(&large), "it is larger than 1 GiB");
        let small = folder.path().join("small.json");
        fs::write(&small, "12345").unwrap();
        assert_eq!(contents(&small, Bytes(5)).unwrap(), b"12345");
        assert!(matches!(
            contents(&small, Bytes(4)),
            Err(RecordFault::TooLarge(Bytes(4)))
        ));
    }

    proptest! {
        #[test]
        fn nothing_is_lost(nanos in 0u64..864_000_000_000_000, number in -1e9f64..1e9) {
            let results = results(nanos, number);
            let written = serde_json::to_vec(&record(&results)).unwrap();
            prop_assert_eq!(parse(&written).unwrap(), results);
        }
    }
}
