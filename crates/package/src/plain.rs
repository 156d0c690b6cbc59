//! A folder of tests in no format: pairs of files, and what lies beside them.

use std::collections::BTreeMap;

use grader_model::{Points, Verdict, counted, extension_of, file_name, file_stem, folder_of};
use grader_problem::Expectation;
use serde_json::json;

use crate::draft::{Draft, is_source};
use crate::error::{PackageError, unsupported};
use crate::options::ImportOptions;
use crate::output::{Content, Imported, TomlProgram};
use crate::pairs::{Pair, files_in, pair};
use crate::test_groups::{Test, TestGroup, Worth, add};
use crate::yaml::decoded;

/// Default limits, and default points of all subtasks together.
const SECONDS: f64 = 2.0;
const MEBIBYTES: f64 = 256.0;
const POINTS: u32 = 100;
/// Names of solutions, checkers and statements, without extension.
const SOLUTIONS: [&str; 3] = ["std", "sol", "solution"];
const CHECKERS: [&str; 4] = ["chk", "check", "checker", "spj"];
const STATEMENTS: [&str; 4] = ["statement", "problem", "题面", "readme"];
/// Names of documents that give the problem away, without extension.
const EDITORIALS: [&str; 3] = ["editorial", "solution", "题解"];

/// Files by which packages are recognised: in a folder of tests, there may be none.
const OF_PACKAGES: [&str; 7] = [
    "problem.yaml",
    "problem.json",
    "problem.conf",
    "problem.xml",
    "task.yaml",
    "init.yml",
    "info.toml",
];

/// Imports a folder if at least half of its files belong to tests.
pub(crate) fn import(mut draft: Draft<'_>) -> Result<Imported, PackageError> {
    let files = files_in(draft.library, "")?;
    let inner = files.iter().find(|it| OF_PACKAGES.contains(&file_name(it)));
    if let Some(path) = inner {
        let folder = folder_of(path);
        return unsupported(format!(
            "this folder contains several packages: import one at a time, for example `{folder}`"
        ));
    }
    let is_hoj = |it: &&String| it.starts_with("problem_") && extension_of(it) == "json";
    if files.iter().any(|it| is_hoj(&it)) {
        return unsupported("packages of HOJ are not supported");
    }
    let pairs = pair(&files)?;
    let count = pairs.tests.iter().filter(|it| it.answer.is_some()).count();
    let is_known = |path: &&String| {
        let stem = file_stem(path).to_lowercase();
        let is_program = SOLUTIONS.contains(&&*stem) || CHECKERS.contains(&&*stem);
        is_program && is_source(path) || is_document(path)
    };
    let others = pairs.others.iter().filter(|path| !is_known(path)).count();
    if count == 0 {
        return Err(PackageError::Unknown);
    } else if count * 2 < others {
        return unsupported(format!(
            "expected a problem package or a folder of tests: {} belong to tests, and {others} do not",
            counted(count * 2, "file", "files")
        ));
    }
    let solution = solution(&mut draft, &pairs.others)?;
    let checker = checker(&mut draft, &pairs.others)?;
    documents(&mut draft, &pairs.others);
    subtasks(
        &mut draft,
        &pairs.tests,
        solution.as_deref(),
        checker.is_some(),
    )?;
    limits(&mut draft);
    draft.problem.checker = Some(checker.unwrap_or_else(|| {
        draft.note("outputs are compared by words: `[checker.tokens]`, for you to change");
        json!({ "tokens": {} })
    }));
    draft.finish()
}

/// Takes the accepted solutions among these files; returns the path of the first in the problem.
pub(crate) fn solution(
    draft: &mut Draft<'_>,
    files: &[String],
) -> Result<Option<String>, PackageError> {
    let mut first = None;
    let expectation = Expectation {
        verdicts: vec![Verdict::Accepted],
        ..Expectation::default()
    };
    let is_solution =
        |path: &&String| SOLUTIONS.contains(&&*file_stem(path).to_lowercase()) && is_source(path);
    for path in files.iter().filter(is_solution) {
        if let Some(place) =
            draft.place_sample(path, file_name(path), &path.replace('/', "-"), &expectation)?
        {
            let to = format!("submissions/{place}");
            draft.copy(path, &to)?;
            first.get_or_insert(to);
        }
    }
    Ok(first)
}

