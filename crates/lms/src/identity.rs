//! Who is who: the one matcher for rosters and gradebooks.
//!
//! A person is found by an exact key (a system's number, e-mail, SIS id, student id, login), then by the normalised name:
//! NFKD without accents, case and punctuation, words in any order. In a roster a key or a name may also be a part of what a
//! folder is called (`2023001_Ada`). Anything else is left for a person to decide: nothing is guessed from a similar spelling.
//!
//! Where both names are known they must not contradict a key: a team has a number too, and a login may be somebody else's
//! surname. Only an e-mail address decides alone.

use std::collections::{BTreeSet, HashMap};

use grader_model::{Person, System};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::people::Record;

/// Fewest characters of a part of a name that is taken for an id: `1` of `group 1` is none.
const MIN_ID_LENGTH: usize = 4;

/// Whom someone is, by place among the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// This one; for certain if the number that a system has for the student says so.
    One {
        place: usize,
        is_certain: bool,
    },
    /// Any of these.
    Several(Vec<usize>),
    None,
}

/// What is known of someone who is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query<'a> {
    pub(crate) person: Option<&'a Person>,
    /// A name or an id.
    pub(crate) called: &'a str,
    /// The name of which `called` is a part.
    pub(crate) whole: Option<&'a str>,
}

/// Records by everything that says who somebody is.
pub(crate) struct Matcher<'a> {
    records: &'a [Record],
    systems: Places<(System, String)>,
    /// By what nobody shares: ids, logins, addresses.
    ids: Places<String>,
    names: Places<String>,
}

type Places<K> = HashMap<K, BTreeSet<usize>>;

impl<'a> Matcher<'a> {
    pub(crate) fn new(records: &'a [Record]) -> Self {
        let mut matcher = Self {
            records,
            systems: Places::new(),
            ids: Places::new(),
            names: Places::new(),
        };
        for (place, Record { id, person }) in records.iter().enumerate() {
            for (&system, id) in &person.ids {
                let key = (system, plain(id));
                matcher.systems.entry(key).or_default().insert(place);
            }
            let named = [System::Login, System::Sis, System::Github];
            let named = named.iter().filter_map(|system| person.ids.get(system));
            let email = person.email.iter();
            let local = person.email.iter().filter_map(|it| it.split('@').next());
            let ids = id.iter().chain(named).chain(email).map(String::as_str);
            for id in ids.chain(local).map(plain).filter(|id| !id.is_empty()) {
                matcher.ids.entry(id).or_default().insert(place);
            }
            // `Lee, Ann` and `Ann Lee` are both written together somewhere.
            let words = person.name.as_deref().map(words).unwrap_or_default();
            let turned = match words.split_last() {
                Some((last, first)) => format!("{last}{}", first.concat()),
                None => continue,
            };
            let turned_back = format!("{}{}", words[1..].concat(), words[0]);
            for name in [sorted(&words), words.concat(), turned, turned_back] {
                matcher.names.entry(name).or_default().insert(place);
            }
        }
        matcher
    }

    /// Whom of a roster someone is, by the first of these that says exactly one: a system's number; e-mail; SIS id; the
    /// whole name as an id; the name as an id; the name; the part of an address before the `@`; an id or a name as a part of
    /// the name.
    pub(crate) fn find_in_roster(&self, query: Query<'_>) -> Match {
        let local = query
            .person
            .and_then(|it| it.email.as_deref()?.split('@').next());
        let mut steps = vec![self.by_system(query, None)];
        steps.extend(self.by_keys(query));
        steps.push(local.map(|id| self.by_id(id, query)).unwrap_or_default());
        steps.push(self.by_parts(query));
        first_of(steps)
    }

    /// Whose row of a gradebook is someone's, by the same steps without the last two. If the gradebook's own system has a
    /// number for both, nothing else counts: another row of that name is somebody else's.
    pub(crate) fn find_in_gradebook(&self, query: Query<'_>, own: Option<System>) -> Match {
        let number =
            own.filter(|system| query.person.is_some_and(|it| it.ids.contains_key(system)));
        let has_numbers = |own| self.systems.keys().any(|(system, _)| *system == own);
        if let Some(own) = number.filter(|own| has_numbers(*own)) {
            return first_of(vec![self.by_system(query, Some(own))]);
        }
        first_of(self.by_keys(query))
    }

    fn by_keys(&self, query: Query<'_>) -> Vec<BTreeSet<usize>> {
        let at = |system| {
            query
                .person
                .and_then(|it| it.ids.get(&system))
                .map(String::as_str)
        };
        let email = query.person.and_then(|it| it.email.as_deref());
        let by_id = |id: Option<&str>| id.map(|id| self.by_id(id, query)).unwrap_or_default();
        let name = query.person.and_then(|it| it.name.as_deref());
        vec![
            email
                .map(|it| self.ids.get(&plain(it)).cloned().unwrap_or_default())
                .unwrap_or_default(),
            by_id(at(System::Sis)),
            by_id(query.whole),
            by_id(at(System::Login)),
            by_id(Some(query.called)),
            name.map(|name| self.by_name(name)).unwrap_or_default(),
            self.by_name(query.called),
        ]
    }

