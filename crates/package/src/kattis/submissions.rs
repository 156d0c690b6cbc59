//! Submissions: their verdicts follow from their folders, their tags and `submissions/submissions.yaml`.

use grader_model::Points;

use super::groups::KattisGroup;
use super::sources::source_texts;
use crate::constants::{MAX_PATTERN_BYTES, MAX_RULES};
use crate::draft::Draft;
use crate::error::{PackageError, mistake};
use crate::expected::{self, Rules, Scores};
use crate::yaml::Yaml;

/// Copies the submissions as samples.
pub(super) fn copy(
    draft: &mut Draft<'_>,
    scores: Scores,
    groups: &[KattisGroup],
) -> Result<(), PackageError> {
    let rules = Yaml::file(draft.library, "submissions/submissions.yaml")?;
    let rules: Rules = draft.typed(rules.unwrap_or_default())?;
    let is_long = |glob: &String| glob.len() > MAX_PATTERN_BYTES;
    if rules.len() > MAX_RULES || rules.keys().any(is_long) {
        let limits = format!("{MAX_RULES} patterns of {MAX_PATTERN_BYTES} bytes");
        let message = format!("expected at most {limits}");
        return mistake("submissions/submissions.yaml", message);
    }
    let groups = groups.iter().filter_map(|group| {
        let folder = group.folder.strip_prefix("data/")?;
        Some((folder.to_owned(), group.subtask.name.clone()))
    });
    let groups: Vec<_> = groups.collect();
    let secret = groups
        .iter()
        .filter(|(folder, _)| folder.starts_with("secret/"));
    let secret: Vec<_> = secret.map(|(_, name)| name.clone()).collect();
    let worth = draft
        .problem
        .subtask
        .iter()
        .map(|it| it.points)
        .sum::<Points>();
    for folder in draft.library.list("submissions").unwrap_or_default() {
        let place = format!("submissions/{}", folder.name);
        if !folder.folder {
            if folder.name != "submissions.yaml" {
                draft.note(format!("`{place}` is not used"));
            }
            continue;
        }
        for entry in draft.library.list(&place).unwrap_or_default() {
            let path = format!("{place}/{}", entry.name);
            let sources = source_texts(draft.library, &path, &entry);
            let mut expectation = expected::by_folder(&folder.name, &sources, &secret);
            let inner = format!("{}/{}", folder.name, entry.name);
            let unused = expected::apply_rules(&rules, &inner, &groups, &mut expectation)?;
            draft.notes.extend(unused);
            scores.apply(&mut expectation);
            if let Some(most) = expectation.points.as_ref().map(|it| *it.end())
                && most > worth
            {
                draft.note(format!("`{path}` cannot earn {most} points of {worth}"));
                expectation.points = None;
            }
            let other = format!("{}-{}", folder.name, entry.name);
            draft.sample(&path, &entry.name, &other, &expectation)?;
        }
    }
    Ok(())
}
