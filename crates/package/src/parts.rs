//! The tests of a Polygon package, as subtasks.

use std::collections::BTreeSet;

use crate::error::PackageError;
use crate::output::Subtask;
use crate::xml::{FILE, Node, all};

/// Tests that are judged alike.
pub(crate) struct Part<'a> {
    /// The package's name for it.
    pub(crate) group: &'a str,
    /// Groups that must pass before.
    needs: BTreeSet<&'a str>,
    /// Whether points are for all tests together.
    pub(crate) is_whole: bool,
    /// The points of one test if they are for each.
    pub(crate) each: f64,
    pub(crate) points: f64,
    pub(crate) subtask: Subtask,
}

impl<'a> Part<'a> {
    pub(crate) fn new(
        group: &'a str,
        settings: Option<Node<'a>>,
        (is_whole, each): (bool, f64),
        others: &[Self],
    ) -> Self {
        let is_fine = |c: char| c.is_alphanumeric() || c == '_';
        let plain = group.chars().take(50);
        let plain: String = plain.map(|c| if is_fine(c) { c } else { '-' }).collect();
        let mut name = plain.clone();
        let mut number = 1;
        while name.is_empty() || others.iter().any(|it| it.subtask.name == name) {
            number += 1;
            name = format!("{plain}-{number}");
        }
        let needs = settings.into_iter();
        let needs = needs.flat_map(|it| all(it, "dependencies/dependency"));
        Self {
            group,
            needs: needs.filter_map(|it| it.attribute("group")).collect(),
            is_whole,
            each,
            points: 0.0,
            subtask: Subtask {
                name,
                score: if is_whole { "all" } else { "sum" },
                ..Subtask::default()
            },
        }
    }
}

/// The subtasks, each after those that it needs.
pub(crate) fn in_order(mut parts: Vec<Part<'_>>) -> Result<Vec<Subtask>, PackageError> {
    let mut ordered: Vec<Part<'_>> = Vec::new();
    while !parts.is_empty() {
        let is_ready = |part: &Part<'_>| !parts.iter().any(|it| part.needs.contains(it.group));
        let Some(at) = parts.iter().position(is_ready) else {
            let message = "groups depend on each other in a circle";
            return Err(PackageError::file(FILE, message));
        };
        let mut part = parts.remove(at);
        let needed = ordered.iter().filter(|it| part.needs.contains(it.group));
        part.subtask.require = needed.map(|it| it.subtask.name.clone()).collect();
        ordered.push(part);
    }
    Ok(ordered.into_iter().map(|part| part.subtask).collect())
}
