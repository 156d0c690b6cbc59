//! The result of an import, and the serialised form of `problem.toml`.

use std::collections::BTreeMap;

use grader_model::{Points, escaped};
use grader_problem::{DiskLibrary, Library as _};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::constants::MAX_BYTES;
use crate::error::{PackageError, unsupported};

/// An imported problem, to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Its files, by their paths in the problem's folder.
    pub(crate) files: Vec<(String, Content)>,
    /// Differences from the package, one sentence each.
    pub notes: Vec<String>,
    /// Which files became each subtask, one sentence each, for a folder of tests in no format.
    pub paired: Vec<String>,
}

impl Imported {
    /// The files, one after the other: the path in the problem's folder, and the bytes, of which some are read from the package
    /// only now.
    ///
    /// An item is an error if a file cannot be read, was not downloaded by Git LFS, or makes all of them too large.
    pub fn contents(
        &self,
        package: &DiskLibrary,
    ) -> impl Iterator<Item = Result<(&str, Vec<u8>), PackageError>> {
        let around = package.around();
        let mut left = MAX_BYTES.0;
        self.files.iter().map(move |(path, content)| {
            let bytes = content.bytes(package, around.as_ref().unwrap_or(package))?;
            if bytes.starts_with(LFS_POINTER) {
                return unsupported(format!(
                    "`{}` is not in this copy: run `git lfs pull` there first",
                    escaped(path.as_bytes())
                ));
            }
            left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
                PackageError::unsupported(format!("its files are larger than {MAX_BYTES}"))
            })?;
            Ok((path.as_str(), bytes))
        })
    }
}

/// What stands in place of a file of Git LFS that was not downloaded.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// Content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A copy of the file at this path in the package.
    Copy(String),
    /// A copy of the text at this path in the package, with line feeds instead of Windows line ends.
    Lines(String),
    /// A copy of the file at this path in the repository around the package.
    Shared(String),
    /// What is used of the file at this path in the package.
    Changed { from: String, bytes: Vec<u8> },
    /// Bytes.
    Bytes(Vec<u8>),
}

impl Content {
    /// The path in the package that it is made of.
    pub(crate) fn source(&self) -> Option<&str> {
        match self {
            Self::Copy(from) | Self::Lines(from) | Self::Changed { from, .. } => Some(from),
            Self::Shared(_) | Self::Bytes(_) => None,
        }
    }

    fn bytes(&self, package: &DiskLibrary, around: &DiskLibrary) -> Result<Vec<u8>, PackageError> {
        let read = |library: &DiskLibrary, from: &str| {
            let failed = |error| PackageError::file(&escaped(from.as_bytes()), error);
            library.read(from).map_err(failed)
        };
        match self {
            Self::Bytes(bytes) | Self::Changed { bytes, .. } => Ok(bytes.clone()),
            Self::Copy(from) => read(package, from),
            Self::Lines(from) => Ok(with_line_feeds(read(package, from)?)),
            Self::Shared(from) => read(around, from),
        }
    }
}

/// A text with line feeds instead of Windows line ends.
fn with_line_feeds(mut text: Vec<u8>) -> Vec<u8> {
    let original = text.clone();
    let mut next = original.iter().skip(1);
    text.retain(|byte| next.next() != Some(&b'\n') || *byte != b'\r');
    text
}

/// `problem.toml`, in the order in which it is written.
#[derive(Default, Serialize)]
pub(crate) struct TomlProblem {
    pub(crate) format: u32,
    pub(crate) id: String,
    pub(crate) title: Value,
    pub(crate) submission: TomlSubmission,
    /// Flags of compilers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) build: BTreeMap<&'static str, Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) run: BTreeMap<&'static str, Value>,
    pub(crate) limits: TomlLimits,
    pub(crate) reference: Option<BTreeMap<&'static str, Value>>,
    /// A table with the checker's name as its only key.
    pub(crate) checker: Option<Value>,
    pub(crate) interactor: Option<TomlProgram>,
    #[serde(serialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub(crate) validator: Vec<TomlProgram>,
    pub(crate) subtask: Vec<TomlSubtask>,
}

#[derive(Default, Serialize)]
pub(crate) struct TomlSubmission {
    pub(crate) files: Vec<String>,
    pub(crate) size: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) include: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) languages: Vec<&'static str>,
}

#[derive(Default, Serialize)]
pub(crate) struct TomlLimits {
    pub(crate) time: Value,
    pub(crate) memory: String,
    pub(crate) output: String,
    pub(crate) languages: BTreeMap<&'static str, BTreeMap<&'static str, f64>>,
}

/// Writes one program as a table, and several as an array of tables.
fn one_or_more<S: Serializer>(programs: &[TomlProgram], serializer: S) -> Result<S::Ok, S::Error> {
    match programs {
        [one] => one.serialize(serializer),
        all => all.serialize(serializer),
    }
}

/// A checker, interactor or validator.
#[derive(Clone, Default, Serialize)]
pub(crate) struct TomlProgram {
    pub(crate) source: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) protocol: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) processes: Option<u32>,
}

impl TomlProgram {
    pub(crate) fn new(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            ..Self::default()
        }
    }

    /// A checker or interactor that reads and writes as testlib does.
    pub(crate) fn testlib(source: impl Into<String>) -> Self {
        Self {
            protocol: Some("testlib"),
            ..Self::new(source)
        }
    }

    /// This program as the table of a checker.
    pub(crate) fn checker(&self) -> Value {
        serde_json::json!({ "program": self })
    }
}

/// A group of cases.
#[derive(Clone, Default, Serialize)]
pub(crate) struct TomlSubtask {
    pub(crate) name: String,
    pub(crate) points: Points,
    pub(crate) score: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) require: Vec<String>,
    /// Whether students may not see its cases.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hidden: bool,
    pub(crate) folder: Option<String>,
    /// Whether its cases are in the order of their names' bytes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) lexicographic: bool,
    /// Its own checker, if different from the problem's.
    pub(crate) checker: Option<Value>,
    /// Its own validators, if different from the problem's.
    #[serde(serialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub(crate) validator: Vec<TomlProgram>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) case: Vec<TomlCase>,
}

#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct TomlCase {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) arguments: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<String>,
    pub(crate) generate: Option<String>,
    pub(crate) stdin_file: Option<String>,
    pub(crate) answer: Option<&'static str>,
    pub(crate) answer_file: Option<String>,
}

impl TomlCase {
    /// Whether it has arguments or files of its own.
    pub(crate) fn is_own(&self) -> bool {
        !self.arguments.is_empty() || !self.files.is_empty()
    }
}

/// Template that produces this text.
pub(crate) fn template(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// Points, rounded to thousandths; at most one more than the maximum, so that sums do not overflow.
pub(crate) fn points(points: f64) -> Points {
    let most = Points::MAX + Points::whole(1);
    Points::from_thousandths((points * 1000.0).round() as u64).min(most)
}

/// Gives all points to the last subtask, which requires all others: only a submission that passes every test earns them.
pub(crate) fn all_or_nothing<'a>(
    subtasks: impl IntoIterator<Item = &'a mut TomlSubtask>,
    worth: Points,
) {
    let mut subtasks: Vec<_> = subtasks.into_iter().collect();
    if let Some((last, others)) = subtasks.split_last_mut() {
        last.require = others.iter().map(|other| other.name.clone()).collect();
        last.points = worth;
        for other in others {
            other.points = Points::ZERO;
        }
    }
}
