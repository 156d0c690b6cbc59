//! Clones of GitHub Classroom: `assignment-username`, in a folder `assignment-submissions`, as `gh classroom clone
//! student-repos` makes them (<https://github.com/github/gh-classroom>).

use grader_model::{System, Text};

use crate::reason;
use crate::submitter::{Listing, Sorted, Submitter};

/// What the names of all clones begin with: the assignment and a `-`. The class folder says it, or else what the names
/// have in common; with a single clone nobody can tell.
pub(crate) fn prefix(listing: &Listing<'_>) -> Option<String> {
    let entries = listing.entries.iter().filter(|entry| !entry.is_file());
    let names: Vec<&str> = entries.map(|entry| entry.name.as_str()).collect();
    let assignment = listing.folder.strip_suffix("-submissions");
    let from_folder = format!("{}-", assignment.unwrap_or(listing.folder));
    if names.iter().any(|name| name.starts_with(&from_folder)) {
        return Some(from_folder);
    }
    let (first, others) = names.split_first()?;
    let is_common = |prefix: &str| others.iter().all(|name| name.starts_with(prefix));
    let ends = first.match_indices('-').map(|(at, _)| &first[..=at]);
    let common = ends.rev().find(|prefix| is_common(prefix));
    common.filter(|_| !others.is_empty()).map(str::to_owned)
}

pub(crate) fn sort(listing: &Listing<'_>) -> Sorted {
    let prefix = prefix(listing);
    let mut sorted = Sorted::default();
    for (index, entry) in listing.entries.iter().enumerate() {
        if entry.is_file() {
            sorted.unused.push((index, reason::beside_students()));
            continue;
        }
        let name = entry.stem();
        let user = prefix.as_deref().and_then(|it| name.strip_prefix(it));
        let user = user.filter(|user| !user.is_empty());
        let mut submitter = Submitter::new(user.unwrap_or(name));
        submitter.is_verbatim = entry.is_verbatim();
        if let Some(user) = user {
            submitter.set_id(System::Github, user);
            submitter.whole = Some(name.to_owned());
        } else {
            submitter.notes.push(Text::new(
                "the name of the folder does not contain a GitHub username",
                "无法由文件夹名得知 GitHub 用户名",
            ));
        }
        submitter.take(index, entry);
        sorted.submitters.push(submitter);
    }
    sorted
}
