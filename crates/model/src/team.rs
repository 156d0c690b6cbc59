//! Teams as units: what all members have in common is shown once.

use std::collections::{BTreeMap, BTreeSet};

use crate::StudentId;

/// The members of each team in a class, or in a part of it.
#[derive(Clone, Debug, Default)]
pub struct Teams<'a> {
    teams: BTreeMap<&'a str, BTreeSet<&'a StudentId>>,
    of: BTreeMap<&'a StudentId, &'a str>,
}

impl<'a> FromIterator<(&'a StudentId, Option<&'a str>)> for Teams<'a> {
    /// From each student and the team, if the student is in one.
    fn from_iter<I: IntoIterator<Item = (&'a StudentId, Option<&'a str>)>>(students: I) -> Self {
        let mut teams = Self::default();
        for (student, team) in students {
            if let Some(team) = team {
                teams.teams.entry(team).or_default().insert(student);
                teams.of.insert(student, team);
            }
        }
        teams
    }
}

impl<'a> Teams<'a> {
    /// The rows of a list about students, with one row for a team of several whose members all have the same. It stands where
    /// that of the first member stood, and comes with the team.
    pub fn merge<R>(
        &self,
        rows: Vec<R>,
        whose: impl Fn(&R) -> Option<&'a StudentId>,
        is_same: impl Fn(&R, &R) -> bool,
    ) -> Vec<(Option<&'a str>, R)> {
        let team_of = |row: &R| self.of.get(whose(row)?).copied();
        let mut alike: BTreeMap<&'a str, Vec<Vec<usize>>> = BTreeMap::new();
        for (place, row) in rows.iter().enumerate() {
            let Some(team) = team_of(row) else {
                continue;
            };
            let known = alike.entry(team).or_default();
            match known.iter_mut().find(|it| is_same(&rows[it[0]], row)) {
                Some(same) => same.push(place),
                None => known.push(vec![place]),
            }
        }
        let (mut merged, mut gone) = (BTreeMap::new(), BTreeSet::new());
        for (team, same) in alike
            .iter()
            .flat_map(|(it, all)| all.iter().map(|same| (*it, same)))
        {
            let who: BTreeSet<_> = same.iter().filter_map(|it| whose(&rows[*it])).collect();
            if who.len() > 1 && who.len() == self.teams[team].len() {
                merged.insert(same[0], team);
                gone.extend(same[1..].iter().copied());
            }
        }
        let rows = rows.into_iter().enumerate();
        let left = rows.filter(|(place, _)| !gone.contains(place));
        left.map(|(place, row)| (merged.get(&place).copied(), row))
            .collect()
    }
}
