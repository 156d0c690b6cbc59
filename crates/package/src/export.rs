//! Exports a problem as a package of Kattis and ICPC.
//!
//! Formats: <https://icpc.io/problem-package-format/spec/legacy.html> and `2025-09.html` beside it. Programs in the legacy format
//! take no arguments: the export puts them in the first line of standard input, and adds a small file that reads it to sample
//! submissions.

mod groups;
mod latex;
mod programs;
mod samples;
mod scoring;
mod statements;
mod writer;

use std::collections::{BTreeMap, BTreeSet};

use grader_model::SourceFile;
use grader_problem::{Case, Checker, ExitPolicy, Problem, Sample, TestData, TimeRule};
use serde_json::{Map, Value, json};

use self::scoring::omitted;
pub use self::writer::Exported;
use self::writer::{PackageWriter, Writes, cases};
use crate::error::{PackageError, unsupported};

/// A version of the problem package format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// `legacy`: read by Kattis, problemtools and DOMjudge, and by BAPCtools after `bt upgrade`.
    #[default]
    Legacy,
    /// `2025-09`: read by BAPCtools.
    V2025_09,
}

/// What the user decides about an export.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportOptions {
    /// The version of the format.
    pub format: ExportFormat,
    /// Whether points are left out, as contests of ICPC and BAPCtools want it.
    pub pass_fail: bool,
}

/// Exports a problem. `statements` has the files of its statements, by their paths in its folder; `data` has the data of all
/// cases, in order.
///
/// # Errors
/// If the format cannot express how the problem is judged.
pub fn export(
    problem: &Problem,
    samples: &[Sample],
    statements: &[SourceFile],
    data: &[TestData],
    options: ExportOptions,
) -> Result<Exported, PackageError> {
    let is_legacy = options.format == ExportFormat::Legacy;
    let mut package = PackageWriter {
        problem,
        is_legacy,
        reads_arguments: is_legacy && cases(problem).any(|(_, case)| !case.arguments.is_empty()),
        writes: Writes::of(problem),
        scoring: None,
        clash: None,
        exported: Exported {
            files: BTreeMap::new(),
            notes: BTreeSet::new(),
        },
    };
    package.refuse()?;
    package.scoring = package.choose_scoring(options.pass_fail);
    let is_custom = package.output_validator()?;
    let names = package.statements(statements);
    package.head(is_custom, &names);
    package.data(data)?;
    package.input_validator();
    package.samples(samples, is_custom);
    if let Some(path) = package.clash {
        return unsupported(format!("two files of the package would be `{path}`"));
    }
    Ok(package.exported)
}

