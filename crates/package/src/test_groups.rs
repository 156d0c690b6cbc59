//! Groups of tests with points, as the formats on pairs of files have them, become subtasks.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Points, file_stem};

use crate::constants::{MAX_CASES, MAX_SUBTASKS};
use crate::draft::Draft;
use crate::error::{PackageError, unsupported};
use crate::output::TomlSubtask;
use crate::pairs::files_in;

/// A group of tests.
#[derive(Default)]
pub(crate) struct TestGroup {
    pub(crate) name: String,
    /// What the group is worth, if its worst test decides. `None` if each test is worth its own points.
    pub(crate) points: Option<Points>,
    /// Names of groups whose tests must all pass first.
    pub(crate) require: Vec<String>,
    pub(crate) is_sample: bool,
    /// Whether it is worth nothing if a test earns only a part.
    pub(crate) is_packed: bool,
    pub(crate) tests: Vec<Test>,
}

/// A test, by its paths in the package. Without them, the input or the answer is empty.
#[derive(Clone, Default)]
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) input: Option<String>,
    pub(crate) answer: Option<String>,
    pub(crate) points: Points,
    /// Whether the reference gives the answer.
    pub(crate) is_open: bool,
}

impl Test {
    /// A test that is called as its input.
    pub(crate) fn new(input: &str, answer: Option<&str>, points: Points) -> Self {
        Self {
            name: file_stem(input).to_owned(),
            input: Some(input.to_owned()),
            answer: answer.map(str::to_owned),
            points,
            is_open: false,
        }
    }
}

/// Adds the groups, in order, each after those that it requires. Tests of one group with different points become several
/// subtasks. `may_give_a_part`: whether the checker may accept an output for a part of the points.
pub(crate) fn add(
    draft: &mut Draft<'_>,
    groups: Vec<TestGroup>,
    may_give_a_part: bool,
) -> Result<(), PackageError> {
    let count: usize = groups.iter().map(|it| it.tests.len()).sum();
    if count == 0 || count > MAX_CASES {
        return unsupported(format!(
            "a problem must have 1 to {MAX_CASES} tests, found {count}"
        ));
    }
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for group in groups {
        let mut parts: Vec<(Points, Vec<Test>)> = Vec::new();
        for test in group.tests {
            let points = group.points.map_or(test.points, |_| Points::ZERO);
            match parts.iter_mut().find(|it| it.0 == points) {
                Some((_, tests)) => tests.push(test),
                None => parts.push((points, vec![test])),
            }
        }
        let name = &group.name;
        if parts.is_empty() {
            return unsupported(format!("subtask `{name}` has no tests"));
        } else if draft.problem.subtask.len() + parts.len() > MAX_SUBTASKS {
            return unsupported(format!(
                "there are more than {MAX_SUBTASKS} groups of tests"
            ));
        }
        let mut require = Vec::new();
        for required in group.require.iter().collect::<BTreeSet<_>>() {
            let Some(names) = names.get(required) else {
                return unsupported(format!(
                    "subtask `{name}` requires subtask `{required}`, which has no tests or comes later"
                ));
            };
            require.extend(names.clone());
        }
        let is_one = parts.len() == 1;
        for (each, tests) in parts {
            let name = if is_one {
                group.name.clone()
            } else {
                format!("{}-{each}", group.name)
            };
            let folder = format!("data/{name}");
            let all = (0..tests.len()).fold(Points::ZERO, |all, _| all + each);
            let mut used = BTreeSet::new();
            for (place, mut test) in tests.into_iter().enumerate() {
                // Inputs may differ only in their folders or extensions.
                while !used.insert(test.name.clone()) {
                    test.name = format!("{}-{}", test.name, place + 1);
                }
                put(draft, &format!("{folder}/{}", test.name), test);
            }
            names
                .entry(group.name.clone())
                .or_default()
                .push(name.clone());
            draft.problem.subtask.push(TomlSubtask {
                name,
                points: group.points.unwrap_or(all),
                score: match group.points {
                    None => "sum",
                    Some(_) if may_give_a_part && !group.is_packed => "worst",
                    Some(_) => "all",
                },
                require: require.clone(),
                hidden: !group.is_sample,
                folder: Some(folder),
                ..TomlSubtask::default()
            });
        }
    }
    Ok(())
}

/// Notes the files in a folder of the package that are not used.
pub(crate) fn note_unused(draft: &mut Draft<'_>, folder: &str) -> Result<(), PackageError> {
    for path in files_in(draft.library, folder)? {
        if !draft.is_used(&path) {
            draft.note(format!("`{path}` is not used"));
        }
    }
    Ok(())
}

/// Sets the limits: the largest of those of the tests, in seconds and MiB.
pub(crate) fn limit(draft: &mut Draft<'_>, of_tests: &[(f64, f64)]) {
    let largest = of_tests.iter().fold((0.0, 0.0), |largest: (f64, f64), it| {
        (largest.0.max(it.0), largest.1.max(it.1))
    });
    if of_tests.iter().any(|it| *it != largest) {
        draft.note("the limits differ between tests: all get the largest");
    }
    draft.limit(Some(largest.0), largest.1, 64.0);
}

/// Copies the files of a test.
fn put(draft: &mut Draft<'_>, to: &str, test: Test) {
    for (from, extension) in [(test.input, "in"), (test.answer, "ans")] {
        match from {
            Some(from) => draft.lines(&from, &format!("{to}.{extension}")),
            None if test.is_open => {}
            None => draft.bytes(&format!("{to}.{extension}"), Vec::new()),
        }
    }
}
