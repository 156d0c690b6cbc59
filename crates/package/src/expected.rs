//! Expected verdicts of sample submissions in packages.

use std::collections::BTreeMap;

use grader_model::Verdict;
use grader_problem::{SAMPLE_FOLDERS, fits};
use serde_json::Value;

/// The verdicts for a Kattis submission folder, the most specific first: it determines our folder.
pub(crate) fn from_folder(name: &str) -> Option<Vec<Verdict>> {
    use Verdict::{
        Accepted, CompileError, MemoryLimit, OutputLimit, PresentationError, RuntimeError,
        TimeLimit, WrongAnswer,
    };
    Some(match name {
        "accepted" => vec![Accepted],
        "wrong_answer" | "partially_accepted" => vec![WrongAnswer, PresentationError],
        "time_limit_exceeded" => vec![TimeLimit],
        "run_time_error" => vec![RuntimeError, MemoryLimit, OutputLimit],
        "memory_limit_exceeded" => vec![MemoryLimit, RuntimeError],
        "output_limit_exceeded" => vec![OutputLimit, RuntimeError],
        "brute_force" => vec![TimeLimit, RuntimeError, MemoryLimit],
        "rejected" => vec![
            WrongAnswer,
            PresentationError,
            TimeLimit,
            RuntimeError,
            MemoryLimit,
        ],
        "compile_error" | "compiler_error" => vec![CompileError],
        _ => return None,
    })
}

/// The verdicts for a word such as `WA`, `WRONG-ANSWER` or `TIMELIMIT`.
pub(crate) fn from_word(word: &str) -> Option<Vec<Verdict>> {
    let plain: String = word.chars().filter(char::is_ascii_alphabetic).collect();
    from_folder(match &*plain.to_lowercase() {
        "ac" | "correct" | "accepted" => "accepted",
        "wa" | "wronganswer" | "nooutput" => "wrong_answer",
        "tle" | "timelimit" | "timelimitexceeded" => "time_limit_exceeded",
        "rte" | "runerror" | "runtimeerror" => "run_time_error",
        "memorylimit" | "memorylimitexceeded" => "memory_limit_exceeded",
        "ole" | "outputlimit" | "outputlimitexceeded" => "output_limit_exceeded",
        "compilererror" | "compileerror" => "compile_error",
        _ => return None,
    })
}

/// The verdicts that `@EXPECTED_RESULTS@: …` in a source names, as DOMjudge reads it.
pub(crate) fn from_source(bytes: &[u8]) -> Option<Vec<Verdict>> {
    let text = String::from_utf8_lossy(bytes);
    let (_, rest) = text.split_once("@EXPECTED_RESULTS@:")?;
    let words = rest.lines().next()?.split(',');
    let words = words.map(|word| word.trim().trim_end_matches(['*', '/', '-', '>', ' ']));
    let verdicts: Vec<Verdict> = words.filter_map(from_word).flatten().collect();
    (!verdicts.is_empty()).then_some(verdicts)
}

/// The verdicts of a rule in `submissions.yaml`; `None` if it names none.
pub(crate) fn from_rule(rule: &Value) -> Option<Vec<Verdict>> {
    let verdicts = |key: &str| {
        let words = rule.get(key)?.as_array()?.iter().filter_map(Value::as_str);
        let verdicts: Vec<Verdict> = words.filter_map(from_word).flatten().collect();
        (!verdicts.is_empty()).then_some(verdicts)
    };
    verdicts("required").or_else(|| {
        let mut permitted = verdicts("permitted")?;
        if permitted.len() > 1 {
            permitted.retain(|verdict| *verdict != Verdict::Accepted);
        }
        Some(permitted)
    })
}

/// A submission's verdicts by the last rule that matches its path.
pub(crate) fn by_rules(rules: &BTreeMap<String, Value>, path: &str) -> Option<Vec<Verdict>> {
    // A star matches anything except `/`.
    let fits = |glob: &str| {
        let (glob, path) = (glob.split('/'), path.split('/'));
        glob.clone().count() == path.clone().count()
            && glob.zip(path).all(|(glob, part)| fits(glob, part))
    };
    let folder = path.split('/').next().unwrap_or_default();
    let of_file = rules.iter().filter(|(glob, _)| fits(glob));
    let of_folder = rules.iter().filter(|(glob, _)| *glob == folder);
    let mut known = of_folder.chain(of_file).rev();
    known.find_map(|(_, rule)| from_rule(rule))
}

/// Our folder for samples with this verdict.
pub(crate) fn folder(verdict: Verdict) -> &'static str {
    let found = SAMPLE_FOLDERS.iter().find(|(_, it)| *it == verdict);
    found.map_or("wrong-answer", |(name, _)| name)
}
