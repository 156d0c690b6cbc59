//! Whom tables name.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::System;

use crate::identity::{plain, words};
use crate::roster::Entry;

/// The ids and logins of the students of a roster and of a table of groups, and its teams.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The ids of those whom a name may stand for.
    people: BTreeMap<String, BTreeSet<String>>,
    teams: BTreeSet<String>,
}

impl Known {
    /// These people, and the teams with these [`key`]s.
    pub(crate) fn new<'a>(
        people: impl Iterator<Item = &'a Entry>,
        teams: impl Iterator<Item = String>,
    ) -> Self {
        let mut known = Self {
            people: BTreeMap::new(),
            teams: teams.collect(),
        };
        for entry in people {
            for name in ids(entry).filter(|name| !name.is_empty()) {
                let owners = known.people.entry(name).or_default();
                owners.insert(entry.id.as_str().to_owned());
            }
        }
        known
    }

    /// The ids of those for whom a name stands, and the key of the team; nothing if it is nobody's.
    pub(crate) fn owners(&self, name: &str) -> BTreeSet<String> {
        let mut owners = self.people.get(&plain(name)).cloned().unwrap_or_default();
        owners.extend(
            self.teams
                .get(&key(name))
                .map(|team| format!("team {team}")),
        );
        owners
    }
}

/// A team's name without case, blanks and signs, as Canvas writes it.
pub fn key(name: &str) -> String {
    words(name).concat()
}

/// What may stand for someone in the name of a folder, without case and blanks.
fn ids(entry: &Entry) -> impl Iterator<Item = String> {
    let person = &entry.person;
    let systems = [System::Login, System::Sis, System::Github].into_iter();
    let logins = systems.filter_map(|system| person.ids.get(&system));
    let local = person.email.as_deref().and_then(|it| it.split('@').next());
    let ids = logins.map(String::as_str).chain(local);
    ids.chain([entry.id.as_str()]).map(plain)
}
