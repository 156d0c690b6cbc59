//! What students are called in results.

use std::collections::{HashMap, HashSet};

use grader_model::{StudentId, System, Text};
use unicode_normalization::UnicodeNormalization as _;

use crate::entrant::Entrant;
use crate::natural;
use crate::roster::{Match, Roster};

/// Gives everyone an id of their own: that of the roster, or else the name, with a number where others have it too.
/// Those in the roster who handed in nothing are added.
pub(crate) fn name_all(
    mut entrants: Vec<Entrant>,
    roster: Option<&Roster>,
) -> Vec<(StudentId, Entrant)> {
    // Whoever comes first keeps the plain name, so that the order is a matter of names alone.
    entrants.sort_by(|a, b| {
        let names = natural::compare(&a.name, &b.name);
        names.then_with(|| a.entries.cmp(&b.entries))
    });
    for entrant in &mut entrants {
        // One name in two ways of writing it is one name.
        entrant.name = entrant.name.nfc().collect();
    }
    if let Some(roster) = roster {
        apply(roster, &mut entrants);
    }
    let mut named = number_all(entrants);
    named.sort_by(|(a, _), (b, _)| natural::compare(a.as_str(), b.as_str()));
    named
}

/// Makes names different.
fn number_all(entrants: Vec<Entrant>) -> Vec<(StudentId, Entrant)> {
    let mut uses: HashMap<String, usize> = HashMap::new();
    for entrant in &entrants {
        *uses.entry(entrant.name.clone()).or_default() += 1;
    }
    // A name that is exactly that goes before one that only looks like it, and before one that got a number.
    let rank = |entrant: &Entrant| {
        let is_shared = uses[&entrant.name] > 1;
        (is_shared && entrant.number.is_some(), !entrant.is_verbatim)
    };
    let mut ranked: Vec<((bool, bool), Entrant)> = entrants
        .into_iter()
        .map(|entrant| (rank(&entrant), entrant))
        .collect();
    ranked.sort_by_key(|&(rank, _)| rank);
    let mut taken = HashSet::new();
    let named = ranked.into_iter().map(|((is_numbered, _), entrant)| {
        let name = match &entrant.number {
            Some(number) if is_numbered => format!("{} ({number})", entrant.name),
            _ => entrant.name.clone(),
        };
        let mut candidate = name.clone();
        let mut number = 1;
        while !taken.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{name} ({number})");
        }
        (StudentId::new(candidate), entrant)
    });
    named.collect()
}

/// Finds everyone in the roster.
fn apply(roster: &Roster, entrants: &mut Vec<Entrant>) {
    let index = roster.index();
    let found: Vec<Match> = entrants.iter().map(|entrant| index.find(entrant)).collect();
    let mut owners: HashMap<usize, Vec<usize>> = HashMap::new();
    for (who, found) in found.iter().enumerate() {
        if let Match::One(line) = found {
            owners.entry(*line).or_default().push(who);
        }
    }
    let is_free = |line: usize| !owners.contains_key(&line);
    let entries: Vec<String> = entrants.iter().map(called).collect();
    for (who, (entrant, found)) in entrants.iter_mut().zip(&found).enumerate() {
        match *found {
            Match::One(line) => {
                let entry = roster.entry(line);
                let is_whole = entrant.whole.as_deref() == Some(entry.id.as_str());
                if is_whole {
                    // What was taken for the user is a part of the id.
                    entrant.person().ids.remove(&System::Github);
                }
                if entrant.name != entry.id && !is_whole {
                    let from = &entries[who];
                    entrant.notes.insert(
                        0,
                        Text::new(
                            format!("handed in as `{from}`"),
                            format!("提交名称为 `{from}`"),
                        ),
                    );
                }
                let others: Vec<String> = owners[&line]
                    .iter()
                    .filter(|&&other| other != who)
                    .map(|&other| format!("`{}`", entries[other]))
                    .collect();
                if !others.is_empty() {
                    let others = others.join(", ");
                    entrant.notes.push(Text::new(
                        format!(
                            "line {} of the roster fits {others} too: decide which of them counts",
                            entry.line
                        ),
                        format!(
                            "名单第 {} 行也与 {others} 相符，请确定采用哪一份",
                            entry.line
                        ),
                    ));
                }
                entrant.name.clone_from(&entry.id);
                entrant.number = None;
                let person = entrant.person();
                person.name = entry.person.name.clone().or(person.name.take());
                person.email = entry.person.email.clone().or(person.email.take());
                for (&system, id) in &entry.person.ids {
                    person.ids.entry(system).or_insert_with(|| id.clone());
                }
            }
            Match::Several(ref lines) => {
                let lines: Vec<String> = (lines.iter())
                    .map(|&line| roster.entry(line).line.to_string())
                    .collect();
                entrant.notes.push(Text::new(
                    format!("several lines of the roster fit: {}", lines.join(", ")),
                    format!("名单中有多行相符：第 {} 行", lines.join("、")),
                ));
            }
            Match::None => {
                let nearest = index
                    .nearest(entrant, is_free)
                    .map(|line| roster.entry(line));
                entrant.notes.push(match nearest {
                    Some(entry) => {
                        let who = entry.described();
                        Text::new(
                            format!("not in the roster; did you mean {who}?"),
                            format!("不在名单中；是否为 {who}？"),
                        )
                    }
                    None => Text::new("not in the roster", "不在名单中"),
                });
            }
        }
    }
    for (line, entry) in roster.entries().iter().enumerate() {
        if is_free(line) {
            let mut entrant = Entrant::new(entry.id.as_str());
            entrant.person = Some(entry.person.clone());
            entrant.notes.push(Text::new(
                "in the roster, handed in nothing",
                "在名单中，但没有提交",
            ));
            entrants.push(entrant);
        }
    }
}

/// What the class calls someone: the entries, where one can be named.
fn called(entrant: &Entrant) -> String {
    match entrant.entries.as_slice() {
        [only] => only.clone(),
        _ => entrant.name.clone(),
    }
}
