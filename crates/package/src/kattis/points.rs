//! What the groups in a Kattis test group are worth together, and which must be passed first.

use grader_model::Points;

use super::groups::{Groups, KattisGroup, Part};
use super::settings::{AcceptedIf, GroupSettings};
use crate::error::{PackageError, mistake, unsupported};
use crate::output::{TomlSubtask, points};

impl Groups<'_, '_> {
    /// Lets subtasks require those of the groups that `require_pass` names.
    pub(super) fn requirements(&mut self) -> Result<(), PackageError> {
        for index in 0..self.all.len() {
            for folder in self.all[index].require.clone() {
                let is_inside = |it: &&KattisGroup| {
                    let rest = it.folder.strip_prefix(&folder);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                let names = self.all.iter().filter(is_inside);
                let names: Vec<_> = names.map(|it| it.subtask.name.clone()).collect();
                if names.is_empty() && folder != "data/sample" {
                    let message = format!("`require_pass`: there are no tests in `{folder}`");
                    return mistake(&self.all[index].folder, message);
                }
                if self.all[index].subtask.hidden && self.gives_parts(&names) {
                    self.draft.note("a group that others require must earn all its points; a part of them is not enough");
                }
                require(&mut self.all[index].subtask, &names);
            }
        }
        Ok(())
    }

    /// Whether an accepted test of these subtasks may earn a part of its points.
    fn gives_parts(&self, names: &[String]) -> bool {
        self.all.iter().any(|it| {
            it.gives_parts && it.subtask.points > Points::ZERO && names.contains(&it.subtask.name)
        })
    }

    /// Lets each part of a group that breaks require the part before it.
    pub(super) fn chain(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        parts: &[Part],
    ) -> Result<(), PackageError> {
        if !settings.is_scoring || !settings.breaks || parts.len() < 2 {
            return Ok(());
        }
        if settings.score == "mean" {
            return broken(
                folder,
                "the mean of its groups depends on which of them run",
            );
        }
        let mut before: Vec<String> = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            for group in &mut self.all[part.subtasks.clone()] {
                require(&mut group.subtask, &before);
            }
            if index + 1 == parts.len() || part.accepted == AcceptedIf::Always {
                continue;
            }
            if part.accepted == AcceptedIf::Any && part.items > 1 {
                return broken(folder, "a group is accepted if one of its tests is");
            }
            let names = self.all[part.subtasks.clone()].iter();
            before = names.map(|it| it.subtask.name.clone()).collect();
            if self.gives_parts(&before) {
                return broken(folder, "an accepted test may earn a part of its points");
            }
        }
        Ok(())
    }

    /// Makes the subtasks from `first`, those of a group with `children`, worth their share of its score.
    pub(super) fn combine(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        first: usize,
        children: usize,
        has_tests: bool,
    ) -> Result<(), PackageError> {
        if !settings.is_scoring || children < 2 || settings.score == "sum" {
            return Ok(());
        }
        if settings.score == "mean" && has_tests {
            return not_combined(folder, "mean of tests and groups");
        }
        let inner = self.all[first..].iter_mut().map(|it| &mut it.subtask);
        if settings.score == "mean" {
            for subtask in inner {
                subtask.points = points(subtask.points.to_f64() / children as f64);
            }
            return Ok(());
        }
        let mut inner: Vec<_> = inner.collect();
        let is_whole = |it: &&mut TomlSubtask| match it.score {
            "worst" => !settings.gives_parts,
            score => score == "all",
        };
        let is_flat =
            settings.score != "best" && inner.len() == children && inner.iter().all(is_whole);
        let Some((last, others)) = inner.split_last_mut().filter(|_| is_flat) else {
            return not_combined(folder, settings.score);
        };
        // Only the last subtask is worth points, if the others pass.
        for other in others {
            last.points = last.points.min(other.points);
            other.points = Points::ZERO;
            require(last, std::slice::from_ref(&other.name));
        }
        Ok(())
    }
}

/// Lets a subtask require others, besides those that it requires already.
fn require(subtask: &mut TomlSubtask, names: &[String]) {
    for name in names {
        if !subtask.require.contains(name) {
            subtask.require.push(name.clone());
        }
    }
}

/// Refuses an `on_reject: break` that subtasks cannot express.
pub(super) fn broken<T>(folder: &str, why: &str) -> Result<T, PackageError> {
    mistake(
        folder,
        format!(
            "`on_reject: break`, the default, ends the group at its first failure, and {why}, which is not supported: set `on_reject: continue`"
        ),
    )
}

/// Refuses a score that subtasks cannot express.
pub(super) fn not_combined<T>(folder: &str, how: &str) -> Result<T, PackageError> {
    let how = match how {
        "worst" | "all" => "minimum of groups that may earn a part of their points",
        "best" => "maximum (`max`)",
        how => how,
    };
    unsupported(format!(
        "`{folder}`: the score is a {how}, which is not supported"
    ))
}
