//! Sample submissions: the folders `tests/NAME` with a `test.yml`, and the list `tests` of `init.yml`.

use grader_model::{Verdict, file_name};
use serde_json::Value;

use super::data::plain;
use crate::draft::Draft;
use crate::error::PackageError;
use crate::expected::{self, Expectation};
use crate::fields::Fields;
use crate::output::points;

/// The names that `tests/NAME/test.yml` may have.
const FILES: [&str; 3] = ["test.yml", "test.posix.yml", "test.linux.yml"];

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
    verdicts: Vec<Verdict>,
    /// Its points, if the package has them.
    score: Option<f64>,
    seconds: f64,
    memory: f64,
}

impl DmojSamples {
    pub(super) fn read(draft: &mut Draft<'_>, list: Option<Value>) -> Result<Self, PackageError> {
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
                found = found.or(Fields::read(draft.library, &format!("{path}/{file}"))?);
            }
            match found {
                Some(fields) => samples.sample(draft, &format!("{path}/"), &folder.name, fields)?,
                None => draft.note(format!("`{path}` is not used: it has no `test.yml`")),
            }
        }
        if let Some(Value::Array(list)) = list {
            for (number, item) in list.into_iter().enumerate() {
                let fields = Fields::of("init.yml: tests", Some(item))?;
                samples.sample(draft, "", &format!("{}", number + 1), fields)?;
            }
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
        mut fields: Fields,
    ) -> Result<(), PackageError> {
        let language = fields.text("language")?.unwrap_or_default();
        let is_skipped = fields.take("skip") == Some(Value::Bool(true));
        let seconds = fields.number("time")?.unwrap_or_default();
        let memory = fields.number("memory")?.unwrap_or_default() / 1024.0;
        let score = fields.number("score")?;
        let mut expected = vec![fields.take("expect")];
        match fields.take("cases") {
            Some(Value::Array(cases)) => expected.extend(cases.into_iter().map(Some)),
            Some(Value::Object(cases)) => expected.extend(cases.into_values().map(Some)),
            _ => {}
        }
        let mut verdicts = verdicts(&expected);
        if score.is_some() && verdicts == [Verdict::Accepted] {
            // There, an output worth a part of the points, or none, is accepted.
            verdicts.extend([Verdict::PartiallyCorrect, Verdict::WrongAnswer]);
        }
        for source in fields.words("source")?.unwrap_or_default() {
            let path = plain(&format!("{folder}{source}"))?;
            draft.mark_used(&path);
            if is_skipped || language.starts_with("PY2") {
                draft.note(format!("`{path}` is not used: its language is not known"));
                continue;
            }
            if !verdicts.is_empty() {
                self.seconds = self.seconds.max(seconds);
                self.memory = self.memory.max(memory.ceil());
            }
            self.found.push(FoundSample {
                fallback_name: format!("{name}-{}", file_name(&path)),
                path,
                verdicts: verdicts.clone(),
                score,
                seconds,
                memory,
            });
        }
        // Its label and target machines.
        fields.ignore(&["label", "targets", "arch", "required_auxiliary_executors"]);
        draft.notes.extend(fields.left());
        Ok(())
    }

    /// Copies a sample, unless it must exceed a limit of its own that is below the problem's.
    fn copy(&mut self, draft: &mut Draft<'_>, sample: &FoundSample) -> Result<(), PackageError> {
        let must_exceed = |verdict| {
            sample.verdicts.contains(&verdict) && !sample.verdicts.contains(&Verdict::Accepted)
        };
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
        let expectation = Expectation {
            points: sample.score.map(|score| [points(score); 2]),
            ..sample.verdicts.clone().into()
        };
        draft.sample(path, file, &sample.fallback_name, &expectation)?;
        if sample.verdicts == [Verdict::Accepted] && self.accepted.is_none() {
            self.accepted = Some((path.clone(), file.to_owned()));
        }
        Ok(())
    }
}

/// The verdicts that a sample may get, from those expected for all cases and for individual ones; empty if one is
/// unknown.
fn verdicts(expected: &[Option<Value>]) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let mut may_pass = true;
    for codes in expected.iter().flatten() {
        let codes: Vec<&str> = match codes {
            Value::Array(codes) => codes.iter().filter_map(Value::as_str).collect(),
            code => code.as_str().into_iter().collect(),
        };
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
