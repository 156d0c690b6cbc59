//! Problems of UOJ: `problem.conf`, with a key and a value in each line, beside the tests.
//!
//! Authoritative is the judge's code: `judger/uoj_judger` of <https://github.com/UniversalOJ/UOJ-System>.

use std::collections::BTreeMap;

use grader_model::Points;
use serde_json::{Value, json};

use crate::constants::{MAX_CASES, MAX_SUBTASKS, MAX_YAML};
use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::output::{Imported, TomlProgram};
use crate::plain::{program, solution};
use crate::polygon::built_in;
use crate::test_groups::{Test, TestGroup, Worth, add};
use crate::yaml::read_text;

pub(crate) const FILE: &str = "problem.conf";
/// Kinds of problems that need a judge of their own.
const OWN_JUDGE: [&str; 3] = ["submit_answer", "interaction_mode", "with_implementer"];

pub(crate) fn import(draft: Draft<'_>) -> Result<Imported, PackageError> {
    let text = read_text(draft.library, FILE, MAX_YAML)?.unwrap_or_default();
    let mut keys = BTreeMap::new();
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] => {}
            [key, value] => drop(keys.insert(key.to_owned(), value.to_owned())),
            _ => return mistake(FILE, format!("expected a key and a value, found `{line}`")),
        }
    }
    let mut reader = UojReader { draft, keys };
    reader.problem()?;
    let UojReader { mut draft, keys } = reader;
    draft.notes.extend(
        keys.keys()
            .map(|key| format!("`{FILE}`: `{key}` is not used")),
    );
    draft.note_unused(|name| name == FILE);
    draft.finish()
}

struct UojReader<'a> {
    draft: Draft<'a>,
    /// Keys that are not read yet.
    keys: BTreeMap<String, String>,
}

