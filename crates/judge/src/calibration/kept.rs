//! Calibrations on disk: what was measured of a reference, and what it answered, for the next run on this machine.
//!
//! One file for each problem, way of running it and machine; its name says the problem and a hash of the rest. A file is
//! written under a temporary name and renamed, so that it is whole or not there, however many graders write it; the
//! last one wins. What cannot be read is as good as not there, and is replaced.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grader_language::{language, recognise};
use grader_model::{Bytes, CaseName, CpuTime, Isolation, ProblemId, SubtaskName, Text};
use grader_problem::{Problem, ReferenceProgram};
use serde::{Deserialize, Serialize};

use crate::calibration::Samples;
use crate::host;
use crate::judge::Judge;

/// The format of the files, and its version.
const FORMAT: &str = "bitcraft-calibration/2";
/// Longer answers are not kept: their cases are measured anew.
pub(crate) const ANSWER: Bytes = Bytes(64 << 10);
/// A longer file is none of ours.
const FILE: u64 = 64 << 20;

/// Where calibrations are kept between runs.
pub struct Calibrations {
    /// The folder; it need not be there.
    pub folder: PathBuf,
    /// Whether what is there is ignored, and replaced.
    pub fresh: bool,
    /// What tells this grader from another one, whose references and sandbox may be faster: version, size and time
    /// of its program file.
    pub grader: String,
    /// Is told that something cannot be read or written, each once in a run. No verdict depends on it.
    pub warn: Arc<dyn Fn(&Text) + Send + Sync>,
}

/// What a calibration holds for: on another machine, or of another problem, it says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Key {
    problem: ProblemId,
    /// How the problem runs programs. How it judges them decides neither a time nor an answer.
    running: String,
    processor: String,
    cores: usize,
    kernel: String,
    isolation: Isolation,
    grader: String,
    /// The compiler of a reference that is in sources, and its flags.
    toolchain: Option<Vec<String>>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Kept {
    format: String,
    key: Key,
    /// How the problem judged outputs when they were found right.
    pub(crate) judging: String,
    pub(crate) cases: Vec<KeptCase>,
}

/// What is kept of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct KeptCase {
    pub(crate) subtask: SubtaskName,
    pub(crate) case: CaseName,
    /// Where the problem needs times.
    pub(crate) time: Option<KeptTime>,
    /// What the reference answered, where that is the answer.
    pub(crate) answer: Option<String>,
    /// The checker found its output right, where it is not the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) right: bool,
}

/// Measurements, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct KeptTime {
    smallest: CpuTime,
    largest: CpuTime,
    samples: u32,
}

impl From<Samples> for KeptTime {
    fn from(samples: Samples) -> Self {
        Self {
            smallest: samples.smallest,
            largest: samples.largest,
            samples: samples.count,
        }
    }
}

impl From<KeptTime> for Samples {
    fn from(kept: KeptTime) -> Self {
        Self {
            smallest: kept.smallest,
            largest: kept.largest,
            count: kept.samples,
        }
    }
}

impl Key {
    /// What holds here and now. Nothing where the reference cannot be built anyway.
    pub(crate) fn of(
        judge: &Judge,
        problem: &Problem,
        calibrations: &Calibrations,
    ) -> Option<Self> {
        let host = host::describe([]);
        let toolchain = match &problem.reference.as_ref()?.program {
            ReferenceProgram::Builtin(_) => None,
            ReferenceProgram::Sources(sources) => {
                let toolchain = language(recognise(sources)?).find().ok()?;
                let mut words = vec![toolchain.version];
                words.extend(toolchain.flags);
                Some(words)
            }
        };
        Some(Self {
            problem: problem.id.clone(),
            running: problem.parts().running,
            processor: host.cpu,
            cores: host.cores,
            kernel: host.kernel,
            isolation: judge.runner().isolation(),
            grader: calibrations.grader.clone(),
            toolchain,
        })
    }

    /// The file of this key in a folder.
    fn path(&self, folder: &Path) -> io::Result<PathBuf> {
        let hash = blake3::hash(&serde_json::to_vec(self)?).to_hex();
        // Ids of problems are words; a name is built of nothing else all the same.
        let id = self.problem.as_str().chars();
        let id: String = id
            .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
            .collect();
        Ok(folder.join(format!("{id}-{}.json", &hash[..16])))
    }
}

