//! What students are called in results.

use std::collections::{HashMap, HashSet};

use grader_model::{Person, StudentId, System, Text};
use unicode_normalization::UnicodeNormalization as _;

use crate::entrant::Entrant;
use crate::roster::{Match, Roster};
use crate::unreadable::Unreadable;
use crate::{natural, reason};

/// Pairs of names that are compared at most, to guess whom somebody is. Where there are more, the roster is that of another
/// class, and guesses are of no use.
const MOST_GUESSES: usize = 1_000_000;

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
    // The roster's names go first. A name that is exactly that goes before one that only looks like it, and before one that got a number.
    let rank = |entrant: &Entrant| {
        let is_shared = uses[&entrant.name] > 1;
        (
            !entrant.is_enrolled,
            is_shared && entrant.number.is_some(),
            !entrant.is_verbatim,
        )
    };
    let mut ranked: Vec<((bool, bool, bool), Entrant)> = entrants
        .into_iter()
        .map(|entrant| (rank(&entrant), entrant))
        .collect();
    ranked.sort_by_key(|&(rank, _)| rank);
    let mut taken = HashSet::new();
    let named = ranked.into_iter().map(|((_, is_numbered, _), entrant)| {
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

/// Finds everyone in the roster, and adds those who are in it and were not found.
fn apply(roster: &Roster, entrants: &mut Vec<Entrant>) {
    let index = roster.index();
    let found: Vec<Match> = entrants.iter().map(|entrant| index.find(entrant)).collect();
    let claims = Claims::new(&found, entrants);
    let is_free = |line: usize| !claims.owners.contains_key(&line);
    let entries: Vec<String> = entrants.iter().map(called).collect();
    let guesses = found.iter().filter(|found| **found == Match::None).count() * roster.len();
    let free = (0..roster.len()).filter(|&line| is_free(line));
    let mut absent: Vec<Entrant> = free
        .map(|line| absent(roster, line, &found, entrants, &entries))
        .collect();
    for (who, (entrant, found)) in entrants.iter_mut().zip(&found).enumerate() {
        match *found {
            Match::One { line, .. } if claims.owners.get(&line) == Some(&who) => {
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
                entrant.name.clone_from(&entry.id);
                entrant.is_enrolled = true;
                entrant.number = None;
                let person = entrant.person();
                person.name = entry.person.name.clone().or(person.name.take());
                person.email = entry.person.email.clone().or(person.email.take());
                for (&system, id) in &entry.person.ids {
                    person.ids.entry(system).or_insert_with(|| id.clone());
                }
            }
            Match::One { line, .. } => {
                let others: Vec<String> = claims.of[&line]
                    .iter()
                    .filter(|&&other| other != who)
                    .map(|&other| format!("`{}`", entries[other]))
                    .collect();
                let (others, line) = (others.join(", "), roster.entry(line).line);
                entrant.remarks.push(Text::new(
                    format!(
                        "line {line} of the roster fits {others} too: decide which of them counts"
                    ),
                    format!("名单第 {line} 行也与 {others} 相符，请确定采用哪一份"),
                ));
            }
            Match::Several(ref lines) => {
                let lines: Vec<String> = (lines.iter())
                    .map(|&line| roster.entry(line).line.to_string())
                    .collect();
                entrant.remarks.push(Text::new(
                    format!("several lines of the roster fit: {}", lines.join(", ")),
                    format!("名单中有多行相符：第 {} 行", lines.join("、")),
                ));
            }
            Match::None => {
                entrant
                    .notes
                    .push(Text::new("not in the roster", "不在名单中"));
                let nearest = (guesses <= MOST_GUESSES)
                    .then(|| index.nearest(entrant, is_free))
                    .flatten();
                if let Some(line) = nearest {
                    let who = roster.entry(line).described();
                    entrant.remarks.push(Text::new(
                        format!("did you mean {who} of the roster?"),
                        format!("是否为名单中的 {who}？"),
                    ));
                }
            }
        }
    }
    entrants.append(&mut absent);
}

/// Someone in the roster who was not found. Where somebody's work is nobody's for certain, it may be theirs.
fn absent(
    roster: &Roster,
    line: usize,
    found: &[Match],
    entrants: &[Entrant],
    entries: &[String],
) -> Entrant {
    let entry = roster.entry(line);
    let may_be = |who: usize| match &found[who] {
        Match::One { line: other, .. } => *other == line,
        Match::Several(lines) => lines.contains(&line),
        Match::None => !is_told_apart(&entrants[who], &entry.person),
    };
    let perhaps: Vec<&str> = (0..entrants.len())
        .filter(|&who| entrants[who].has_work() && may_be(who))
        .map(|who| entries[who].as_str())
        .collect();
    let mut entrant = Entrant::new(entry.id.as_str());
    entrant.person = Some(entry.person.clone());
    entrant.is_enrolled = true;
    entrant.notes.push(if perhaps.is_empty() {
        Text::new("in the roster, handed in nothing", "在名单中，但没有提交")
    } else {
        entrant.open = Some(Unreadable::submitted(perhaps_elsewhere(&perhaps)));
        Text::new(
            "in the roster, handed in nothing under this name",
            "在名单中，但没有以此名义提交",
        )
    });
    entrant
}

/// Who says to be whom.
struct Claims {
    /// All who fit a line of the roster alone, by its place.
    of: HashMap<usize, Vec<usize>>,
    /// The one of them whose it is; nothing where that must be decided.
    owners: HashMap<usize, usize>,
}

impl Claims {
    fn new(found: &[Match], entrants: &[Entrant]) -> Self {
        let mut of: HashMap<usize, Vec<usize>> = HashMap::new();
        for (who, found) in found.iter().enumerate() {
            if let Match::One { line, .. } = found {
                of.entry(*line).or_default().push(who);
            }
        }
        let is_certain =
            |&who: &usize| matches!(found[who], Match::One { is_certain, .. } if is_certain);
        // What is empty is nobody's work, and takes it from nobody.
        let has_work = |&who: &usize| entrants[who].has_work();
        let owner = |claims: &[usize]| {
            let only = |is: &dyn Fn(&usize) -> bool| {
                let mut left = claims.iter().copied().filter(|who| is(who));
                left.next().filter(|_| left.next().is_none())
            };
            let is_nothing = !claims.iter().any(has_work);
            only(&|_| true)
                .or_else(|| only(&is_certain))
                .or_else(|| only(&has_work))
                .or_else(|| claims.first().copied().filter(|_| is_nothing))
        };
        let owners = of
            .iter()
            .filter_map(|(&line, claims)| Some((line, owner(claims)?)));
        Self {
            owners: owners.collect(),
            of,
        }
    }
}

/// Whether what systems call the two says that they are different people.
fn is_told_apart(entrant: &Entrant, other: &Person) -> bool {
    let Some(person) = &entrant.person else {
        return false;
    };
    [System::Moodle, System::Canvas].iter().any(|system| {
        let (a, b) = (person.ids.get(system), other.ids.get(system));
        a.zip(b).is_some_and(|(a, b)| a != b)
    })
}

/// Somebody's work may lie under another name.
fn perhaps_elsewhere(entries: &[&str]) -> Text {
    let listed = reason::listed(entries);
    Text::new(
        format!("handed in perhaps under another name: {}", listed.en),
        format!("可能以其他名义提交：{}", listed.zh),
    )
}

/// What the class calls someone: the entries, where one can be named.
fn called(entrant: &Entrant) -> String {
    match entrant.entries.as_slice() {
        [only] => only.clone(),
        _ => entrant.name.clone(),
    }
}
