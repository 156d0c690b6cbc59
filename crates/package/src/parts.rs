//! The tests of a Polygon package, as subtasks.

use std::collections::BTreeSet;

use crate::error::PackageError;
use crate::output::{list, quoted};
use crate::xml::{FILE, Node, all};

/// Tests that are judged alike: a subtask of ours.
pub(crate) struct Part<'a> {
    pub(crate) name: String,
    /// The package's name for it.
    pub(crate) group: &'a str,
    /// Groups that must pass before.
    pub(crate) needs: BTreeSet<&'a str>,
    /// Whether points are for all tests together.
    pub(crate) is_whole: bool,
    /// The points of one test if they are for each.
    pub(crate) each: f64,
    pub(crate) points: f64,
    pub(crate) has_folder: bool,
    /// `[[subtask.case]]` of tests that a generator makes.
    pub(crate) cases: Vec<String>,
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
        while name.is_empty() || others.iter().any(|it| it.name == name) {
            number += 1;
            name = format!("{plain}-{number}");
        }
        let needs = settings.into_iter();
        let needs = needs.flat_map(|it| all(it, "dependencies/dependency"));
        Self {
            name,
            group,
            needs: needs.filter_map(|it| it.attribute("group")).collect(),
            is_whole,
            each,
            points: 0.0,
            has_folder: false,
            cases: Vec::new(),
        }
    }

    /// `[[subtask]]`.
    pub(crate) fn toml(&self, all: &[Self]) -> String {
        let mut text = format!(
            "\n[[subtask]]\nname = {}\npoints = {}\nscore = \"{}\"\n",
            quoted(&self.name),
            (self.points * 1000.0).round() / 1000.0,
            if self.is_whole { "all" } else { "sum" },
        );
        let needed = all.iter().filter(|it| self.needs.contains(it.group));
        let needed = list(needed.map(|it| &*it.name));
        if needed != "[]" {
            text = text + "require = " + &needed + "\n";
        }
        if self.has_folder {
            let folder = quoted(&format!("data/{}", self.name));
            text = text + "folder = " + &folder + "\n";
        }
        text + &self.cases.concat()
    }
}

/// The subtasks, each after those that it needs.
pub(crate) fn in_order(mut parts: Vec<Part<'_>>) -> Result<Vec<Part<'_>>, PackageError> {
    let mut ordered = Vec::new();
    while !parts.is_empty() {
        let is_ready = |part: &Part<'_>| !parts.iter().any(|it| part.needs.contains(it.group));
        let Some(at) = parts.iter().position(is_ready) else {
            let message = "groups depend on each other in a circle";
            return Err(PackageError::file(FILE, message));
        };
        ordered.push(parts.remove(at));
    }
    Ok(ordered)
}
