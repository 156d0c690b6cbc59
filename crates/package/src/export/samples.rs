//! Sample submissions of an exported package: in the folder from which import reads the same expectation, or the nearest one.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Points, Verdict, counted};
use grader_problem::{Checker, Expectation, Sample};
use serde_json::{Map, Value, json};

use super::writer::{PackageWriter, cases, is_plain, wrapper};
use crate::expected::{self, Rules, Scores};

/// The four folders of the legacy format, and those that `2025-09` adds.
const FOLDERS: [&str; 6] = [
    "accepted",
    "wrong_answer",
    "time_limit_exceeded",
    "run_time_error",
    "brute_force",
    "rejected",
];
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
        let mut notes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut rules: Rules = BTreeMap::new();
        let mut weaker: Vec<&str> = Vec::new();
        for sample in samples {
            let folder = self.folder(&sample.expectation, is_custom, scores);
            let written = folder.and_then(|folder| Ok((folder, self.sample(sample, folder)?)));
            let (folder, path) = match written {
                Ok(written) => written,
                Err(why) => {
                    notes.entry(why).or_default().insert(&sample.path);
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
        let mut all = samples.iter().map(|it| &it.expectation);
        if all.clone().any(|it| it.because.is_some()) {
            self.note("`because` in `expected.toml` is not exported");
        }
        if all.any(|it| !it.flags.is_empty()) {
            self.note("`flags` in `expected.toml` are not exported");
        }
        for (why, paths) in notes {
            let paths: Vec<&str> = paths.into_iter().collect();
            self.note(format!("not exported, as {why}: `{}`", paths.join("`, `")));
        }
    }

    /// The folder for a sample.
    fn folder(
        &self,
        wanted: &Expectation,
        is_custom: bool,
        scores: Scores,
    ) -> Result<&'static str, &'static str> {
        use Verdict::{Accepted, CompileError, PartiallyCorrect, PresentationError};
        let is_exact = || cases(self.problem).all(|(_, case)| case.checker == Checker::Exact);
        match wanted.verdicts[..] {
            [CompileError] => return Err("the package has no verdict CE"),
            [PresentationError] if !is_custom && !is_exact() => {
                return Err("the package has no verdict PE");
            }
            [PartiallyCorrect] if self.scoring.is_none() => {
                return Err("no output is worth a part in the package");
            }
            [PartiallyCorrect] => return Ok("partially_accepted"),
            // Partially correct outputs are accepted, and so may be a submission that is wrong elsewhere.
            [Accepted] | [Accepted, PartiallyCorrect] => return Ok("accepted"),
            _ if wanted.required == [Accepted] => return Ok("accepted"),
            _ => {}
        }
        // There, who earns points is accepted.
        if scores.only_accepted && !self.fails_whole() {
            match &wanted.points {
                Some(points) if *points.end() == Points::ZERO => {}
                Some(points) if *points.start() > Points::ZERO => return Ok("partially_accepted"),
                _ => {
                    let why =
                        "it is not known whether they earn points (`points` in `expected.toml`)";
                    return Err(why);
                }
            }
        }
        let folders = if self.is_legacy {
            &FOLDERS[..4]
        } else {
            &FOLDERS
        };
        let of_folder = |name: &&&str| expected::from_word(name).unwrap_or_default();
        let fits = |name: &&&str| {
            let of_folder = of_folder(name);
            let mut verdicts = wanted.verdicts.iter();
            verdicts.all(|it| *it == PartiallyCorrect || of_folder.contains(it))
        };
        let found = folders.iter().filter(fits);
        match found.min_by_key(|name| of_folder(name).len()) {
            Some(folder) => Ok(folder),
            None if !self.is_legacy && wanted.verdicts.contains(&Accepted) => Ok("mixed"),
            None => Err("they may get several verdicts"),
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
    fn sample(&mut self, sample: &Sample, folder: &str) -> Result<String, &'static str> {
        let (own, name) = sample.path.split_once('/').unwrap_or(("", &sample.path));
        if !sample.sources.iter().all(|source| is_plain(&source.path)) {
            return Err("the format does not allow these characters in names");
        }
        let mut sources = sample.sources.clone();
        if self.reads_arguments {
            let only = "only C, C++ and single files of Python can read arguments there";
            let (c, python) = (include_str!("arguments.c"), include_str!("arguments.py"));
            let reader = wrapper(&sources, "arguments", c, python).ok_or(only)?;
            if sources.iter().any(|it| it.path == reader.path) {
                return Err("the file that reads arguments there has the name of one of theirs");
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
    let sources = sample.sources.iter();
    let texts: Vec<_> = sources
        .map(|it| String::from_utf8_lossy(&it.bytes))
        .collect();
    let secret = groups.iter().filter(|(it, _)| it.starts_with("secret/"));
    let secret: Vec<String> = secret.map(|(_, name)| name.clone()).collect();
    let mut read = expected::by_folder(folder, &texts.join("\n"), &secret);
    if expected::apply_rules(rules, path, groups, &mut read).is_err() {
        return false;
    }
    scores.apply(&mut read);
    let wanted = &sample.expectation;
    // Partially correct outputs are accepted.
    let set = |verdicts: &[Verdict]| -> BTreeSet<&str> {
        let is_kept = |it: &&Verdict| verdicts.len() == 1 || **it != Verdict::PartiallyCorrect;
        verdicts
            .iter()
            .filter(is_kept)
            .map(|it| it.code())
            .collect()
    };
    let subtasks = |it: &Expectation| -> Vec<_> {
        let subtasks = it.subtasks.iter();
        subtasks.map(|(name, it)| (name.clone(), set(it))).collect()
    };
    let is_right = wanted.verdicts == [Verdict::Accepted];
    let of_folder = read.verdicts.first().copied();
    of_folder.map(expected::folder) == Some(expected::folder(sample.verdict))
        && set(&read.verdicts) == set(&wanted.verdicts)
        && set(read.required()) == set(wanted.required())
        && (is_right || read.points == wanted.points && subtasks(&read) == subtasks(wanted))
}