/// Takes a checker that uses testlib from these files.
pub(crate) fn checker(
    draft: &mut Draft<'_>,
    files: &[String],
) -> Result<Option<serde_json::Value>, PackageError> {
    let is_checker =
        |path: &&String| CHECKERS.contains(&&*file_stem(path).to_lowercase()) && is_source(path);
    for path in files.iter().filter(is_checker) {
        let text = draft.library.read(path).unwrap_or_default();
        if String::from_utf8_lossy(&text).contains("testlib.h") {
            program(draft, path, "checker")?;
            return Ok(Some(TomlProgram::testlib("checker").checker()));
        }
        draft.note(format!(
            "`{path}` may be a checker; only those that include `testlib.h` are taken"
        ));
    }
    Ok(None)
}

/// Copies a program with the headers beside it.
pub(crate) fn program(draft: &mut Draft<'_>, path: &str, folder: &str) -> Result<(), PackageError> {
    draft.copy(path, &format!("{folder}/{}", file_name(path)))?;
    let beside = folder_of(path);
    let mut has_testlib = false;
    for entry in draft.library.list(beside).unwrap_or_default() {
        if ["h", "hpp"].contains(&&*extension_of(&entry.name)) {
            has_testlib |= entry.name == "testlib.h";
            let from = format!("{beside}/{}", entry.name);
            draft.copy(
                from.trim_start_matches('/'),
                &format!("{folder}/{}", entry.name),
            )?;
        }
    }
    let text = draft.library.read(path).unwrap_or_default();
    if !has_testlib {
        let text = String::from_utf8_lossy(&text);
        draft.note_testlib(&format!("`{path}`"), &text, folder);
    }
    Ok(())
}

fn is_document(path: &str) -> bool {
    ["md", "pdf", "html"].contains(&&*extension_of(path))
}

/// Takes a statement; notes the other files.
pub(crate) fn documents(draft: &mut Draft<'_>, others: &[String]) {
    let is_only = others.iter().filter(|path| is_document(path)).count() == 1;
    let place = |path: &str| {
        let stem = file_stem(path).to_lowercase();
        let place = STATEMENTS.iter().position(|it| *it == stem);
        let is_other =
            is_only && extension_of(path) == "pdf" && !EDITORIALS.contains(&stem.as_str());
        place
            .or(is_other.then_some(STATEMENTS.len()))
            .filter(|_| is_document(path))
    };
    let found = others.iter().filter_map(|path| Some((place(path)?, path)));
    if let Some((_, path)) = found.min() {
        let to = format!("statement.{}", extension_of(path));
        if statement(draft, path, &to) {
            draft.note(format!("`{path}` is the statement"));
        }
    }
    for path in others {
        if !draft.is_used(path) {
            draft.note(format!("`{path}` is not used"));
        }
    }
}

/// Copies a statement; a text becomes UTF-8. Returns whether it can be read.
pub(crate) fn statement(draft: &mut Draft<'_>, from: &str, to: &str) -> bool {
    if extension_of(from) == "pdf" {
        draft.statement(from, to);
        return true;
    }
    draft.mark_used(from);
    let text = draft.library.read(from).ok().and_then(decoded);
    let is_read = text.is_some();
    match text {
        Some(text) => draft.changed(from, to, text.into_bytes()),
        None => draft.note(format!(
            "`{from}` is not used: it is neither in UTF-8 nor in GBK"
        )),
    }
    is_read
}

