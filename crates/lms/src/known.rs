//! Whom tables name.

use std::collections::HashSet;

use grader_model::System;

use crate::identity::{plain, words};
use crate::roster::Entry;

/// The ids and logins of the students of a roster and of a table of groups, and its teams.
#[derive(Clone, Debug, Default)]
pub struct Known {
    people: HashSet<String>,
    teams: HashSet<String>,
}

impl Known {
    /// These people, and the teams with these [`key`]s.
    pub(crate) fn new<'a>(
        people: impl Iterator<Item = &'a Entry>,
        teams: impl Iterator<Item = String>,
    ) -> Self {
        let people = people.flat_map(ids).filter(|id| !id.is_empty());
        Self {
            people: people.collect(),
            teams: teams.collect(),
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.people.contains(&plain(name)) || self.teams.contains(&key(name))
    }
}

/// A team's name without case, blanks and signs, as Canvas writes it.
pub(crate) fn key(name: &str) -> String {
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
