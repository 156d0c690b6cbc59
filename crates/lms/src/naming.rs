//! What students are called in results.

use std::collections::{HashMap, HashSet};

use grader_model::{Person, StudentId, Text, natural_order};

use crate::identity::{Match, Matcher};
use crate::reason;
use crate::roster::{Entry, Roster};
use crate::submitter::Submitter;

/// Gives everyone an id: that of the roster, or else the name, with a number if others have it too. Those in the roster who
/// submitted nothing are added. `submitters` come in the order in which they get the plain name.
pub fn assign_ids(
    mut submitters: Vec<Submitter>,
    roster: Option<&Roster>,
) -> Vec<(StudentId, Submitter)> {
    if let Some(roster) = roster {
        apply(roster, &mut submitters);
    }
    doubt(&mut submitters);
    // Names become different: the roster's go first, and those that get a number of their system last.
    let mut uses: HashMap<String, usize> = HashMap::new();
    for submitter in &submitters {
        *uses.entry(submitter.name.clone()).or_default() += 1;
    }
    for submitter in &mut submitters {
        submitter.number.take_if(|_| uses[&submitter.name] == 1);
    }
    submitters.sort_by_key(|it| (!it.is_known, it.number.is_some()));
    let mut taken = HashSet::new();
    let named = submitters.into_iter().map(|submitter| {
        let number = submitter.number.as_ref();
        let number = number.map(|number| format!(" ({number})"));
        let name = submitter.name.clone() + &number.unwrap_or_default();
        let mut id = name.clone();
        let mut count = 1;
        while !taken.insert(id.clone()) {
            count += 1;
            id = format!("{name} ({count})");
        }
        (StudentId::new(id), submitter)
    });
    named.collect()
}

/// Finds everyone in the roster, and adds those who are in it and were not found.
fn apply(roster: &Roster, submitters: &mut Vec<Submitter>) {
    let people = roster.entries.iter();
    let matcher = Matcher::new(people.map(Entry::identity));
    let nobody = Person::default();
    // A roster knows more than a table of groups.
    for submitter in submitters.iter_mut() {
        submitter.is_known = false;
    }
    let find = |submitter: &Submitter| {
        if submitter.is_ambiguous {
            return Match::default();
        }
        let person = submitter.person.as_ref().unwrap_or(&nobody);
        matcher.find_in_roster(person, &submitter.name)
    };
    let found: Vec<Match> = submitters.iter().map(find).collect();
    let called: Vec<String> = submitters.iter().map(called).collect();
    for (submitter, found) in submitters.iter_mut().zip(&found) {
        if found.places.is_empty() {
            let note = Text::new("not in the roster", "不在名单中");
            submitter.notes.push(note);
        } else if found.places.len() > 1 {
            let lines = found
                .places
                .iter()
                .map(|&it| roster.entries[it].line.to_string());
            let lines: Vec<String> = lines.collect();
            submitter.remarks.push(Text::new(
                format!("several lines of the roster fit: {}", lines.join(", ")),
                format!("名单中有多行相符：第 {} 行", lines.join("、")),
            ));
        }
    }
    // Who fits a place alone. A class may be large: nobody is compared with everybody.
    let mut sure: HashMap<usize, Vec<usize>> = HashMap::new();
    for (who, found) in found.iter().enumerate() {
        if let [place] = found.places[..] {
            sure.entry(place).or_default().push(who);
        }
    }
    for (place, entry) in roster.entries.iter().enumerate() {
        let candidates = sure.remove(&place).unwrap_or_default();
        let owner = owner(&candidates, &found, submitters);
        if owner.is_none() {
            submitters.push(unfound(entry));
        }
        for &who in &candidates {
            if owner == Some(who) {
                enrol(&mut submitters[who], entry);
                continue;
            }
            let others = candidates.iter().filter(|&&other| other != who);
            let others: Vec<&String> = others.map(|&other| &called[other]).collect();
            let (others, line) = (reason::listed(&others), entry.line);
            submitters[who].remarks.push(Text::new(
                format!(
                    "line {line} of the roster fits {} too: decide which of them counts",
                    others.en
                ),
                format!("名单第 {line} 行也与 {} 相符，请确定采用哪一份", others.zh),
            ));
        }
    }
}

/// Leaves the points of those open who are known and submitted nothing, as long as some work has no owner: it may be theirs,
/// under a name that was mistyped or has changed.
fn doubt(submitters: &mut [Submitter]) {
    let ownerless = submitters.iter().filter(|it| !it.is_known && it.has_work);
    let mut ownerless: Vec<String> = ownerless.map(called).collect();
    ownerless.sort_unstable_by(|a, b| natural_order(a, b));
    ownerless.dedup();
    let listed = reason::listed(&ownerless);
    let perhaps = reason::perhaps(&listed);
    for submitter in submitters.iter_mut().filter(|it| it.is_known) {
        if submitter.place.is_none() {
            submitter.notes.push(if ownerless.is_empty() {
                Text::new("in the roster, submitted nothing", "在名单中，但没有提交")
            } else {
                Text::new(
                    "in the roster, submitted nothing under this name",
                    "在名单中，但没有以这个名字提交",
                )
            });
        }
        if !submitter.has_work && !ownerless.is_empty() {
            submitter.open = Some(perhaps.clone());
        }
    }
}

/// Who gets a line of the roster, of those who fit it: the only certain one, then the only one with work; if none has work,
/// anybody. An empty folder takes nothing from anybody.
fn owner(candidates: &[usize], found: &[Match], submitters: &[Submitter]) -> Option<usize> {
    let rank = |who: usize| (found[who].is_certain, submitters[who].has_work);
    let best = candidates.iter().map(|who| rank(*who)).max()?;
    let mut first = candidates.iter().copied().filter(|who| rank(*who) == best);
    let (who, (_, has_work)) = (first.next()?, best);
    (first.next().is_none() || !has_work).then_some(who)
}

/// Takes over what the roster says of someone.
fn enrol(submitter: &mut Submitter, entry: &Entry) {
    // Who names a table knows it: the time in it goes before that of the download.
    submitter.submitted = entry.submitted.clone().or(submitter.submitted.take());
    submitter.name.clone_from(&entry.id);
    submitter.is_known = true;
    submitter.number = None;
    complete(submitter.person(), &entry.person);
}

/// Adds what a roster says of someone, which goes first.
pub(crate) fn complete(person: &mut Person, known: &Person) {
    let Person { name, email, ids } = known.clone();
    person.name = name.or(person.name.take());
    person.email = email.or(person.email.take());
    for (system, id) in ids {
        person.ids.entry(system).or_insert(id);
    }
}

/// Someone in the roster who was not found.
fn unfound(entry: &Entry) -> Submitter {
    Submitter {
        person: Some(entry.person.clone()),
        is_known: true,
        ..Submitter::new(&entry.id)
    }
}

/// What the class calls someone: the entry if there is only one.
fn called(submitter: &Submitter) -> String {
    match submitter.entries.as_slice() {
        [only] => only.clone(),
        _ => submitter.name.clone(),
    }
}
