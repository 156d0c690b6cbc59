//! What students are called in results.

use std::collections::{BTreeMap, HashMap, HashSet};

use grader_model::{Person, StudentId, System, Text};
use unicode_normalization::UnicodeNormalization as _;

use crate::identity::{Match, Matcher, Query};
use crate::people::Record;
use crate::reason;
use crate::roster::{Entry, Roster};
use crate::submitter::Submitter;

/// Gives everyone an id: that of the roster, or else the name, with a number if others have it too. Those in the roster who
/// submitted nothing are added. `submitters` come in the order in which they get the plain name.
pub fn assign_ids(
    mut submitters: Vec<Submitter>,
    roster: Option<&Roster>,
) -> Vec<(StudentId, Submitter)> {
    for submitter in &mut submitters {
        // One name in two ways of writing it is one name.
        submitter.name = submitter.name.nfc().collect();
    }
    if let Some(roster) = roster {
        apply(roster, &mut submitters);
    }
    number(submitters)
}

/// Makes names different. The roster's go first, then one that is exactly that before one that only looks like it, and before
/// one that got a number.
fn number(submitters: Vec<Submitter>) -> Vec<(StudentId, Submitter)> {
    let mut uses: HashMap<String, usize> = HashMap::new();
    for submitter in &submitters {
        *uses.entry(submitter.name.clone()).or_default() += 1;
    }
    let mut ranked: Vec<_> = submitters
        .into_iter()
        .map(|submitter| {
            let is_numbered = uses[&submitter.name] > 1 && submitter.number.is_some();
            let rank = (!submitter.is_enrolled, is_numbered, !submitter.is_verbatim);
            (rank, submitter)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut taken = HashSet::new();
    let named = ranked.into_iter().map(|((_, is_numbered, _), submitter)| {
        let name = match &submitter.number {
            Some(number) if is_numbered => format!("{} ({number})", submitter.name),
            _ => submitter.name.clone(),
        };
        let mut candidate = name.clone();
        let mut number = 1;
        while !taken.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{name} ({number})");
        }
        (StudentId::new(candidate), submitter)
    });
    named.collect()
}

/// Finds everyone in the roster, and adds those who are in it and were not found.
fn apply(roster: &Roster, submitters: &mut Vec<Submitter>) {
    let records: Vec<Record> = roster
        .entries
        .iter()
        .map(|entry| Record {
            id: Some(entry.id.clone()),
            person: entry.person.clone(),
        })
        .collect();
    let matcher = Matcher::new(&records);
    let found: Vec<Match> = submitters
        .iter()
        .map(|submitter| {
            if submitter.is_ambiguous {
                return Match::None;
            }
            matcher.find_in_roster(Query {
                person: submitter.person.as_ref(),
                called: &submitter.name,
                whole: submitter.whole.as_deref(),
            })
        })
        .collect();
    let mut claims: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (who, found) in found.iter().enumerate() {
        if let Match::One { place, .. } = found {
            claims.entry(*place).or_default().push(who);
        }
    }
    let owners: HashMap<usize, usize> = claims
        .iter()
        .filter_map(|(&place, claims)| Some((place, owner(claims, &found, submitters)?)))
        .collect();
    let called: Vec<String> = submitters.iter().map(called).collect();
    let absent: Vec<Submitter> = roster
        .entries
        .iter()
        .enumerate()
        .filter(|(place, _)| !owners.contains_key(place))
        .map(|(place, entry)| absent(entry, place, &found, submitters, &called))
        .collect();
    for (who, (submitter, found)) in submitters.iter_mut().zip(&found).enumerate() {
        match found {
            Match::One { place, .. } if owners.get(place) == Some(&who) => {
                enrol(submitter, &roster.entries[*place], &called[who]);
            }
            Match::One { place, .. } => {
                let others = claims[place].iter().filter(|&&other| other != who);
                let others: Vec<&String> = others.map(|&other| &called[other]).collect();
                let (others, line) = (reason::listed(&others), roster.entries[*place].line);
                submitter.remarks.push(Text::new(
                    format!(
                        "line {line} of the roster fits {} too: decide which of them counts",
                        others.en
                    ),
                    format!("名单第 {line} 行也与 {} 相符，请确定采用哪一份", others.zh),
                ));
            }
            Match::Several(places) => {
                let lines = places
                    .iter()
                    .map(|&place| roster.entries[place].line.to_string());
                let lines: Vec<String> = lines.collect();
                submitter.remarks.push(Text::new(
                    format!("several lines of the roster fit: {}", lines.join(", ")),
                    format!("名单中有多行相符：第 {} 行", lines.join("、")),
                ));
            }
            Match::None => submitter
                .notes
                .push(Text::new("not in the roster", "不在名单中")),
        }
    }
    submitters.extend(absent);
}

/// Whose line of the roster it is, of those who fit it: the only one, the only certain one, the only one with work, or if none
/// has work anybody. An empty folder takes nothing from anybody.
fn owner(claims: &[usize], found: &[Match], submitters: &[Submitter]) -> Option<usize> {
    let is_certain = |who: usize| matches!(found[who], Match::One { is_certain, .. } if is_certain);
    let has_work = |who: usize| submitters[who].has_work;
    let only = |is: &dyn Fn(usize) -> bool| {
        let mut left = claims.iter().copied().filter(|who| is(*who));
        left.next().filter(|_| left.next().is_none())
    };
    let is_nothing = !claims.iter().any(|who| has_work(*who));
    only(&|_| true)
        .or_else(|| only(&is_certain))
        .or_else(|| only(&has_work))
        .or_else(|| claims.first().copied().filter(|_| is_nothing))
}

/// Takes over what the roster says of someone.
fn enrol(submitter: &mut Submitter, entry: &Entry, called: &str) {
    let is_whole = submitter.whole.as_ref() == Some(&entry.id);
    if is_whole {
        // What was taken for the user is a part of the id.
        submitter.person().ids.remove(&System::Github);
    }
    if submitter.name != entry.id && !is_whole {
        let note = Text::new(
            format!("submitted as `{called}`"),
            format!("提交名称为 `{called}`"),
        );
        submitter.notes.insert(0, note);
    }
    submitter.name.clone_from(&entry.id);
    submitter.is_enrolled = true;
    submitter.number = None;
    let person = submitter.person();
    person.name = entry.person.name.clone().or(person.name.take());
    person.email = entry.person.email.clone().or(person.email.take());
    for (&system, id) in &entry.person.ids {
        person.ids.entry(system).or_insert_with(|| id.clone());
    }
}

/// Someone in the roster who was not found. Work that is nobody's for certain may be theirs.
fn absent(
    entry: &Entry,
    place: usize,
    found: &[Match],
    submitters: &[Submitter],
    called: &[String],
) -> Submitter {
    let may_be = |who: usize| match &found[who] {
        Match::One { place: other, .. } => *other == place,
        Match::Several(places) => places.contains(&place),
        Match::None => !is_someone_else(&submitters[who], &entry.person),
    };
    let perhaps = (0..submitters.len()).filter(|&who| submitters[who].has_work && may_be(who));
    let perhaps: Vec<&String> = perhaps.map(|who| &called[who]).collect();
    let mut absent = Submitter::new(entry.id.as_str());
    absent.person = Some(entry.person.clone());
    absent.is_enrolled = true;
    absent.notes.push(if perhaps.is_empty() {
        Text::new("in the roster, submitted nothing", "在名单中，但没有提交")
    } else {
        let listed = reason::listed(&perhaps);
        absent.open = Some(Text::new(
            format!("perhaps submitted under another name: {}", listed.en),
            format!("可能以其他名义提交：{}", listed.zh),
        ));
        Text::new(
            "in the roster, submitted nothing under this name",
            "在名单中，但没有以此名义提交",
        )
    });
    absent
}

/// Whether the numbers of a system say that the two are different people.
fn is_someone_else(submitter: &Submitter, other: &Person) -> bool {
    let Some(person) = &submitter.person else {
        return false;
    };
    [System::Moodle, System::Canvas].iter().any(|system| {
        let (a, b) = (person.ids.get(system), other.ids.get(system));
        a.zip(b).is_some_and(|(a, b)| a != b)
    })
}

/// What the class calls someone: the entry if there is only one.
fn called(submitter: &Submitter) -> String {
    match submitter.entries.as_slice() {
        [only] => only.clone(),
        _ => submitter.name.clone(),
    }
}
