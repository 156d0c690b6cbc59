//! Teams: a table says who is in which, and what a team submitted is each member's.
//!
//! Canvas names a team's submission after the team, with the number of one member; so do people who make a folder for each
//! team. Moodle's download has a copy for each member, `Team 7-Ada Lovelace_12345_assignsubmission_file`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use grader_model::{System, Text, escaped};

use crate::gradescope::OF_SUBMISSION;
use crate::identity::Matcher;
use crate::known::{Known, key};
use crate::naming::complete;
use crate::reason;
use crate::roster::{Entry, Roster};
use crate::submitter::Submitter;
use crate::table::TableError;

/// Who is in which team.
#[derive(Clone, Debug)]
pub struct Teams {
    /// The file, for messages.
    path: String,
    members: Vec<Entry>,
    /// Those of whom the table says that they have no team.
    others: Vec<Entry>,
    /// The members of each team by their places, by its [`key`].
    by_name: BTreeMap<String, Vec<usize>>,
    /// What to tell about how the table was read.
    pub note: Option<Text>,
}

impl Known {
    /// Those of these tables; `None` if there is none.
    pub fn of(roster: Option<&Roster>, teams: Option<&Teams>) -> Option<Self> {
        let people = roster.iter().flat_map(|it| &it.entries);
        let people = people.chain(teams.iter().flat_map(|it| it.people()));
        let keys = teams.iter().flat_map(|it| it.keys()).cloned();
        (roster.is_some() || teams.is_some()).then(|| Self::new(people, keys))
    }
}

impl Teams {
    /// Reads a table with a row for each member: a column `team` or `group`, and columns that say who it is, as in a roster.
    /// Moodle's grading worksheet and Canvas' export of groups are such tables. Rows without a team are passed over.
    ///
    /// # Errors
    /// If it cannot be read, if somebody in it has two teams or is not in the roster, or if a team has the id of a student.
    pub fn read(path: &Path, roster: Option<&Roster>) -> Result<Self, TableError> {
        let Roster {
            entries: members,
            note,
        } = Roster::read_as("groups", path)?;
        let path = escaped(path.as_os_str().as_encoded_bytes());
        let (members, others) = members.into_iter().partition(|it| it.team.is_some());
        let mut read = Self {
            path,
            members,
            others,
            by_name: BTreeMap::new(),
            note,
        };
        for place in 0..read.members.len() {
            let team = read.key(place);
            read.by_name.entry(team).or_default().push(place);
        }
        let checked = read.check(roster);
        let checked =
            checked.map_err(|error| TableError(format!("groups `{}`: {error}", read.path)));
        checked.map(|()| read)
    }

    /// Everybody in the table.
    pub(crate) fn people(&self) -> impl Iterator<Item = &Entry> {
        self.members.iter().chain(&self.others)
    }

