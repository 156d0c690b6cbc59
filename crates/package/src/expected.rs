//! Expected results of sample submissions in packages. The first verdict of an expectation is the most specific: it determines our
//! folder. There is none if it is not known.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Points, SubtaskName, Verdict, natural_order};
use grader_problem::{Expectation, SAMPLE_FOLDERS};
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use crate::error::PackageError;
use crate::output::points;
use crate::yaml::{Yaml, items};

/// How the format of a package scores submissions.
#[derive(Clone, Copy)]
pub(crate) struct Scores {
    /// Whether an accepted test may earn a part of its points.
    pub(crate) in_parts: bool,
    /// Whether a submission is accepted if one of its tests is.
    pub(crate) in_any: bool,
    /// Whether a submission that is not accepted earns nothing.
    pub(crate) only_accepted: bool,
}

impl Scores {
    /// Adds what follows from the format's scores.
    pub(crate) fn apply(self, to: &mut Expectation) {
        if to.verdicts == [Verdict::Accepted] {
            if self.in_parts || self.in_any {
                to.verdicts.push(Verdict::PartiallyCorrect);
            }
            if self.in_any {
                to.verdicts.extend(from_words(["rejected"]));
                to.required = vec![Verdict::Accepted];
            }
        }
        let first = to.verdicts.first();
        let is_failure = first.is_some_and(|it| it.fails() && *it != Verdict::CompileError);
        if self.only_accepted && is_failure && !to.verdicts.contains(&Verdict::Accepted) {
            to.points.get_or_insert(Points::ZERO..=Points::ZERO);
        }
    }
}

/// Our folder for samples with this verdict.
pub(crate) fn folder(verdict: Verdict) -> &'static str {
    let found = SAMPLE_FOLDERS.iter().find(|(_, it)| *it == verdict);
    found.map_or("wrong-answer", |(name, _)| name)
}

/// The verdicts for a word or the name of a folder: `WA`, `TIMELIMIT`, `run_time_error`.
pub(crate) fn from_word(word: &str) -> Option<Vec<Verdict>> {
    use Verdict::{
        Accepted, CompileError, MemoryLimit, OutputLimit, PartiallyCorrect, PresentationError,
        RuntimeError, TimeLimit, WrongAnswer,
    };
    let plain: String = word.chars().filter(char::is_ascii_alphabetic).collect();
    Some(match &*plain.to_lowercase() {
        "ac" | "correct" | "accepted" => vec![Accepted],
        "partial" | "partiallyaccepted" => vec![PartiallyCorrect],
        "wa" | "wronganswer" | "nooutput" => vec![WrongAnswer, PresentationError],
        "tle" | "timelimit" | "timelimitexceeded" => vec![TimeLimit],
        "rte" | "runerror" | "runtimeerror" => vec![RuntimeError, MemoryLimit, OutputLimit],
        "mle" | "memorylimit" | "memorylimitexceeded" => vec![MemoryLimit, RuntimeError],
        "ole" | "outputlimit" | "outputlimitexceeded" => vec![OutputLimit, RuntimeError],
        "bruteforce" => vec![TimeLimit, RuntimeError, MemoryLimit, OutputLimit],
        "rejected" => vec![
            WrongAnswer,
            PresentationError,
            TimeLimit,
            RuntimeError,
            MemoryLimit,
            OutputLimit,
        ],
        "compilererror" | "compileerror" => vec![CompileError],
        _ => return None,
    })
}

/// The verdicts for several words.
fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<Verdict> {
    words.into_iter().filter_map(from_word).flatten().collect()
}

