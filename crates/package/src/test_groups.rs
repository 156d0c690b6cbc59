//! Groups of tests with points, as the formats on pairs of files have them, become subtasks.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Points, file_stem};

use crate::constants::{MAX_CASES, MAX_SUBTASKS};
use crate::draft::Draft;
use crate::error::{PackageError, unsupported};
use crate::output::{Content, TomlCase, TomlSubtask};
use crate::pairs::files_in;

/// A group of tests.
#[derive(Default)]
pub(crate) struct TestGroup {
    pub(crate) name: String,
    pub(crate) worth: Worth,
    /// Names of groups whose tests must all pass first.
    pub(crate) require: Vec<String>,
    pub(crate) is_sample: bool,
    pub(crate) tests: Vec<Test>,
}

/// What earns the points of a group.
#[derive(Clone, Copy, Default)]
pub(crate) enum Worth {
    /// Each test is worth its own points.
    #[default]
    Own,
    /// Each test earns an equal share.
    Shared(Points),
    /// The worst test decides.
    Worst(Points),
    /// All tests must earn everything.
    Packed(Points),
}

/// A test.
#[derive(Clone, Default)]
pub(crate) struct Test {
    pub(crate) name: String,
    /// `None` if `generate` gives it.
    pub(crate) input: Option<Content>,
    /// `None` if the reference gives it.
    pub(crate) answer: Option<Content>,
    /// The command that prints the input.
    pub(crate) generate: Option<String>,
    /// What it is worth, if the group has [`Worth::Own`].
    pub(crate) points: Points,
}

impl Test {
    /// A test of these files in the package, called as its input.
    pub(crate) fn new(input: &str, answer: Option<&str>, points: Points) -> Self {
        Self {
            name: file_stem(input).to_owned(),
            input: Some(Content::Lines(input.to_owned())),
            answer: answer.map(|it| Content::Lines(it.to_owned())),
            generate: None,
            points,
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
            let points = match group.worth {
                Worth::Own => test.points,
                _ => Points::ZERO,
            };
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
            let all = (0..tests.len()).fold(Points::ZERO, |all, _| all + each);
            let (points, score) = match group.worth {
                Worth::Own => (all, "sum"),
                Worth::Shared(points) => (points, "sum"),
                Worth::Worst(points) if may_give_a_part => (points, "worst"),
                Worth::Worst(points) | Worth::Packed(points) => (points, "all"),
            };
            names
                .entry(group.name.clone())
                .or_default()
                .push(name.clone());
            let mut subtask = TomlSubtask {
                name,
                points,
                score,
                require: require.clone(),
                hidden: !group.is_sample,
                ..TomlSubtask::default()
            };
            let mut used = BTreeSet::new();
            for (place, mut test) in tests.into_iter().enumerate() {
                // Inputs may differ only in their folders or extensions.
                while !used.insert(test.name.clone()) {
                    test.name = format!("{}-{}", test.name, place + 1);
                }
                put(draft, &mut subtask, test);
            }
            draft.problem.subtask.push(subtask);
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

/// Adds a test: its files, or the command that gives the input.
fn put(draft: &mut Draft<'_>, subtask: &mut TomlSubtask, test: Test) {
    if test.generate.is_some() {
        subtask.case.push(TomlCase {
            name: test.name,
            generate: test.generate,
            ..TomlCase::default()
        });
        return;
    }
    let folder = format!("data/{}", subtask.name);
    for (content, extension) in [(test.input, "in"), (test.answer, "ans")] {
        if let Some(content) = content {
            draft.content(&format!("{folder}/{}.{extension}", test.name), content);
        }
    }
    subtask.folder = Some(folder);
}
