//! Sample submissions of an exported package: in the folder from which import reads the same expectation, or the nearest one.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Points, SourceFile, Verdict, counted};
use grader_problem::{Checker, Expectation, Sample};
use serde_json::{Map, Value, json};

use super::writer::{PackageWriter, cases, is_plain};
use crate::expected::{self, Rules, Scores};

/// The folders of the legacy format, and those that `2025-09` adds.
const FOLDERS: [&str; 4] = [
    "accepted",
    "wrong_answer",
    "time_limit_exceeded",
    "run_time_error",
];
const LATER: [&str; 2] = ["brute_force", "rejected"];
/// The verdicts of the format.
const WORDS: [&str; 4] = ["AC", "WA", "TLE", "RTE"];

/// The words of the format that stand for these verdicts, and perhaps for more.
fn words(verdicts: &[Verdict]) -> Vec<&'static str> {
    let means = |word: &&str| {
        let of_word = expected::from_word(word).unwrap_or_default();
        verdicts.iter().any(|it| of_word.contains(it))
    };
    WORDS.into_iter().filter(means).collect()
}

impl PackageWriter<'_> {
    /// Exports the sample submissions, and notes those for which that is impossible.
    pub(super) fn samples(&mut self, samples: &[Sample], is_custom: bool) {
        let groups: Vec<(String, String)> = self
            .folders()
            .into_iter()
            .map(|(folder, subtask)| {
                let folder = folder.trim_start_matches("data/").to_owned();
                (folder, subtask.name.as_str().to_owned())
            })
            .collect();
        let scores = Scores {
            // A legacy package says what accepted submissions earn.
            in_parts: self.scoring.is_some() && is_custom && !self.is_legacy,
            in_any: false,
            only_accepted: self.scoring.is_some() && self.is_legacy,
        };
        let mut notes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        let mut rules: Rules = BTreeMap::new();
        let mut weaker: Vec<&str> = Vec::new();
        for sample in samples {
            let written = self.folder(sample, is_custom, scores).and_then(|folder| {
                let path = self.sample(sample, folder)?;
                Ok((folder, path))
            });
            let (folder, path) = match written {
                Ok(written) => written,
                Err(why) => {
                    let note = format!("not exported, as {why}");
                    notes.entry(note).or_default().insert(&sample.path);
                    continue;
                }
            };
            if !self.is_legacy {
                let rule = self.rule(&sample.expectation, folder, &groups);
                rules.extend((!rule.is_empty()).then(|| (path.clone(), Value::Object(rule))));
            }
            if !reads_same(sample, folder, &path, &rules, &groups, scores) {
                weaker.push(&*sample.path);
            }
        }
        if !rules.is_empty() {
            let rules: Map<String, Value> = rules.into_iter().collect();
            self.yaml("submissions/submissions.yaml", &rules);
        }
        if let Some(first) = weaker.first() {
            self.note(format!(
                "{} expected to do something else in the package than `expected.toml` says, such as `{first}`",
                counted(weaker.len(), "sample is", "samples are")
            ));
        }
        for (note, paths) in notes {
            let paths: Vec<&str> = paths.into_iter().collect();
            self.note(format!("{note}: `{}`", paths.join("`, `")));
        }
    }

    /// The folder for a sample.
    fn folder(
        &self,
        sample: &Sample,
        is_custom: bool,
        scores: Scores,
    ) -> Result<&'static str, String> {
        let expectation = &sample.expectation;
        let verdicts: Vec<Verdict> = match &expectation.verdicts[..] {
            // Partially correct outputs are accepted, and so may be a submission that is wrong elsewhere.
            [Verdict::Accepted, Verdict::PartiallyCorrect] => vec![Verdict::Accepted],
            _ if expectation.required == [Verdict::Accepted] => vec![Verdict::Accepted],
            [only] => vec![*only],
            verdicts => {
                let others = verdicts.iter().copied();
                others
                    .filter(|it| *it != Verdict::PartiallyCorrect)
                    .collect()
            }
        };
        let is_exact = || cases(self.problem).all(|(_, case)| case.checker == Checker::Exact);
        let points = expectation.points.as_ref();
        match &verdicts[..] {
            [Verdict::CompileError] => return Err("the package has no verdict CE".to_owned()),
            [Verdict::PresentationError] if !is_custom && !is_exact() => {
                return Err("the package has no verdict PE".to_owned());
            }
            [Verdict::PartiallyCorrect] if self.scoring.is_some() => {
                return Ok("partially_accepted");
            }
            [Verdict::Accepted] => {}
            // There, who earns points is accepted.
            _ if scores.only_accepted && !self.fails_whole() => match points {
                Some(points) if *points.end() == Points::ZERO => {}
                Some(points) if *points.start() > Points::ZERO => return Ok("partially_accepted"),
                _ => {
                    let why =
                        "it is not known whether they earn points (`points` in `expected.toml`)";
                    return Err(why.to_owned());
                }
            },
            _ => {}
        }
        let later = if self.is_legacy { &[][..] } else { &LATER };
        let of_folder = |name: &&str| expected::from_word(name).unwrap_or_default();
        let folders = FOLDERS.iter().chain(later).copied();
        let fits = |name: &&str| {
            let of_folder = of_folder(name);
            verdicts.iter().all(|it| of_folder.contains(it))
        };
        let found = folders
            .filter(fits)
            .min_by_key(|name| of_folder(name).len());
        match found {
            Some(folder) => Ok(folder),
            None if !self.is_legacy && verdicts.contains(&Verdict::Accepted) => Ok("mixed"),
            None => Err("they may get several verdicts".to_owned()),
        }
    }

    /// What `submissions.yaml` says about a sample in this folder.
    fn rule(
        &self,
        expectation: &Expectation,
        folder: &str,
        groups: &[(String, String)],
    ) -> Map<String, Value> {
        let mut rule = Map::new();
        let of_folder = expected::from_word(folder).unwrap_or_default();
        let (permitted, usual) = (words(&expectation.verdicts), words(&of_folder));
        let is_partial = expectation.verdicts == [Verdict::PartiallyCorrect];
        let is_whole = !expectation.first_failure && folder != "accepted";
        if is_partial {
            // The folder is no default one, so something must be said of it.
            rule.insert("use_for_time_limit".to_owned(), false.into());
        } else if is_whole || permitted != usual || !expectation.required.is_empty() {
            let with_accepted = [&[Verdict::Accepted], &expectation.verdicts[..]].concat();
            rule.insert("permitted".to_owned(), words(&with_accepted).into());
            rule.insert("required".to_owned(), words(expectation.required()).into());
        }
        if let Some(points) = expectation
            .points
            .as_ref()
            .filter(|_| self.scoring.is_some())
        {
            let ends = [points.start().to_f64(), points.end().to_f64()];
            rule.insert("score".to_owned(), json!(ends));
        }
        for (folder, name) in groups {
            let of_group = expectation
                .subtasks
                .iter()
                .find(|(it, _)| it.as_str() == name);
            let of_group = of_group.map_or_else(Vec::new, |(_, verdicts)| words(verdicts));
            if !of_group.is_empty() && !of_group.contains(&"AC") {
                let permitted = [&["AC"][..], &of_group].concat();
                rule.insert(
                    folder.clone(),
                    json!({ "permitted": permitted, "required": of_group }),
                );
            } else if of_group == ["AC"] {
                rule.insert(folder.clone(), json!({ "permitted": ["AC"] }));
            }
        }
        rule
    }

    /// Writes a sample, and returns its path below `submissions/`.
    fn sample(&mut self, sample: &Sample, folder: &str) -> Result<String, String> {
        let (own, name) = sample.path.split_once('/').unwrap_or(("", &sample.path));
        if !sample.sources.iter().all(|source| is_plain(&source.path)) {
            return Err("the format does not allow these characters in names".to_owned());
        }
        let mut sources = sample.sources.clone();
        if self.reads_arguments {
            let only = "only C, C++ and single files of Python can read arguments there";
            let reader = reader(&sources).ok_or(only)?;
            if sources.iter().any(|it| it.path == reader.path) {
                return Err(
                    "the file that reads arguments there has the name of one of theirs".to_owned(),
                );
            }
            sources.push(reader);
        }
        let file = format!("{folder}/{name}");
        let files = &self.exported.files;
        // Two folders of ours may be one there.
        let is_taken = files.contains_key(&format!("submissions/{file}"));
        let is_file = matches!(&sources[..], [only] if only.path == name) && !is_taken;
        let mut path = if is_file {
            file
        } else {
            format!("{folder}/{}", name.replace('.', "-"))
        };
        let taken = format!("submissions/{path}/");
        if files.keys().any(|it| it.starts_with(&taken)) {
            path = format!("{folder}/{own}-{}", name.replace('.', "-"));
        }
        for source in sources {
            let inside = if is_file {
                String::new()
            } else {
                format!("/{}", source.path)
            };
            self.file(format!("submissions/{path}{inside}"), &*source.bytes);
        }
        Ok(path)
    }
}