/// What a sample in a Kattis folder must get: its first failure decides. Tags in its sources override the folder, as in
/// DOMjudge (`@EXPECTED_RESULTS@: WRONG-ANSWER, CORRECT` unless it names all of the folder's verdicts, `@EXPECTED_SCORE@: 40`);
/// `@EXPECTED_GRADES@ AC WA` has the verdicts of the groups, whose subtasks are `groups`.
pub(crate) fn by_folder(folder: &str, sources: &str, groups: &[String]) -> Expectation {
    // A comment may mention a tag, without what follows it.
    let tags = |name: &str| {
        let rests: Vec<_> = sources
            .split(&format!("@EXPECTED_{name}@"))
            .skip(1)
            .collect();
        let lines = rests.into_iter().filter_map(|rest| rest.lines().next());
        lines.map(|line| line.trim_start_matches(':'))
    };
    let of_folder = from_word(folder).unwrap_or_default();
    let of_line = |line: &str| {
        let words = line.split(',').map(str::trim);
        from_words(words.map(|word| word.trim_end_matches(['*', '/', '-', '>', ' '])))
    };
    let mut lists = tags("RESULTS").chain(tags("SCORE")).map(of_line);
    let mut verdicts = lists.find(|it| !it.is_empty()).unwrap_or_default();
    let is_narrower = !of_folder.is_empty() && of_folder.iter().all(|it| verdicts.contains(it));
    if verdicts.is_empty() || is_narrower {
        verdicts = of_folder;
    }
    let mut scores = tags("SCORE").filter_map(|line| line.split_whitespace().next()?.parse().ok());
    let score = scores.next();
    let grades = tags("GRADES").take(1).flat_map(str::split_whitespace);
    let grades: Vec<_> = grades.map_while(from_word).collect();
    let mut names: Vec<&String> = groups.iter().collect();
    names.sort_by(|a, b| natural_order(a, b));
    let mut subtasks = BTreeMap::new();
    if grades.len() == names.len() && verdicts != [Verdict::Accepted] {
        let of_groups = names.into_iter().cloned().zip(grades);
        subtasks = of_groups
            .map(|(name, it)| (SubtaskName::new(name), with_partial(it)))
            .collect();
    }
    let is_whole = match verdicts[..] {
        [only] => !only.fails() || only == Verdict::CompileError,
        _ => false,
    };
    Expectation {
        verdicts,
        first_failure: !is_whole,
        points: score.map(|score| points(score)..=points(score)),
        subtasks,
        ..Expectation::default()
    }
}

/// The verdicts of a subtask, which may earn partial points even if a case fails.
fn with_partial(mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    if verdicts.iter().any(|verdict| verdict.fails()) {
        verdicts.push(Verdict::PartiallyCorrect);
    }
    verdicts
}

/// `submissions.yaml`: rules by patterns for paths.
pub(crate) type Rules = BTreeMap<String, Value>;

/// A rule for samples, or for their results in a group.
#[derive(Deserialize)]
struct RuleYaml {
    permitted: Option<Vec<String>>,
    required: Option<Vec<String>>,
    /// The points, or the fewest and the most.
    score: Option<Value>,
    /// Rules for groups, and keys that are not used.
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

/// Keys of a rule that do not affect judging here.
const IRRELEVANT: [&str; 3] = ["authors", "model_solution", "use_for_time_limit"];

/// The verdicts that all tests may get, and those of which one test must get one.
struct Rule {
    permitted: Vec<Verdict>,
    required: Vec<Verdict>,
}

impl Rule {
    /// The rule of a folder, if it is not changed.
    fn of_folder(name: &str) -> Self {
        match from_word(name) {
            Some(required) if required != [Verdict::PartiallyCorrect] => Self {
                permitted: [&required[..], &[Verdict::Accepted]].concat(),
                required,
            },
            _ => Self::any(),
        }
    }

    fn any() -> Self {
        let all = from_words(["WA", "TLE", "RTE", "AC"]);
        Self {
            permitted: all.clone(),
            required: all,
        }
    }

    /// Adds a rule, and returns whether it says something. All rules for a sample apply, except that the one for its folder
    /// `replaces` the default.
    fn add(&mut self, rule: &RuleYaml, replaces: bool) -> bool {
        let verdicts = |words: &Option<Vec<String>>| {
            let words = words.as_ref()?;
            Some(from_words(words.iter().map(String::as_str)))
        };
        let (permitted, required) = (verdicts(&rule.permitted), verdicts(&rule.required));
        let is_set = permitted.is_some() || required.is_some();
        match permitted {
            Some(permitted) if replaces => self.permitted = permitted,
            Some(permitted) => self.permitted.retain(|it| permitted.contains(it)),
            None => {}
        }
        // A narrow requirement usually implies a broad one.
        let is_narrow = |it: &Vec<Verdict>| replaces || it.len() <= self.required.len();
        self.required = required
            .filter(is_narrow)
            .unwrap_or_else(|| self.required.clone());
        is_set
    }

