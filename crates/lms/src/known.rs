//! Whom tables name.

use std::collections::HashSet;

use grader_model::System;

use crate::identity::plain;
use crate::roster::{Entry, Roster};
use crate::teams::{Teams, key};

/// The ids and logins of the students of a roster and of a table of groups, and its teams.
#[derive(Clone, Debug, Default)]
pub struct Known {
    people: HashSet<String>,
    teams: HashSet<String>,
}

impl Known {
    /// Those of these tables; `None` if there is none.
    pub fn of(roster: Option<&Roster>, teams: Option<&Teams>) -> Option<Self> {
        let people = roster.iter().flat_map(|it| &it.entries);
        let people = people.chain(teams.iter().flat_map(|it| it.people()));
        let people = people.flat_map(ids).filter(|id| !id.is_empty());
        let known = Self {
            people: people.collect(),
            teams: teams.iter().flat_map(|it| it.keys()).cloned().collect(),
        };
        (roster.is_some() || teams.is_some()).then_some(known)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.people.contains(&plain(name)) || self.teams.contains(&key(name))
    }
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