impl Kept {
    pub(crate) fn new(key: Key, judging: String, cases: Vec<KeptCase>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            key,
            judging,
            cases,
        }
    }

    /// What is kept for a key. Nothing where there is no file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not what we write.
    pub(crate) fn read(folder: &Path, key: &Key) -> io::Result<Option<Self>> {
        let path = key.path(folder)?;
        // A pipe would be waited for without end.
        match fs::metadata(&path) {
            Ok(found) if found.is_file() => {}
            Ok(_) => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "it is not a file",
                ));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let mut text = String::new();
        File::open(path)?.take(FILE).read_to_string(&mut text)?;
        let kept: Self = serde_json::from_str(&text)?;
        let is_sound = |case: &KeptCase| {
            case.time.is_none_or(|time| {
                time.samples > 0
                    && time.smallest <= time.largest
                    && time.smallest > CpuTime::default()
            })
        };
        if kept.format != FORMAT || kept.key != *key || !kept.cases.iter().all(is_sound) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "it does not hold what its name says",
            ));
        }
        Ok(Some(kept))
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When the folder cannot be made, or nothing can be written to it.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let path = self.key.path(folder)?;
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, self)?;
        file.flush()?;
        file.persist(path)?;
        Ok(())
    }
}

/// What is said once when a file cannot be read.
pub(crate) fn unreadable(folder: &Path, error: &io::Error) -> Text {
    let folder = grader_model::escaped(folder.as_os_str().as_encoded_bytes());
    Text::new(
        format!(
            "what is kept in `{folder}` of earlier measurements cannot be used, and is measured anew: {error}"
        ),
        format!("`{folder}` 中保存的测量结果无法使用，将重新测量：{error}"),
    )
}

/// What is said once when a file cannot be written.
pub(crate) fn unwritable(folder: &Path, error: &io::Error) -> Text {
    let folder = grader_model::escaped(folder.as_os_str().as_encoded_bytes());
    Text::new(
        format!("measurements cannot be kept in `{folder}` for the next run: {error}"),
        format!("无法把测量结果保存到 `{folder}` 供下次使用：{error}"),
    )
}

#[cfg(test)]
mod tests {
    use std::thread;

    use grader_model::IsolationLevel;

    use super::*;

    fn key(running: &str) -> Key {
        Key {
            problem: ProblemId::new("count"),
            running: running.to_owned(),
            processor: "a processor".to_owned(),
            cores: 4,
            kernel: "Linux 6.1".to_owned(),
            isolation: Isolation {
                level: IsolationLevel::Strict,
                layers: vec!["seccomp".to_owned()],
                missing: Vec::new(),
            },
            grader: "0.1.0 1234 5678".to_owned(),
            toolchain: None,
        }
    }

    fn kept(running: &str, millis: u64) -> Kept {
        Kept::new(
            key(running),
            "judging".to_owned(),
            vec![KeptCase {
                subtask: SubtaskName::new("small"),
                case: CaseName::new("n=4"),
                time: Some(Samples::one(CpuTime::from_millis(millis)).into()),
                answer: Some("2\n".to_owned()),
                right: false,
            }],
        )
    }

    #[test]
    fn what_is_written_is_read_again_for_the_same_key_only() {
        let folder = tempfile::tempdir().unwrap();
        kept("one", 20).write(folder.path()).unwrap();
        assert_eq!(
            Kept::read(folder.path(), &key("one")).unwrap(),
            Some(kept("one", 20))
        );
        assert_eq!(Kept::read(folder.path(), &key("two")).unwrap(), None);
        let mut basic = key("one");
        basic.isolation.level = IsolationLevel::Basic;
        assert_eq!(Kept::read(folder.path(), &basic).unwrap(), None);
    }

    #[test]
    fn a_file_that_is_broken_or_holds_something_else_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = key("one").path(folder.path()).unwrap();
        let mut newer = kept("one", 20);
        newer.format = "bitcraft-calibration/3".to_owned();
        let json = |kept: &Kept| serde_json::to_string(kept).unwrap();
        for text in [
            String::new(),
            "{".to_owned(),
            json(&kept("two", 20)),
            json(&kept("one", 0)),
            json(&newer),
        ] {
            fs::write(&path, &text).unwrap();
            assert!(Kept::read(folder.path(), &key("one")).is_err(), "{text}");
        }
        kept("one", 20).write(folder.path()).unwrap();
        assert!(Kept::read(folder.path(), &key("one")).unwrap().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_a_file_is_not_waited_for_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = key("one").path(folder.path()).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("skipped: no mkfifo here");
            return;
        }
        assert!(Kept::read(folder.path(), &key("one")).is_err());
        kept("one", 20).write(folder.path()).unwrap();
        assert_eq!(
            Kept::read(folder.path(), &key("one")).unwrap(),
            Some(kept("one", 20))
        );
    }

    #[test]
    fn two_that_write_at_a_time_leave_one_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        thread::scope(|scope| {
            for writer in 1..=2 {
                let folder = folder.path();
                scope.spawn(move || {
                    for round in 1..=50 {
                        kept("one", writer * 100 + round).write(folder).unwrap();
                        assert!(Kept::read(folder, &key("one")).unwrap().is_some());
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(kept("one", 20).write(&file.join("cache")).is_err());
    }
}