    fn by_system(&self, query: Query<'_>, only: Option<System>) -> BTreeSet<usize> {
        let ids = query.person.into_iter().flat_map(|person| &person.ids);
        let ids = ids.filter(|(system, _)| only.is_none_or(|only| only == **system));
        let found =
            ids.filter_map(|(&system, id)| Some((system, self.systems.get(&(system, plain(id)))?)));
        found
            .flat_map(|(system, places)| places.iter().map(move |&place| (system, place)))
            .filter(|&(system, place)| match system {
                // Another assignment numbers anew, and teams are numbered too.
                System::Moodle => self.agrees(place, query, are_one_name),
                _ => self.agrees(place, query, may_be_one_name),
            })
            .map(|(_, place)| place)
            .collect()
    }

    fn by_id(&self, id: &str, query: Query<'_>) -> BTreeSet<usize> {
        let mut places = self.ids.get(&plain(id)).cloned().unwrap_or_default();
        places.retain(|&place| self.agrees(place, query, may_be_one_name));
        places
    }

    fn by_name(&self, name: &str) -> BTreeSet<usize> {
        let words = words(name);
        let found = [sorted(&words), words.concat()];
        let found = found.iter().filter_map(|name| self.names.get(name));
        found.flatten().copied().collect()
    }

    fn by_parts(&self, query: Query<'_>) -> BTreeSet<usize> {
        let is_sign = |c: char| !c.is_alphanumeric() && c != '.' && c != '@';
        let is_id = |part: &&str| {
            part.chars().count() >= MIN_ID_LENGTH
                && part.contains(|c: char| c.is_ascii_digit() || c == '@')
        };
        let words = query.called.split(is_sign).filter(is_id);
        let ids: BTreeSet<usize> = words.flat_map(|part| self.by_id(part, query)).collect();
        if !ids.is_empty() {
            return ids;
        }
        let segments = query.called.split(|c: char| "-_()[]（）【】".contains(c));
        let segments = segments.filter(|part| part.trim().chars().count() >= 2);
        let mut places: BTreeSet<usize> = segments.flat_map(|part| self.by_name(part)).collect();
        places.retain(|&place| self.agrees(place, query, may_be_one_name));
        places
    }

    /// Whether the names, if both are known, can be one.
    fn agrees(&self, place: usize, query: Query<'_>, is: fn(&str, &str) -> bool) -> bool {
        let name = query.person.and_then(|person| person.name.as_deref());
        let other = self.records[place].person.name.as_deref();
        name.zip(other).is_none_or(|(name, other)| is(name, other))
    }
}

/// The first step that finds exactly one; else the first that finds several.
fn first_of(steps: Vec<BTreeSet<usize>>) -> Match {
    let mut several = Match::None;
    for (step, found) in steps.into_iter().enumerate() {
        let mut places = found.iter();
        match (places.next(), places.next()) {
            (Some(&place), None) => {
                let is_certain = step == 0;
                return Match::One { place, is_certain };
            }
            (Some(_), Some(_)) if several == Match::None => {
                several = Match::Several(found.into_iter().collect());
            }
            _ => {}
        }
    }
    several
}

/// Whether two names are one: the same letters, or one is a part of the other in whole words.
fn are_one_name(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    let letters = |words: &[String]| {
        let mut letters: Vec<char> = words.concat().chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_part = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
    letters(&a) == letters(&b) || is_part(&a, &b) || is_part(&b, &a)
}

/// The same, or they are in different scripts and cannot be compared.
fn may_be_one_name(a: &str, b: &str) -> bool {
    let (first, second) = (words(a).concat(), words(b).concat());
    first.is_ascii() != second.is_ascii() || are_one_name(a, b)
}

/// The words of a name, without accents, case and punctuation.
fn words(name: &str) -> Vec<String> {
    let bare: String = name
        .nfkd()
        .flat_map(char::to_lowercase)
        .filter(|c| !is_combining_mark(*c) && !matches!(c, '\'' | '’' | '.'))
        .collect();
    let words = bare.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn sorted(words: &[String]) -> String {
    let mut words = words.to_vec();
    words.sort_unstable();
    words.join(" ")
}

/// An id without case, blanks and forms of letters.
fn plain(text: &str) -> String {
    let text = text.nfkc().filter(|c| !c.is_whitespace());
    text.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_written_in_two_ways_are_one() {
        for (a, b) in [
            ("Lee, Ann", "ann lee"),
            ("leeann", "Ann Lee"),
            ("Ann Beatrice Lee", "Ann Lee"),
            ("José O'Neil", "Jose ONeil"),
            ("李 雷", "李雷"),
            ("韩梅梅", "韩梅梅 (2023)"),
        ] {
            assert!(are_one_name(a, b) && are_one_name(b, a), "{a} {b}");
        }
    }

    #[test]
    fn names_of_two_people_are_two() {
        for (a, b) in [
            ("Team 7", "Bo Li"),
            ("Ann Lee", "Bo Lee"),
            ("Ann Lee", "Annabel Lee"),
            ("李雷", "李梅"),
        ] {
            assert!(!are_one_name(a, b) && !are_one_name(b, a), "{a} {b}");
        }
    }
}
