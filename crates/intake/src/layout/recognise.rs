//! Which layout a class has.

use super::{Layout, canvas, github, gradescope, moodle, one};
use crate::listing::{Entry, Listing};
use crate::pattern::Patterns;
use crate::program::Kind;

impl Layout {
    /// The layout of a class, by the first of these rules that holds; what it has to do with nobody does not count.
    ///
    /// 1. [`One`](Self::One): the folder is called `submission`, and beside it is a `submission_metadata.json`.
    /// 2. [`Gradescope`](Self::Gradescope): a `submission_metadata.yml` and a folder `submission_` with a number; or more
    ///    than half of the folders and archives have such names.
    /// 3. [`Moodle`](Self::Moodle): more than half of all entries have names of Moodle's form.
    /// 4. [`Canvas`](Self::Canvas): more than half of all entries are files with names of Canvas' form, of several users,
    ///    none of whom has two names: `hw_101_01_ada.zip` is none of them.
    /// 5. [`Github`](Self::Github): more than half of the folders are clones, whose names begin alike up to a `-`.
    /// 6. [`Archives`](Self::Archives): more archives than folders. Both are students.
    /// 7. [`Folders`](Self::Folders): at least one folder. Archives beside it are students too.
    /// 8. [`One`](Self::One): sources, at most one for each problem by its name, and no folders.
    ///
    /// Nothing where none holds.
    pub(crate) fn recognise(listing: &Listing, patterns: &Patterns) -> Option<Self> {
        if one::is_container(&listing.location) {
            return Some(Self::One);
        }
        if let Some(layout) = Self::recognise_download(listing) {
            return Some(layout);
        }
        let entries = &listing.entries;
        let count = |is: fn(&Entry) -> bool| entries.iter().filter(|entry| is(entry)).count();
        let folders = count(|entry| !entry.is_file() && !entry.is_archive());
        if count(Entry::is_archive) > folders {
            return Some(Self::Archives);
        }
        if folders > 0 {
            return Some(Self::Folders);
        }
        is_one_students(entries, patterns).then_some(Self::One)
    }

    /// The layouts that other systems make, by the names of their entries.
    pub(crate) fn recognise_download(listing: &Listing) -> Option<Self> {
        let entries = &listing.entries;
        let most = |number: usize, of: usize| number * 2 > of;
        let count = |is: &dyn Fn(&Entry) -> bool| entries.iter().filter(|entry| is(entry)).count();

        let numbered = count(&|entry| gradescope::number(entry).is_some());
        let has_metadata = entries
            .iter()
            .any(|entry| entry.is_file() && entry.name == gradescope::METADATA);
        let packed = count(&|entry| !entry.is_file());
        if numbered > 0 && has_metadata || most(numbered, packed) {
            return Some(Self::Gradescope);
        }
        if most(
            count(&|entry| moodle::parse(&entry.name).is_some()),
            entries.len(),
        ) {
            return Some(Self::Moodle);
        }
        let files = entries.iter().filter(|entry| !entry.is_folder());
        let names: Vec<canvas::Name<'_>> = files
            .filter_map(|entry| canvas::parse(&entry.name))
            .collect();
        if most(names.len(), entries.len()) && canvas::are_of_users(&names) {
            return Some(Self::Canvas);
        }
        let clones = count(&github::is_clone);
        let folders = count(&Entry::is_folder);
        (most(clones, folders) && github::prefix(listing, entries).is_some())
            .then_some(Self::Github)
    }
}

/// Whether files are those of one student: sources whose names fit problems, no two the same.
fn is_one_students(entries: &[Entry], patterns: &Patterns) -> bool {
    let mut fitting: Vec<usize> = entries
        .iter()
        .filter(|entry| entry.is_file() && Kind::of(&entry.name).is_source())
        .filter_map(|entry| Some(patterns.best(&entry.name)?.0))
        .collect();
    let number = fitting.len();
    fitting.sort_unstable();
    fitting.dedup();
    number > 0 && fitting.len() == number
}
