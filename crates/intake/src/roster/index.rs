//! Whom of the roster an entry of the class belongs to.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use grader_model::System;
use unicode_normalization::UnicodeNormalization as _;

use super::{Entry, Roster};
use crate::entrant::Entrant;

/// Whom someone is in the roster, by place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// This one; for certain where the number that a system has for the student tells it.
    One {
        line: usize,
        is_certain: bool,
    },
    /// As far as can be told any of these.
    Several(Vec<usize>),
    None,
}

/// The roster by everything that tells who somebody is.
pub(crate) struct Index<'a> {
    entries: &'a [Entry],
    /// By what nobody shares: ids, logins, addresses.
    ids: Places<String>,
    /// By what systems call them.
    systems: Places<(System, String)>,
    names: Places<String>,
    /// By names as Canvas writes them: letters only.
    letters: Places<String>,
    /// Of each entry what it may be called, and how many characters that has.
    called: Vec<Vec<(String, usize)>>,
}

/// Places in the roster by what is known of those there.
type Places<K> = HashMap<K, BTreeSet<usize>>;

/// Fewest characters of a part of a name that is taken for an id: `1` of `group 1` is none.
const ID_LENGTH: usize = 4;

impl Roster {
    pub(crate) fn index(&self) -> Index<'_> {
        let mut index = Index {
            entries: &self.entries,
            ids: Places::new(),
            systems: Places::new(),
            names: Places::new(),
            letters: Places::new(),
            called: Vec::new(),
        };
        for (place, entry) in self.entries.iter().enumerate() {
            let called = ids(entry).chain(entry.person.name.as_deref()).map(plain);
            let called = called.map(|text| {
                let length = text.chars().count();
                (text, length)
            });
            index.called.push(called.collect());
            for id in ids(entry) {
                index.ids.entry(plain(id)).or_default().insert(place);
            }
            for (&system, id) in &entry.person.ids {
                let key = (system, plain(id));
                index.systems.entry(key).or_default().insert(place);
            }
            if let Some(name) = &entry.person.name {
                for name in [plain(name), plain(&uncut(name))] {
                    index.names.entry(name).or_default().insert(place);
                }
                for letters in [letters(name), letters(&turned(name))] {
                    index.letters.entry(letters).or_default().insert(place);
                }
            }
        }
        index
    }
}

impl Index<'_> {
    /// Finds someone, by the first of these that tells exactly one: what a system calls them; the address; the id or
    /// login; the name; the part of an address before the `@`; an id or a name as a part of the name (`1001_Ada`).
    ///
    /// Where both names are known, only an address, the number of a student information system and that of Canvas tell
    /// somebody of another name: a team has a number too, and a login may be somebody else's surname.
    pub(crate) fn find(&self, entrant: &Entrant) -> Match {
        if entrant.is_ambiguous {
            return Match::None;
        }
        let mut several = Match::None;
        for (step, found) in self.steps(entrant).into_iter().enumerate() {
            let mut places = found.iter();
            match (places.next(), places.next()) {
                (Some(&line), None) => {
                    let is_certain = step == 0;
                    return Match::One { line, is_certain };
                }
                (Some(_), Some(_)) if several == Match::None => {
                    several = Match::Several(found.into_iter().collect());
                }
                _ => {}
            }
        }
        several
    }

    /// Whom each way to find someone finds; the first is by the numbers that systems have.
    fn steps(&self, entrant: &Entrant) -> Vec<BTreeSet<usize>> {
        let person = entrant.person.as_ref();
        let told = |system| person.and_then(|person| person.ids.get(&system));
        let name = person.and_then(|person| person.name.as_deref());
        let is_named = |place: usize, is: fn(&str, &str) -> bool| {
            let other = self.entries[place].person.name.as_deref();
            name.zip(other).is_none_or(|(name, other)| is(name, other))
        };
        let by_system = || {
            let known = person.into_iter().flat_map(|person| &person.ids);
            let keys = known.map(|(&system, id)| (system, plain(id)));
            let found = keys.filter_map(|key| Some((key.0, self.systems.get(&key)?)));
            let places =
                found.flat_map(|(system, places)| places.iter().map(move |&at| (system, at)));
            places
                .filter(|&(system, at)| system != System::Moodle || is_named(at, are_one_name))
                .map(|(_, at)| at)
                .collect()
        };
        let by_id = |text: &str| at(&self.ids, &plain(text));
        // What anybody may be called must not contradict the name.
        let agreeing = |mut places: BTreeSet<usize>| {
            places.retain(|&place| is_named(place, may_be_one_name));
            places
        };
        let by_name = |text: &str| at(&self.names, &plain(text));
        let email = person.and_then(|person| person.email.as_deref());
        let local = email.and_then(|email| email.split('@').next());
        let by_letters = || at(&self.letters, &letters(&entrant.name));
        let steps = [
            Some(by_system()),
            email.map(by_id),
            told(System::Sis).map(|sis| by_id(sis)),
            entrant.whole.as_deref().map(by_id),
            Some(agreeing(by_id(&entrant.name))),
            name.map(by_name),
            Some(by_name(&entrant.name)),
            local.map(|local| agreeing(by_id(local))),
            told(System::Canvas).map(|_| by_letters()),
            Some(agreeing(self.parts(&entrant.name))),
        ];
        steps.into_iter().flatten().collect()
    }

    /// Whom the parts of a name tell: ids, and where there are none names.
    fn parts(&self, name: &str) -> BTreeSet<usize> {
        let words = || name.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '@');
        // A name may have several words.
        let names = || name.split(|c: char| "-_()[]（）【】".contains(c));
        let found = |is_enough: fn(&str) -> bool, places: &Places<String>| -> BTreeSet<usize> {
            words()
                .chain(names())
                .map(plain)
                .filter(|part| is_enough(part))
                .flat_map(|part| at(places, &part))
                .collect()
        };
        let ids = found(is_id, &self.ids);
        if ids.is_empty() {
            found(|part| part.chars().count() >= 2, &self.names)
        } else {
            ids
        }
    }

    /// Whom of those for whom nobody was found someone is perhaps.
    pub(crate) fn nearest(
        &self,
        entrant: &Entrant,
        is_free: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let called = plain(&entrant.name);
        let characters = called.chars().count();
        let distance = |place: usize| {
            let distances = self.called[place].iter().filter_map(|(known, length)| {
                // Two letters that differ in one are two names.
                let most = (length / 3).clamp(1, 3);
                if *length <= 2 || length.abs_diff(characters) > most {
                    return None;
                }
                let distance = strsim::damerau_levenshtein(&called, known);
                (distance <= most).then_some(distance)
            });
            distances.min()
        };
        let free = (0..self.entries.len()).filter(|&place| is_free(place));
        free.filter_map(|place| Some((distance(place)?, place)))
            .min()
            .map(|(_, place)| place)
    }
}