    /// The names of the teams, as [`key`]s.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &String> {
        self.by_name.keys()
    }

    /// The name of a team, as the first member's row spells it, by its [`key`].
    fn name(&self, team: &str) -> &str {
        self.first(team).team.as_deref().unwrap_or_default()
    }

    /// The [`key`] of a member's team.
    fn key(&self, place: usize) -> String {
        key(self.members[place].team.as_deref().unwrap_or_default())
    }

    /// The first member of a team, by its [`key`].
    fn first(&self, team: &str) -> &Entry {
        &self.members[self.by_name[team][0]]
    }

    /// Checks the members, and names them as the roster does.
    fn check(&mut self, roster: Option<&Roster>) -> Result<(), TableError> {
        if self.members.is_empty() {
            let reason = "nobody has a team: expected a column `team` or `group`";
            return Err(TableError(reason.to_owned()));
        }
        let people = roster.map_or(&[][..], |it| &it.entries);
        let matcher = Matcher::new(people.iter().map(Entry::identity));
        let ids = people.iter().chain(&self.members).map(|it| key(&it.id));
        let ids: BTreeSet<String> = ids.collect();
        let mut lines = BTreeMap::new();
        for member in &mut self.members {
            let (id, line) = (&member.id, member.line);
            let error = |reason: &str| Err(TableError::on_line(line, reason));
            let team = member.team.as_deref().unwrap_or_default();
            if ids.contains(&key(team)) {
                return error(&format!(
                    "the team `{team}` has the id of a student: rename the team"
                ));
            }
            if roster.is_none() {
                continue;
            }
            match matcher.find_in_roster(&member.person, id).places[..] {
                [] => return error(&format!("`{id}` is not in the roster")),
                [place] => {
                    if let Some(first) = lines.insert(place, line) {
                        return error(&format!("`{id}` is on line {first} already"));
                    }
                    member.id.clone_from(&people[place].id);
                    complete(&mut member.person, &people[place].person);
                }
                _ => return error(&format!("`{id}` fits several lines of the roster")),
            }
        }
        Ok(())
    }

    /// Gives each member what the team submitted, instead of the team. Members of a team that submitted nothing get a note.
    /// Who submitted alone, or together with other members of one team as Gradescope says, is of that team.
    pub fn share(&self, submitters: Vec<Submitter>) -> Vec<Submitter> {
        let matcher = Matcher::new(self.members.iter().map(Entry::identity));
        let others = Matcher::new(self.others.iter().map(Entry::identity));
        let mut works: BTreeMap<String, Vec<Submitter>> = BTreeMap::new();
        let mut copied = BTreeSet::new();
        let mut alone: BTreeMap<usize, Vec<Submitter>> = BTreeMap::new();
        let mut all = Vec::new();
        let mut together: BTreeMap<Option<String>, BTreeSet<Option<String>>> = BTreeMap::new();
        for mut submitter in submitters {
            let called = key(&submitter.name);
            if self.by_name.contains_key(&called) {
                works.entry(called).or_default().push(submitter);
                continue;
            }
            copied.extend(self.name_copy(&mut submitter));
            let person = submitter.person.clone().unwrap_or_default();
            let found = matcher.find_in_roster(&person, &submitter.name).places;
            let place = found.first().copied().filter(|_| found.len() == 1);
            let is_unnamed = submitter
                .team
                .iter()
                .all(|it| it.starts_with(OF_SUBMISSION));
            if submitter.team.is_some() {
                let of_table = place.map(|it| self.key(it));
                together
                    .entry(submitter.team.clone())
                    .or_default()
                    .insert(of_table);
            }
            if let Some(place) = place.filter(|_| is_unnamed) {
                alone.entry(place).or_default().push(submitter);
            } else {
                let found = others.find_in_roster(&person, &submitter.name);
                submitter.is_known = found.places.len() == 1;
                all.push(submitter);
            }
        }
        for (team, members) in &self.by_name {
            let work = works.remove(team).unwrap_or_default();
            for place in members {
                if work.is_empty() && (copied.contains(team) || alone.contains_key(place)) {
                    continue;
                }
                let own = alone.remove(place).unwrap_or_default();
                all.push(self.member(*place, work.iter().chain(&own)));
            }
        }
        for (place, mut own) in alone {
            if let [only] = &mut own[..]
                && together.get(&only.team).is_none_or(|it| it.len() == 1)
            {
                only.team = Some(self.name(&self.key(place)).to_owned());
            }
            all.extend(own);
        }
        all
    }

    /// Names one of Moodle's copies after its member, and returns the team.
    fn name_copy(&self, submitter: &mut Submitter) -> Option<String> {
        let person = submitter.person.as_mut()?;
        let name = person
            .name
            .as_mut()
            .filter(|_| person.ids.contains_key(&System::Moodle))?;
        let mut parts = name.match_indices('-').map(|(at, _)| name.split_at(at));
        let (team, member) = parts.find(|(team, _)| self.by_name.contains_key(&key(team)))?;
        let (team, member) = (key(team), member[1..].to_owned());
        submitter.name.clone_from(&member);
        *name = member;
        submitter.team = Some(self.name(&team).to_owned());
        Some(team)
    }

    /// A member with the work of the team. With other work there, or the member's own, nobody can tell which counts.
    fn member<'a>(
        &self,
        place: usize,
        mut works: impl Iterator<Item = &'a Submitter>,
    ) -> Submitter {
        let Entry { id, person, .. } = &self.members[place];
        let key = self.key(place);
        let (team, line) = (self.name(&key), self.first(&key).line);
        let first = works.next();
        let mut member = first.cloned().unwrap_or_default();
        let others: Vec<&Submitter> = works.collect();
        let members = self.by_name[&key].iter();
        let members: Vec<String> = members.map(|it| self.members[*it].called()).collect();
        if first.is_none() {
            member.notes.push(Text::new(
                format!(
                    "the team `{team}` (line {line} of `{}`) submitted nothing",
                    self.path
                ),
                format!("小组 `{team}`（`{}` 第 {line} 行）没有提交", self.path),
            ));
        } else if members.len() > 1 {
            member.notes.push(reason::together(&members));
        }
        if !others.is_empty() {
            let entries = first
                .into_iter()
                .chain(others)
                .flat_map(|it| it.entries.clone());
            member.contest(&entries.collect::<Vec<_>>());
        }
        member.name.clone_from(id);
        member.person = Some(person.clone());
        member.number = None;
        member.is_known = true;
        member.team = Some(team.to_owned());
        member
    }
}
