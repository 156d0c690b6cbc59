//! The table of hostile programs: what each tries, and what it must get.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::station::Station;

#[derive(Deserialize)]
struct Table {
    row: Vec<Row>,
}

/// A row of `rows.toml`, where its fields are explained. What must not happen on the machine is checked for all rows
/// together, by [`crate::outside`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Row {
    pub(crate) number: u8,
    pub(crate) name: String,
    pub(crate) language: String,
    #[serde(default = "plain")]
    pub(crate) task: String,
    turn: Option<String>,
    /// In place of one source: a folder with these names, made from these files.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// Further files beside the source.
    pub(crate) padding: Option<Padding>,
    /// An object file that is compiled from this file and submitted beside the source.
    pub(crate) object: Option<String>,
    /// Submits a symbolic link in place of the source.
    #[serde(default)]
    pub(crate) link: bool,
    #[serde(default = "accepted")]
    verdicts: Vec<String>,
    message: Option<String>,
    without_cgroups: Option<Alternative>,
    without_clock: Option<Alternative>,
    signal: Option<i64>,
    cpu_ms: Option<f64>,
    memory_mib: Option<[u64; 2]>,
}

/// Many files of long names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Padding {
    /// The number of files.
    pub(crate) files: usize,
    /// Bytes of each name.
    pub(crate) bytes: usize,
    /// Folders around each file, which no other file is in.
    #[serde(default)]
    pub(crate) folders: usize,
    /// How the names end.
    pub(crate) extension: String,
}

#[derive(Deserialize)]
struct Alternative {
    verdicts: Vec<String>,
    message: String,
}

fn plain() -> String {
    "plain".to_owned()
}

fn accepted() -> Vec<String> {
    vec!["AC".to_owned()]
}

pub(crate) fn rows() -> Vec<Row> {
    let table: Table = toml::from_str(include_str!("rows.toml")).unwrap();
    table.row
}

/// The file name extension of a language, and the program without which it cannot be judged.
pub(crate) fn tools(language: &str) -> (&'static str, &'static str) {
    match language {
        "c" => ("c", "gcc"),
        "cpp" => ("cpp", "g++"),
        "rust" => ("rs", "rustc"),
        "java" => ("java", "javac"),
        "pascal" => ("pas", "fpc"),
        "python" => ("py", "python3"),
        // Of the assignment: Python with a large environment.
        "noted" => ("noted", "python3"),
        other => panic!("no language `{other}`"),
    }
}

/// The folder of the sources.
pub(crate) fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/programs")
}

/// The text of a source.
pub(crate) fn program(file: &str) -> String {
    fs::read_to_string(programs().join(file)).unwrap_or_else(|error| panic!("`{file}`: {error}"))
}

impl Row {
    /// The name of its source in `programs/`.
    pub(crate) fn file(&self) -> String {
        let (extension, _) = tools(&self.language);
        format!("{:02}-{}.{extension}", self.number, self.name)
    }

    /// The student who submits it; the natural order of these names is the order of grading.
    pub(crate) fn student(&self) -> String {
        let turn = self.turn.as_deref().unwrap_or("m");
        let (extension, _) = tools(&self.language);
        format!("{turn}-{:02}-{}-{extension}", self.number, self.name)
    }

    /// What is not as it must be in the result of its problem.
    pub(crate) fn complaints(&self, problem: &Value, station: &Station) -> Vec<String> {
        let case = &problem["subtasks"][0]["cases"][0];
        let without_clock = self.without_clock.as_ref();
        let other = without_clock.filter(|_| !station.has_clock()).or_else(|| {
            self.without_cgroups
                .as_ref()
                .filter(|_| !station.has_cgroups())
        });
        let (verdicts, message) = match other {
            Some(other) => (&other.verdicts, Some(&other.message)),
            None => (&self.verdicts, self.message.as_ref()),
        };
        let verdict = problem["verdict"].as_str().unwrap().to_owned();
        let shown = case["message"].as_str().unwrap_or_default();
        let outcome = &case["outcome"];
        let cpu_ms = outcome["cpu-ms"].as_f64().unwrap_or_default();
        let memory = outcome["memory-bytes"].as_u64().unwrap_or_default();
        let scale = std::env::var("BITCRAFT_CLOCK_SCALE").map_or(1.0, |it| it.parse().unwrap());
        // What a process needs to start and to end comes on top.
        let burnt = |ms: f64| (ms * scale * 0.98..ms * scale * 1.5).contains(&cpu_ms);
        let peak = |[least, most]: [u64; 2]| (least << 20..=most << 20).contains(&memory);
        // The report names each file.
        let names = self.padding.as_ref().map_or(0, |it| it.files * 256);
        let most = (64 << 10) + names;
        let wrong = [
            (!verdicts.contains(&verdict)).then(|| format!("expected {verdicts:?}")),
            self.signal
                .filter(|signal| outcome["end"]["signalled"] != *signal)
                .map(|signal| format!("expected signal {signal}")),
            message
                .filter(|text| !shown.contains(*text))
                .map(|text| format!("expected the message `{text}`")),
            self.cpu_ms
                .filter(|ms| station.has_clock() && !burnt(*ms))
                .map(|ms| format!("expected {ms} ms of CPU time")),
            self.memory_mib
                .filter(|bounds| !peak(*bounds))
                .map(|bounds| format!("expected a peak of {bounds:?} MiB")),
            (problem.to_string().len() >= most).then(|| "expected less output".to_owned()),
        ];
        let student = self.student();
        let wrong = wrong.into_iter().flatten();
        wrong
            .map(|what| format!("{student}: {what}, found {verdict}: {case}"))
            .collect()
    }
}