    /// The verdicts of a sample or subtask, the required ones first, and those that are required.
    fn verdicts(&self) -> (Vec<Verdict>, Vec<Verdict>) {
        let is_permitted = |it: &&Verdict| self.permitted.contains(it);
        let mut required: Vec<_> = self.required.iter().filter(is_permitted).copied().collect();
        if required.is_empty() {
            required.clone_from(&self.permitted);
        }
        let rest = self.permitted.iter().copied();
        let rest = rest.filter(|it| it.fails() && !required.contains(it));
        let mut verdicts: Vec<_> = required.iter().copied().chain(rest).collect();
        verdicts.sort_by_key(|verdict| !verdict.fails());
        (verdicts, required)
    }
}

/// Changes the expectation of a sample's folder by the rules of `submissions.yaml`. `groups` has the folder and the name
/// of each subtask. Returns what is not used.
pub(crate) fn apply_rules(
    rules: &Rules,
    path: &str,
    groups: &[(String, String)],
    expectation: &mut Expectation,
) -> Result<BTreeSet<String>, PackageError> {
    let folder = path.split('/').next().unwrap_or_default();
    let rules = rules.iter().filter(|(glob, _)| covers(glob, path));
    let (of_folder, others): (Vec<_>, Vec<_>) = rules.partition(|(glob, _)| *glob == folder);
    let mut whole = Rule::of_folder(folder);
    let (mut is_set, mut unused) = (false, BTreeSet::new());
    for (glob, rule) in of_folder.into_iter().chain(others) {
        let place = format!("submissions/submissions.yaml: {glob}");
        let rule: RuleYaml = Yaml::of(&place, rule.clone()).typed()?;
        is_set |= whole.add(&rule, glob == folder);
        let score: Vec<f64> = rule
            .score
            .iter()
            .flat_map(items)
            .filter_map(Value::as_f64)
            .collect();
        if let (Some(fewest), Some(most)) = (score.first(), score.last()) {
            expectation.points = Some(points(*fewest)..=points(*most));
        }
        let others = rule.others.iter();
        for (key, value) in others.filter(|(key, _)| !IRRELEVANT.contains(&&***key)) {
            let within = groups.iter().filter(|(folder, _)| covers(key, folder));
            let within: Vec<_> = within.map(|(_, name)| SubtaskName::new(name)).collect();
            if within.is_empty() || !value.is_object() {
                unused.insert(format!("`{place}`: `{key}` is not used"));
                continue;
            }
            let mut rule = Rule::any();
            if !rule.add(&Yaml::of(&place, value.clone()).typed()?, false) {
                continue;
            }
            if within.len() > 1 {
                // At least one case in any of them is required.
                rule.required.clone_from(&rule.permitted);
            }
            let (verdicts, required) = rule.verdicts();
            if required != [Verdict::Accepted] || verdicts.len() == 1 {
                let all = within
                    .into_iter()
                    .map(|name| (name, with_partial(verdicts.clone())));
                expectation.subtasks.extend(all);
            }
        }
    }
    if is_set {
        let (verdicts, required) = whole.verdicts();
        expectation.first_failure = false;
        expectation.required = if required.len() < verdicts.len() {
            required
        } else {
            Vec::new()
        };
        expectation.verdicts = verdicts;
    }
    Ok(unused)
}

/// Whether a pattern of `submissions.yaml` stands for this path or a folder above it. A star does not match `/`;
/// `{a,b}` matches `a` and `b`.
fn covers(glob: &str, path: &str) -> bool {
    let escaped = |text: &str| regex::escape(text).replace("\\*", "[^/]*");
    let mut pattern = "^".to_owned();
    // Every second part is in braces.
    for (index, part) in glob.trim_end_matches('/').split(['{', '}']).enumerate() {
        if index % 2 == 0 {
            pattern += &escaped(part);
        } else {
            let words: Vec<_> = part.split(',').map(|it| escaped(it.trim())).collect();
            pattern = format!("{pattern}(?:{})", words.join("|"));
        }
    }
    Regex::new(&(pattern + "(?:/|$)")).is_ok_and(|it| it.is_match(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_covers_what_is_below_it() {
        for (glob, path, is_covered) in [
            ("accepted", "accepted/a.py", true),
            ("accepted/", "accepted/a.py", true),
            ("accepted", "accepted2/a.py", false),
            ("accept", "accepted/a.py", false),
            ("accepted/*", "accepted/a.py", true),
            ("*/a.py", "accepted/a.py", true),
            ("*", "accepted/a.py", true),
            ("*.py", "accepted/a.py", false),
            ("*/b.{py,cpp}", "accepted/b.cpp", true),
            ("*/b.{py,cpp}", "accepted/b.c", false),
            ("secret/*{ 4 }{ 2,}", "secret/14", true),
            ("secret/*{4}{2}", "secret/24", false),
            ("", "a", false),
        ] {
            assert_eq!(covers(glob, path), is_covered, "{glob} {path}");
        }
    }

    #[test]
    fn all_rules_of_submissions_yaml_apply_and_that_of_a_folder_replaces_the_default() {
        let rules = r#"{
            "wrong_answer": { "permitted": ["AC", "WA", "TLE"] },
            "wrong_answer/slow.*": { "required": ["TLE"], "score": [10, 20] },
            "mine/*.py": { "permitted": ["AC", "RTE"] },
            "mine": { "secret": { "permitted": ["AC", "TLE"], "required": ["TLE"] }, "secret/1-*": {} },
            "accepted": { "authors": "Ann" }
        }"#;
        let rules: Rules = serde_json::from_str(rules).unwrap();
        let groups = [("sample", "sample"), ("secret/one", "one")];
        let groups = groups.map(|(folder, name)| (folder.to_owned(), name.to_owned()));
        for (path, entry, unused) in [
            ("accepted/a.py", "{}", 0),
            ("time_limit_exceeded/a.py", r#"{"first-failure":true}"#, 0),
            (
                "wrong_answer/a.py",
                r#"{"expected":["PE","TLE","WA"],"required":["PE","WA"]}"#,
                0,
            ),
            (
                "wrong_answer/slow.py",
                r#"{"expected":["PE","TLE","WA"],"points":[10,20],"required":["TLE"]}"#,
                0,
            ),
            (
                "mine/a.py",
                r#"{"expected":["AC","MLE","OLE","RE"],"subtasks":{"one":["PC","TLE"]}}"#,
                1,
            ),
        ] {
            let folder = path.split('/').next().unwrap();
            let mut expectation = by_folder(folder, "", &[]);
            let notes = apply_rules(&rules, path, &groups, &mut expectation).unwrap();
            assert_eq!(
                serde_json::to_string(&expectation).unwrap(),
                entry,
                "{path}"
            );
            assert_eq!(notes.len(), unused, "{notes:?}");
        }
    }

    #[test]
    fn tags_in_sources_change_what_their_folder_says() {
        let groups = ["group1".to_owned(), "group2".to_owned()];
        for (folder, sources, entry) in [
            ("accepted", "", "{}"),
            ("partially_accepted", "", "{}"),
            (
                "compiler_error",
                "# @EXPECTED_RESULTS@: COMPILER-ERROR",
                "{}",
            ),
            (
                "mixed",
                "/* @EXPECTED_RESULTS@: CORRECT, TIMELIMIT */",
                r#"{"expected":["AC","TLE"],"first-failure":true}"#,
            ),
            (
                "time_limit_exceeded",
                "@EXPECTED_RESULTS@: CORRECT, TIMELIMIT",
                r#"{"first-failure":true}"#,
            ),
            (
                "rejected",
                "@EXPECTED_RESULTS@: TIMELIMIT",
                r#"{"first-failure":true}"#,
            ),
            (
                "rejected",
                "@EXPECTED_RESULTS@: WRONG-ANSWER",
                r#"{"expected":["PE","WA"],"first-failure":true}"#,
            ),
            (
                "partial",
                "# @EXPECTED_SCORE@: 37.5\n",
                r#"{"points":37.5}"#,
            ),
            (
                "partially_accepted",
                "# @EXPECTED_GRADES@ AC WA\n",
                r#"{"subtasks":{"group1":["AC"],"group2":["PC","PE","WA"]}}"#,
            ),
            ("partially_accepted", "# @EXPECTED_GRADES@ AC WA AC\n", "{}"),
        ] {
            let found = by_folder(folder, sources, &groups);
            let found = serde_json::to_string(&found).unwrap();
            assert_eq!(found, entry, "{folder} {sources}");
        }
    }
}