impl PackageWriter<'_> {
    /// Fails on features that the package would judge wrongly, and notes those that it omits.
    fn refuse(&mut self) -> Result<(), PackageError> {
        let problem = self.problem;
        if !problem.submission.include.is_empty() {
            return unsupported("problems with `include` are not supported");
        }
        if let Some(files) = problem.submission.kind.instead() {
            return unsupported(format!("problems that take {files} are not supported"));
        }
        let mut languages = problem.languages.iter();
        if languages.any(|it| it.definition.build.is_some()) {
            return unsupported("problems with a `command` in `[build]` are not supported");
        }
        if cases(problem).any(|(_, case)| case.test.is_some()) {
            return unsupported("unit tests are not supported");
        }
        if cases(problem).any(|(_, case)| case.second_run.is_some()) {
            return unsupported("problems with `[second-run]` are not supported");
        }
        if problem.own.is_some() {
            return unsupported("problems with `[student]` are not supported");
        }
        if problem.run.passes > 1 && self.is_legacy {
            return unsupported("problems with several passes need `--icpc=2025-09`");
        }
        if problem.run.input_file.is_some() || problem.run.output_file.is_some() {
            return unsupported("problems that read or write a named file are not supported");
        }
        let mut all = cases(problem);
        if !problem.run.files.is_empty() || all.any(|(_, case)| !case.files.is_empty()) {
            return unsupported("problems with data files are not supported");
        }
        let asks = |case: &Case| matches!(case.exit_status, ExitPolicy::Status(1..));
        if cases(problem).any(|(_, case)| asks(case) || case.stderr.is_some()) {
            return unsupported("problems with `exit-status` or `stderr` are not supported");
        }
        if cases(problem).any(|(_, case)| case.exit_status == ExitPolicy::Ignored) {
            self.note(
                "`exit-status` is not exported: there, every other exit status than 0 is an error",
            );
        }
        for subtask in &problem.subtasks {
            let name = &subtask.name;
            for key in omitted(subtask) {
                self.note(format!("subtask `{name}`: `{key}` is not exported"));
            }
        }
        let mut rules = problem.source.forbid.iter().chain(&problem.source.require);
        if rules.any(|it| it.refuses) {
            self.note("rules on sources are not exported");
        }
        if cases(problem).any(|(_, case)| case.hint.is_some()) {
            self.note("hints of cases are not exported");
        }
        Ok(())
    }

    /// `problem.yaml`, with the names in the languages of the statements.
    fn head(&mut self, is_custom: bool, names: &BTreeMap<String, String>) {
        let problem = self.problem;
        let has = |is: bool, word: &'static str| is.then_some(word);
        let is_interactive = cases(problem).any(|(_, case)| case.checker.is_interactive());
        let is_scoring = self.scoring.is_some();
        let kind = if is_scoring { "scoring" } else { "pass-fail" };
        let mut head = Map::new();
        head.insert("uuid".to_owned(), uuid(problem.id.as_str()).into());
        head.insert("limits".to_owned(), self.limits(is_custom));
        if self.is_legacy {
            let words = [
                has(is_custom, "custom"),
                has(is_custom && self.gives_scores(), "score"),
                has(is_interactive, "interactive"),
            ];
            let words: Vec<_> = words.into_iter().flatten().collect();
            head.insert("problem_format_version".to_owned(), "legacy".into());
            head.insert("name".to_owned(), problem.title.en.as_str().into());
            if is_custom {
                head.insert("validation".to_owned(), words.join(" ").into());
            }
            // `bt upgrade` wants no other type beside `validation`.
            if is_scoring {
                head.insert("type".to_owned(), kind.into());
                head.insert(
                    "grading".to_owned(),
                    json!({ "show_test_data_groups": true }),
                );
            }
        } else {
            let words = [
                Some(kind),
                has(is_interactive, "interactive"),
                has(problem.run.passes > 1, "multi-pass"),
            ];
            let words: Vec<_> = words.into_iter().flatten().collect();
            head.insert("problem_format_version".to_owned(), "2025-09".into());
            head.insert("name".to_owned(), json!(names));
            head.insert("type".to_owned(), json!(words));
        }
        self.yaml("problem.yaml", &head);
    }

    fn limits(&mut self, is_custom: bool) -> Value {
        let limits = &self.problem.limits;
        let size = self.problem.submission.size.0;
        let mut values = json!({
            "memory": mebibytes(limits.memory.0),
            "output": mebibytes(limits.output.0),
            "code": size.div_ceil(1 << 10).max(1),
        });
        for (what, bytes) in [("memory", limits.memory.0), ("output", limits.output.0)] {
            if !bytes.is_multiple_of(1 << 20) {
                let most = mebibytes(bytes);
                self.note(format!(
                    "the {what} limit becomes {most} MiB: the format has whole ones"
                ));
            }
        }
        if self.problem.run.passes > 1 {
            values["validation_passes"] = self.problem.run.passes.into();
        }
        let mut programs = cases(self.problem).filter_map(|(_, case)| match &case.checker {
            Checker::Program(call) => Some(&call.program),
            _ => None,
        });
        if let Some(program) = programs.next().filter(|_| is_custom) {
            values["validation_time"] = (program.cpu.0.as_millis().div_ceil(1000) as u64).into();
            values["validation_memory"] = mebibytes(program.memory.0).into();
        }
        self.time_limit(&mut values);
        values
    }

    fn time_limit(&mut self, values: &mut Value) {
        let limits = &self.problem.limits;
        match &limits.time {
            TimeRule::Absolute(time) => {
                let seconds = time.0.as_secs_f64();
                if self.is_legacy {
                    self.file(".timelimit", format!("{seconds}\n"));
                } else {
                    values["time_limit"] = seconds.into();
                    // A limit must be a multiple of it, which is 1 by default.
                    if seconds.fract() != 0.0 {
                        values["time_resolution"] = seconds.into();
                    }
                }
            }
            TimeRule::Reference(rule) => {
                let is_same = rule.slowest && rule.at_least.is_none() && rule.at_most.is_none();
                let mut note =
                    "the time limit is a multiple of the slowest accepted submission's time there"
                        .to_owned();
                note += if is_same {
                    ""
                } else {
                    ", not of the reference's"
                };
                if rule.round_up.is_none() {
                    note += ", without an allowance for the start, in whole seconds";
                }
                if !is_same || rule.round_up.is_none() {
                    self.note(note);
                }
                if rule.factor < 1.0 {
                    self.note(
                        "the multiple of the time limit becomes 1: the format has none below",
                    );
                }
                let factor = json!(rule.factor.max(1.0));
                if self.is_legacy {
                    values["time_multiplier"] = factor;
                } else {
                    values["time_multipliers"] = json!({ "ac_to_time_limit": factor });
                }
                let step = rule.round_up.map_or(1.0, |step| step.0.as_secs_f64());
                if (step - 1.0).abs() > f64::EPSILON {
                    values["time_resolution"] = step.into();
                }
            }
        }
        if cases(self.problem).any(|(_, case)| case.time.is_some()) {
            self.note("`time` of a case is not exported: it depends on the machine");
        }
        let languages = limits.languages.iter();
        let mut languages =
            languages.filter(|(id, _)| self.problem.submission.languages.contains(id));
        let is_own = |factor: f64| (factor - 1.0).abs() > f64::EPSILON;
        if languages.any(|(_, it)| is_own(it.time_factor) || it.memory.is_some()) {
            self.note("limits of languages are not exported: the package has one for all");
        }
    }
}

/// Mebibytes, rounded up, at least 1.
fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20).max(1)
}

/// A UUID that does not change with the problem (RFC 9562, version 8: a hash of its id).
fn uuid(id: &str) -> String {
    let hash = blake3::hash(id.as_bytes()).to_hex();
    format!(
        "{}-{}-8{}-8{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[12..15],
        &hash[15..18],
        &hash[18..30]
    )
}