/// Whether a part of a name can be an id: a word without a digit may be part of anybody's name.
fn is_id(part: &str) -> bool {
    let tells = |c: char| c.is_ascii_digit() || c == '@';
    part.chars().count() >= ID_LENGTH && part.contains(tells)
}

/// Whether two names are one, of which one may be in full or in another order.
fn are_one_name(a: &str, b: &str) -> bool {
    let sorted = |name| {
        let mut letters: Vec<char> = letters(name).chars().collect();
        letters.sort_unstable();
        letters
    };
    let words = |name: &str| -> HashSet<String> {
        let words = name.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(plain).collect()
    };
    let (first, second) = (words(a), words(b));
    sorted(a) == sorted(b) || first.is_subset(&second) || second.is_subset(&first)
}

/// The same, or they are in different scripts, so that they cannot be compared.
fn may_be_one_name(a: &str, b: &str) -> bool {
    a.is_ascii() != b.is_ascii() || are_one_name(a, b)
}

fn at<K: Eq + Hash>(places: &Places<K>, key: &K) -> BTreeSet<usize> {
    places.get(key).cloned().unwrap_or_default()
}

/// What nobody else should be called.
fn ids(entry: &Entry) -> impl Iterator<Item = &str> {
    let person = &entry.person;
    let at = |system| person.ids.get(&system).map(String::as_str);
    let email = person.email.as_deref();
    let local = email.and_then(|email| email.split('@').next());
    let all = [
        Some(entry.id.as_str()),
        at(System::Login),
        at(System::Sis),
        at(System::Github),
        email,
        local,
    ];
    all.into_iter().flatten().filter(|id| !id.is_empty())
}

/// A text without what does not matter: forms of letters, case, blanks.
fn plain(text: &str) -> String {
    let text = text.nfkc().filter(|c| !c.is_whitespace());
    text.flat_map(char::to_lowercase).collect()
}

/// The letters and digits of a text.
fn letters(text: &str) -> String {
    let text = plain(text);
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// A name with the family name last: `Jane Doe` of `Doe, Jane`.
fn uncut(name: &str) -> String {
    match name.split_once(',') {
        Some((last, first)) => format!("{first} {last}"),
        None => name.to_owned(),
    }
}

/// A name with the family name first, as Canvas sorts: `Doe Jane` of `Jane Doe`.
fn turned(name: &str) -> String {
    match name.trim().rsplit_once(' ') {
        Some((first, last)) => format!("{last} {first}"),
        None => name.to_owned(),
    }
}
