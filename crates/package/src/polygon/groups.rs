//! The test groups of a Polygon package, as subtasks.

use std::collections::BTreeSet;

use super::problem_xml::{FILE, Group};
use crate::error::{PackageError, mistake};
use crate::output::TomlSubtask;

/// Tests of one subtask.
pub(crate) struct TestGroup<'a> {
    /// The package's name for it.
    pub(crate) group: &'a str,
    /// What the package says about it.
    pub(crate) settings: Option<&'a Group>,
    /// Groups that must be passed first.
    pub(crate) needs: BTreeSet<&'a str>,
    /// Whether all tests together earn the points.
    pub(crate) is_whole: bool,
    /// Points of each test, if tests earn points individually.
    pub(crate) each: f64,
    /// Points of all tests.
    pub(crate) points: f64,
    pub(crate) subtask: TomlSubtask,
}

impl<'a> TestGroup<'a> {
    pub(crate) fn new(group: &'a str, settings: Option<&'a Group>, others: &[Self]) -> Self {
        let is_fine = |c: char| c.is_alphanumeric() || c == '_';
        let plain = group.chars().take(50);
        let plain: String = plain.map(|c| if is_fine(c) { c } else { '-' }).collect();
        let mut name = plain.clone();
        let mut number = 1;
        while name.is_empty() || others.iter().any(|it| it.subtask.name == name) {
            number += 1;
            name = format!("{plain}-{number}");
        }
        Self {
            group,
            settings,
            needs: settings.into_iter().flat_map(Group::needs).collect(),
            is_whole: false,
            each: 0.0,
            points: 0.0,
            subtask: TomlSubtask {
                name,
                ..TomlSubtask::default()
            },
        }
    }
}

/// The subtasks, each after those that it requires.
pub(crate) fn in_order(mut parts: Vec<TestGroup<'_>>) -> Result<Vec<TomlSubtask>, PackageError> {
    let mut ordered: Vec<TestGroup<'_>> = Vec::new();
    while !parts.is_empty() {
        let is_ready = |part: &TestGroup<'_>| !parts.iter().any(|it| part.needs.contains(it.group));
        let Some(at) = parts.iter().position(is_ready) else {
            return mistake(FILE, "groups depend on each other in a circle");
        };
        let mut part = parts.remove(at);
        let needed = ordered.iter().filter(|it| part.needs.contains(it.group));
        part.subtask.require = needed.map(|it| it.subtask.name.clone()).collect();
        ordered.push(part);
    }
    Ok(ordered.into_iter().map(|part| part.subtask).collect())
}
