//! Sample submissions: the folders `tests/NAME` with a `test.yml`, and the list `tests` of `init.yml`.

use grader_model::{Verdict, file_name};
use grader_problem::Expectation;
use serde::Deserialize;
use serde_json::Value;

use super::data::plain;
use crate::draft::Draft;
use crate::error::PackageError;
use crate::expected;
use crate::output::points;
use crate::yaml::{Yaml, items};

/// The names that `tests/NAME/test.yml` may have.
const FILES: [&str; 3] = ["test.yml", "test.posix.yml", "test.linux.yml"];

/// `test.yml`, or an item of `tests` in `init.yml`.
#[derive(Deserialize)]
struct SampleYaml {
    source: Vec<String>,
    language: Option<String>,
    skip: Value,
    time: Option<f64>,
    memory: Option<f64>,
    score: Option<f64>,
    /// The expected verdicts of all cases, and those of some.
    expect: Option<Value>,
    cases: Value,
}

/// Facts about the problem from its samples.
pub(super) struct DmojSamples {
    /// The longest time limit.
    pub(super) seconds: f64,
    /// The largest memory limit, in MiB.
    pub(super) memory: f64,
    /// Path and name of an accepted sample.
    pub(super) accepted: Option<(String, String)>,
    found: Vec<FoundSample>,
}

/// A source with its expectation and its own limits.
struct FoundSample {
    path: String,
    fallback_name: String,
    expectation: Expectation,
    seconds: f64,
    memory: f64,
}

impl DmojSamples {
    pub(super) fn read(draft: &mut Draft<'_>, list: &Value) -> Result<Self, PackageError> {
        let mut samples = Self {
            seconds: 0.0,
            memory: 0.0,
            accepted: None,
            found: Vec::new(),
        };
        for folder in draft.library.list("tests").unwrap_or_default() {
            let path = format!("tests/{}", folder.name);
            let mut found = None;
            for file in FILES {
                found = found.or(Yaml::file(draft.library, &format!("{path}/{file}"))?);
            }
            match found {
                Some(yaml) => samples.sample(draft, &format!("{path}/"), &folder.name, yaml)?,
                None => draft.note(format!("`{path}` is not used: it has no `test.yml`")),
            }
        }
        for (number, item) in list.as_array().into_iter().flatten().enumerate() {
            let yaml = Yaml::of("init.yml: tests", item.clone());
            samples.sample(draft, "", &format!("{}", number + 1), yaml)?;
        }
        for sample in std::mem::take(&mut samples.found) {
            samples.copy(draft, &sample)?;
        }
        let about = "`[limits]` gets";
        if samples.seconds > 0.0 && samples.memory > 0.0 {
            draft.note(format!(
                "the package has no limits: {about} the largest of its tests, {} s and {} MiB",
                samples.seconds, samples.memory
            ));
        } else {
            (samples.seconds, samples.memory) = (2.0, 256.0);
            draft.note(format!(
                "the package has no limits: {about} 2 s and 256 MiB, for you to change"
            ));
        }
        Ok(samples)
    }

    /// Reads one sample, whose sources are below `folder`.
    fn sample(
        &mut self,
        draft: &mut Draft<'_>,
        folder: &str,
        name: &str,
        yaml: Yaml,
    ) -> Result<(), PackageError> {
        // Its label and target machines.
        let about = ["label", "targets", "arch", "required_auxiliary_executors"];
        let file: SampleYaml = draft.typed(yaml.ignoring(&about))?;
        let uses_pypy = file.language.as_deref() == Some("PYPY3");
        let is_python_2 = file.language.is_some_and(|it| it.starts_with("PY2"));
        let is_skipped = is_python_2 || file.skip == true;
        let (seconds, score) = (file.time.unwrap_or_default(), file.score);
        let memory = file.memory.unwrap_or_default() / 1024.0;
        let mut expected: Vec<Value> = file.expect.into_iter().collect();
        match file.cases {
            Value::Array(cases) => expected.extend(cases),
            Value::Object(cases) => expected.extend(cases.into_values()),
            _ => {}
        }
        let mut verdicts = verdicts(&expected);
        if score.is_some() && verdicts == [Verdict::Accepted] {
            // There, an output worth a part of the points, or none, is accepted.
            verdicts.extend([Verdict::PartiallyCorrect, Verdict::WrongAnswer]);
        }
        let expectation = Expectation {
            points: score.map(|score| points(score)..=points(score)),
            ..verdicts.into()
        };
        if uses_pypy && expectation.verdicts.first() == Some(&Verdict::Accepted) {
            draft.ask_for_pypy();
        }
        for source in file.source {
            let path = plain(&format!("{folder}{source}"))?;
            draft.mark_used(&path);
            if is_skipped {
                draft.note(format!("`{path}` is not used: its language is not known"));
                continue;
            }
            if !expectation.verdicts.is_empty() {
                self.seconds = self.seconds.max(seconds);
                self.memory = self.memory.max(memory.ceil());
            }
            self.found.push(FoundSample {
                fallback_name: format!("{name}-{}", file_name(&path)),
                path,
                expectation: expectation.clone(),
                seconds,
                memory,
            });
        }
        Ok(())
    }

    /// Copies a sample, unless it must exceed a limit of its own that is below the problem's.
    fn copy(&mut self, draft: &mut Draft<'_>, sample: &FoundSample) -> Result<(), PackageError> {
        let verdicts = &sample.expectation.verdicts;
        let must_exceed =
            |limit| verdicts.contains(&limit) && !verdicts.contains(&Verdict::Accepted);
        let path = &sample.path;
        if must_exceed(Verdict::TimeLimit) && sample.seconds < self.seconds
            || must_exceed(Verdict::MemoryLimit) && sample.memory.ceil() < self.memory
        {
            draft.note(format!(
                "`{path}` is not used: it is meant to exceed its own limits ({} s, {} KiB), which are below the problem's",
                sample.seconds,
                sample.memory * 1024.0
            ));
            return Ok(());
        }
        let file = file_name(path);
        draft.sample(path, file, &sample.fallback_name, &sample.expectation)?;
        if *verdicts == [Verdict::Accepted] && self.accepted.is_none() {
            self.accepted = Some((path.clone(), file.to_owned()));
        }
        Ok(())
    }
}

/// The verdicts that a sample may get, from those expected for all cases and for individual ones; empty if one is
/// unknown.
fn verdicts(expected: &[Value]) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let mut may_pass = true;
    for codes in expected {
        let codes: Vec<&str> = items(codes).iter().filter_map(Value::as_str).collect();
        // A skipped case says nothing.
        may_pass &= codes.contains(&"AC") || codes == ["SC"];
        for code in codes {
            match code {
                "AC" | "SC" => {}
                "IR" => verdicts.extend(expected::from_word("RTE").unwrap_or_default()),
                "CE" => verdicts.push(Verdict::CompileError),
                "MLE" => verdicts.extend(expected::from_word("memory limit").unwrap_or_default()),
                code => match expected::from_word(code) {
                    Some(more) => verdicts.extend(more),
                    None => return Vec::new(),
                },
            }
        }
    }
    if verdicts.contains(&Verdict::WrongAnswer) {
        // A checker may give a part of the points with `WA`.
        verdicts.push(Verdict::PartiallyCorrect);
    }
    if may_pass {
        verdicts.push(Verdict::Accepted);
    }
    verdicts
}