/// Adds the subtasks: the samples, and the groups of other tests.
fn subtasks(
    draft: &mut Draft<'_>,
    tests: &[Pair],
    solution: Option<&str>,
    may_give_a_part: bool,
) -> Result<(), PackageError> {
    let mut groups: Vec<TestGroup> = Vec::new();
    for it in tests {
        if it.answer.is_none() && solution.is_none() {
            let input = &it.input;
            return unsupported(format!(
                "`{input}` has no answer, and there is no solution (`std.cpp`) to give it"
            ));
        }
        let name = if it.group.is_empty() {
            "tests"
        } else {
            &it.group
        };
        let at = groups
            .iter()
            .position(|it| it.name == name)
            .unwrap_or_else(|| {
                groups.push(TestGroup {
                    name: name.to_owned(),
                    is_sample: it.is_sample,
                    ..TestGroup::default()
                });
                groups.len() - 1
            });
        groups[at].tests.push(Test {
            name: it.name.clone(),
            ..Test::new(&it.input, it.answer.as_deref(), Points::ZERO)
        });
    }
    groups.sort_by_key(|it| !it.is_sample);
    if let Some(path) = solution.filter(|_| tests.iter().any(|it| it.answer.is_none())) {
        draft.note(format!(
            "tests without an answer file get the output of `{path}`"
        ));
        draft.problem.reference = Some(BTreeMap::from([("path", path.into())]));
    }
    let count = groups.iter().filter(|it| !it.is_sample).count();
    let worth = points(draft, count)?;
    match count {
        0 => {}
        1 => draft.note("each test earns its share of the points"),
        _ => draft.note("a subtask earns its points if all its tests pass"),
    }
    let secret = groups.iter_mut().filter(|it| !it.is_sample);
    for (group, worth) in secret.zip(worth) {
        group.worth = match count {
            1 => Worth::Shared(worth),
            _ => Worth::Worst(worth),
        };
    }
    draft.paired = groups.iter().map(paired).collect();
    add(draft, groups, may_give_a_part)
}

/// Which files became a group: the first test and the last.
fn paired(group: &TestGroup) -> String {
    let points = match group.worth {
        Worth::Own => Points::ZERO,
        Worth::Shared(points) | Worth::Worst(points) | Worth::Packed(points) => points,
    };
    let files = |test: &Test| {
        let files = [&test.input, &test.answer].into_iter().flatten();
        let paths: Vec<&str> = files.filter_map(Content::source).collect();
        paths.join(" with ")
    };
    let mut ends: Vec<String> = group.tests.iter().map(files).collect();
    ends.drain(1..ends.len().max(2) - 1);
    let count = counted(group.tests.len(), "test", "tests");
    let (name, ends) = (&group.name, ends.join(" to "));
    format!("subtask `{name}`: {count}, worth {points}: {ends}")
}

/// The points of each subtask: as the options say, or 100 in all, divided equally.
fn points(draft: &mut Draft<'_>, count: usize) -> Result<Vec<Points>, PackageError> {
    let total = match &draft.options.points[..] {
        [] if count == 0 => return Ok(Vec::new()),
        [] => {
            let all = Points::whole(POINTS);
            draft.note(format!(
                "the tests are worth {all} points in all; change that with `--points`"
            ));
            all
        }
        [total] if count > 0 => *total,
        given if given.len() == count => return Ok(given.to_vec()),
        given => {
            let (given, count) = (given.len(), counted(count, "subtask", "subtasks"));
            return unsupported(format!(
                "`--points` has {given} numbers for {count}: give one for each, or one for all together"
            ));
        }
    };
    let until = |place| total.share(place, count);
    let points = (0..count).map(|place| until(place + 1).saturating_sub(until(place)));
    Ok(points.collect())
}

/// Sets `[limits]`: as the options say, or the defaults.
fn limits(draft: &mut Draft<'_>) {
    let ImportOptions {
        seconds, mebibytes, ..
    } = draft.options;
    let (time, memory) = (seconds.unwrap_or(SECONDS), mebibytes.unwrap_or(MEBIBYTES));
    draft.limit(Some(time), memory, 64.0);
    let unknown = [
        seconds.map_or("`--time`", |_| ""),
        mebibytes.map_or("`--memory`", |_| ""),
    ];
    let unknown: Vec<&str> = unknown.into_iter().filter(|it| !it.is_empty()).collect();
    if !unknown.is_empty() {
        let options = unknown.join(" and ");
        draft.note(format!(
            "the limits are {time} s and {memory} MiB in every language; change them with {options}"
        ));
    }
}
