//! A folder or an archive for each student, named after the student.

use std::collections::BTreeMap;

use crate::reason;
use crate::submitter::{Listing, Sorted, Submitter};

/// A folder and an archive of one name are one student's; a person must decide which of them counts.
pub(crate) fn sort(listing: &Listing<'_>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut places: BTreeMap<&[u8], usize> = BTreeMap::new();
    for (index, entry) in listing.entries.iter().enumerate() {
        if entry.is_file() {
            sorted.unused.push((index, reason::beside_students()));
            continue;
        }
        let place = *places.entry(entry.raw_stem()).or_insert_with(|| {
            sorted.submitters.push(Submitter {
                is_verbatim: entry.is_verbatim(),
                ..Submitter::new(entry.stem())
            });
            sorted.submitters.len() - 1
        });
        sorted.submitters[place].take(index, entry);
    }
    for submitter in &mut sorted.submitters {
        submitter.contest_several(&submitter.entries.clone());
    }
    sorted
}