/// Whether import reads the expectation of a sample as it is here, but for what no package has.
fn reads_same(
    sample: &Sample,
    folder: &str,
    path: &str,
    rules: &Rules,
    groups: &[(String, String)],
    scores: Scores,
) -> bool {
    let texts = sample
        .sources
        .iter()
        .map(|it| String::from_utf8_lossy(&it.bytes));
    let texts: Vec<_> = texts.collect();
    let secret = groups
        .iter()
        .filter(|(folder, _)| folder.starts_with("secret/"));
    let secret: Vec<String> = secret.map(|(_, name)| name.clone()).collect();
    let mut read = expected::by_folder(folder, &texts.join("\n"), &secret);
    if expected::apply_rules(rules, path, groups, &mut read).is_err() {
        return false;
    }
    scores.apply(&mut read);
    let wanted = &sample.expectation;
    // Partially correct outputs are accepted.
    let is_part = |it: &Verdict| *it == Verdict::PartiallyCorrect;
    let set = |verdicts: &[Verdict]| -> BTreeSet<&str> {
        let others = verdicts
            .iter()
            .filter(|it| verdicts.len() == 1 || !is_part(it));
        others.map(|it| it.code()).collect()
    };
    let subtasks = |it: &Expectation| -> Vec<_> {
        it.subtasks
            .iter()
            .map(|(name, verdicts)| (name.clone(), set(verdicts)))
            .collect()
    };
    let is_right = wanted.verdicts == [Verdict::Accepted];
    let of_folder = read.verdicts.first().copied();
    of_folder.map(expected::folder) == Some(expected::folder(sample.verdict))
        && set(&read.verdicts) == set(&wanted.verdicts)
        && set(read.required()) == set(wanted.required())
        && (is_right || read.points == wanted.points && subtasks(&read) == subtasks(wanted))
}

/// A file that makes a program read its arguments from standard input, if possible.
fn reader(sources: &[SourceFile]) -> Option<SourceFile> {
    let has = |wanted: &str| sources.iter().any(|source| source.extension() == wanted);
    let c = include_str!("arguments.c");
    let (path, text) = match sources {
        _ if has("cpp") || has("cc") => ("arguments.cpp", c.to_owned()),
        _ if has("c") => ("arguments.c", c.to_owned()),
        [only] if has("py") && only.path != "main.py" => {
            let text = include_str!("arguments.py");
            ("main.py", text.replace("PROGRAM", &only.path))
        }
        _ => return None,
    };
    Some(SourceFile::new(path, text.into_bytes()))
}