impl UojReader<'_> {
    fn text(&mut self, key: &str, usual: &str) -> String {
        self.keys.remove(key).unwrap_or_else(|| usual.to_owned())
    }

    fn number(&mut self, key: &str, usual: usize) -> Result<usize, PackageError> {
        let text = self.text(key, &usual.to_string());
        let number = text.parse().ok().filter(|it| *it <= 1_000_000);
        number.ok_or_else(|| {
            PackageError::file(FILE, format!("`{key}`: expected a number, found `{text}`"))
        })
    }

    fn points(&mut self, key: &str, usual: usize) -> Result<Points, PackageError> {
        let points = self.number(key, usual)? as u32;
        Ok(Points::whole(points))
    }

    fn problem(&mut self) -> Result<(), PackageError> {
        let own = OWN_JUDGE
            .into_iter()
            .find(|key| self.text(key, "off") == "on");
        if let Some(key) = own {
            return unsupported(format!("`{key}` needs the judge of UOJ"));
        } else if self.text("use_builtin_judger", "off") != "on" {
            return unsupported("the package has its own judge (`use_builtin_judger` is not `on`)");
        }
        self.draft.problem.checker = Some(self.checker()?);
        if self.draft.is_file("val.cpp") {
            program(&mut self.draft, "val.cpp", "validator")?;
            self.draft.problem.validator = vec![TomlProgram::new("validator")];
        }
        let files = self.draft.library.list("").unwrap_or_default();
        let files: Vec<String> = files.into_iter().map(|it| it.name).collect();
        solution(&mut self.draft, &files)?;
        let mut keys = self.keys.iter();
        let has_points = keys.any(|(key, value)| {
            key.starts_with("point_score_") || key == "n_subtasks" && value != "0"
        });
        let mut groups = self.groups()?;
        if let Some(tests) = groups.last_mut().filter(|_| !has_points) {
            // UOJ rounds the points of a test down, but all tests together are worth 100.
            tests.worth = Worth::Shared(Points::whole(100));
        }
        let gives_part = self.draft.is_used("chk.cpp");
        add(&mut self.draft, groups, gives_part)?;
        let time = self.limit("time_limit", 1.0)?;
        let (memory, output) = (
            self.limit("memory_limit", 256.0)?,
            self.limit("output_limit", 64.0)?,
        );
        self.draft.limit(Some(time), memory, output);
        Ok(())
    }

    /// The largest of a limit and of those of single tests.
    fn limit(&mut self, key: &str, usual: f64) -> Result<f64, PackageError> {
        // It holds for the tests without a limit of their own.
        self.keys
            .entry(key.to_owned())
            .or_insert_with(|| usual.to_string());
        let of_tests = format!("{key}_");
        let mut largest = None;
        for name in self.keys.keys().cloned().collect::<Vec<_>>() {
            if name == key || name.starts_with(&of_tests) {
                let text = self.text(&name, "");
                let Some(limit) = text.parse().ok().filter(|it: &f64| *it > 0.0 && *it < 1e6)
                else {
                    return mistake(FILE, format!("`{name}`: expected a number, found `{text}`"));
                };
                if largest.is_some_and(|it: f64| (it - limit).abs() > f64::EPSILON) {
                    self.draft.note(format!(
                        "`{key}` differs between tests: all get the largest"
                    ));
                }
                largest = Some(largest.unwrap_or(0.0).max(limit));
            }
        }
        Ok(largest.unwrap_or(usual))
    }

    fn checker(&mut self) -> Result<Value, PackageError> {
        let Some(name) = self.keys.remove("use_builtin_checker") else {
            if !self.draft.is_file("chk.cpp") {
                return mistake(FILE, "there is neither `use_builtin_checker` nor `chk.cpp`");
            }
            program(&mut self.draft, "chk.cpp", "checker")?;
            return Ok(TomlProgram::testlib("checker").checker());
        };
        let similar = match &*name {
            "lcmp" => json!({ "tokens": {} }),
            "fcmp" => json!({ "lines": {} }),
            "bcmp" => json!({ "exact": {} }),
            "casewcmp" => json!({ "tokens": { "case-sensitive": false } }),
            _ => {
                let checker = built_in(&format!("std::{name}.cpp"));
                return checker.ok_or_else(|| {
                    PackageError::unsupported(format!("the checker `{name}` is not supported"))
                });
            }
        };
        if ["lcmp", "fcmp"].contains(&&*name) {
            self.draft.note(format!(
                "the checker `{name}` is not quite the same here: spaces and line ends matter less"
            ));
        }
        Ok(similar)
    }

    /// The test of a number; `extra` begins the names of extra tests.
    fn test(&self, extra: &str, number: usize, points: Points) -> Test {
        let part = |key: &str, usual: &str| {
            self.keys
                .get(key)
                .cloned()
                .unwrap_or_else(|| usual.to_owned())
        };
        let name = |kind: &str| {
            let (before, after) = (
                part(&format!("{kind}_pre"), kind),
                part(&format!("{kind}_suf"), "txt"),
            );
            format!("{extra}{before}{number}.{after}")
        };
        Test {
            name: number.to_string(),
            ..Test::new(&name("input"), Some(&name("output")), points)
        }
    }

    fn groups(&mut self) -> Result<Vec<TestGroup>, PackageError> {
        let count = self.number("n_tests", 10)?;
        let (extra, samples) = (
            self.number("n_ex_tests", 0)?,
            self.number("n_sample_tests", 0)?,
        );
        let subtasks = self.number("n_subtasks", 0)?;
        if count == 0 || count + extra > MAX_CASES || samples > extra || subtasks > MAX_SUBTASKS {
            return mistake(
                FILE,
                "the numbers of tests and subtasks are too large, or there are none",
            );
        }
        let mut groups = Vec::new();
        for (name, first, last) in [("sample", 1, samples), ("extra", samples + 1, extra)] {
            if first <= last {
                groups.push(TestGroup {
                    name: name.to_owned(),
                    is_sample: name == "sample",
                    tests: (first..=last)
                        .map(|it| self.test("ex_", it, Points::ZERO))
                        .collect(),
                    ..TestGroup::default()
                });
                self.draft.note("an extra test that fails takes 3 points away in UOJ; here, it is worth nothing");
            }
        }
        let mut first = 1;
        for number in 1..=subtasks.max(1) {
            let kind = self.text(&format!("subtask_type_{number}"), "packed");
            if !["packed", "min"].contains(&&*kind) {
                return unsupported(format!(
                    "`subtask_type_{number}`: `{kind}` is not supported"
                ));
            }
            let last = self.number(
                &format!("subtask_end_{number}"),
                if subtasks < 2 { count } else { 0 },
            )?;
            let points = self.points(&format!("subtask_score_{number}"), 100 / subtasks.max(1))?;
            if last < first || last > count {
                return mistake(
                    FILE,
                    format!("`subtask_end_{number}`: expected {first} to {count}, found {last}"),
                );
            }
            let mut tests = Vec::new();
            for test in first..=last {
                let points = self.points(&format!("point_score_{test}"), 100 / count)?;
                tests.push(self.test("", test, points));
            }
            first = last + 1;
            groups.push(TestGroup {
                name: if subtasks == 0 {
                    "tests".to_owned()
                } else {
                    number.to_string()
                },
                worth: match &*kind {
                    _ if subtasks == 0 => Worth::Own,
                    "packed" if subtasks == 1 => Worth::Packed(Points::whole(100)),
                    "packed" => Worth::Packed(points),
                    _ => Worth::Worst(points),
                },
                require: self.dependencies(number),
                tests,
                ..TestGroup::default()
            });
        }
        for key in ["input_pre", "input_suf", "output_pre", "output_suf"] {
            self.keys.remove(key);
        }
        Ok(groups)
    }

    /// The subtasks on which one depends: a number, or `many` with a list of keys.
    fn dependencies(&mut self, number: usize) -> Vec<String> {
        let key = format!("subtask_dependence_{number}");
        let mut found = Vec::new();
        match &*self.text(&key, "none") {
            "none" | "0" => {}
            "many" => {
                for place in 1.. {
                    match self.keys.remove(&format!("{key}_{place}")) {
                        Some(name) => found.push(name),
                        None => break,
                    }
                }
            }
            name => found.push(name.to_owned()),
        }
        found
    }
}
