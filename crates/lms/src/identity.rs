//! Who is who: the one matcher for rosters and gradebooks.
//!
//! A person is found by an exact key (a system's number, e-mail, SIS id, student id, login), then by the normalised name:
//! NFKD without accents, case and punctuation, words in any order. In a roster a key or a name may also be a part of what a
//! folder is called (`2023001_Ada`). Anything else is left for a person to decide: nothing is guessed from a similar spelling.
//!
//! If both names are known they must not contradict a key: a team has a number too, and a login may be somebody else's
//! surname. Only an e-mail address decides alone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use grader_model::{Person, System};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Fewest characters of a part of a name that is taken for an id: `1` of `group 1` is none.
const MIN_ID_LENGTH: usize = 4;

/// Whom someone can be, by place among the people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) places: Vec<usize>,
    /// Whether the number that a system has for the student says so.
    pub(crate) is_certain: bool,
}

/// Why something that looks like somebody's is not taken for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Near {
    /// Whose, by place among the people.
    pub(crate) place: usize,
    pub(crate) why: NearWhy,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NearWhy {
    /// They have this key together, but names that contradict each other.
    OtherName { key: String, name: String },
    /// The ids differ only by zeros in front, which spreadsheets drop.
    LostZeros { ours: String, theirs: String },
}

/// What a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    System(System),
    /// What nobody shares: ids, logins, addresses.
    Id,
    Name,
}

/// People by everything that says who somebody is.
pub(crate) struct Matcher<'a> {
    names: Vec<Option<&'a str>>,
    keys: HashMap<(Kind, String), BTreeSet<usize>>,
}

type Places = BTreeSet<usize>;

impl<'a> Matcher<'a> {
    /// The matcher of people with their student ids.
    pub(crate) fn new(people: impl Iterator<Item = (Option<&'a str>, &'a Person)>) -> Self {
        let mut names = Vec::new();
        let mut keys: HashMap<_, Places> = HashMap::new();
        for (place, (id, person)) in people.enumerate() {
            let mut add = |kind, key: String| {
                if !key.is_empty() {
                    keys.entry((kind, key)).or_default().insert(place);
                }
            };
            for (&system, id) in &person.ids {
                add(Kind::System(system), plain(id));
                if matches!(system, System::Login | System::Sis | System::Github) {
                    add(Kind::Id, plain(id));
                }
            }
            let email = person.email.as_deref();
            let ids = [id, email, email.and_then(|it| it.split('@').next())];
            for id in ids.into_iter().flatten() {
                add(Kind::Id, plain(id));
            }
            let words = person.name.as_deref().map(words).unwrap_or_default();
            add(Kind::Name, sorted(&words));
            // `Lee, Ann` and `Ann Lee` are both written together somewhere.
            for at in 0..words.len() {
                let turned = [&words[at..], &words[..at]].concat();
                add(Kind::Name, turned.concat());
            }
            names.push(person.name.as_deref());
        }
        Self { names, keys }
    }

    /// Whom of a roster someone is who is `called` by a name or an id, by the first of these that says exactly one: a system's
    /// number; e-mail; SIS id; login; `called` as an id; the name; the part of an address before the `@`; an id or a name as
    /// a part of `called`.
    pub(crate) fn find_in_roster(&self, person: &Person, called: &str) -> Match {
        let local = person.email.as_deref().and_then(|it| it.split('@').next());
        let mut steps = self.by_keys(person, called);
        steps.push(self.by_id(local, person));
        steps.push(self.by_parts(person, called));
        first_of(&steps)
    }

    /// Whose row of a gradebook is someone's, by the same steps without the last two. If the gradebook's own system has a
    /// number for both, nothing else counts: another row of that name is somebody else's.
    pub(crate) fn find_in_gradebook(
        &self,
        person: &Person,
        called: &str,
        own: Option<System>,
    ) -> Vec<usize> {
        let steps = match self.deciding(person, own) {
            Some(own) => vec![self.by_system(own, person)],
            None => self.by_keys(person, called),
        };
        first_of(&steps).places
    }

    /// The system whose numbers decide alone: the gradebook's own, if both sides have them.
    fn deciding(&self, person: &Person, own: Option<System>) -> Option<System> {
        let is_known = |own: System| self.keys.keys().any(|(kind, _)| *kind == Kind::System(own));
        own.filter(|own| person.ids.contains_key(own) && is_known(*own))
    }

    /// The rows of a gradebook that look like those of someone for whom none was found, in their order: a person decides.
    pub(crate) fn near_in_gradebook(
        &self,
        person: &Person,
        called: &str,
        own: Option<System>,
    ) -> Vec<Near> {
        let decides = self.deciding(person, own);
        let mut keys: Vec<(Kind, &str)> = Vec::new();
        for (system, id) in &person.ids {
            if decides.is_none_or(|it| it == *system) {
                keys.push((Kind::System(*system), id));
            }
        }
        if decides.is_none() {
            let ids = [System::Sis, System::Login].map(|it| person.ids.get(&it));
            let ids = ids.into_iter().flatten().map(String::as_str);
            keys.extend(ids.chain([called]).map(|id| (Kind::Id, id)));
        }
        let mut near: BTreeMap<usize, NearWhy> = BTreeMap::new();
        for (kind, key) in &keys {
            for place in self.places(*kind, plain(key)) {
                if let (Some(_), Some(name)) = (&person.name, self.names[place]) {
                    let (key, name) = ((*key).to_owned(), name.to_owned());
                    near.entry(place)
                        .or_insert(NearWhy::OtherName { key, name });
                }
            }
        }
        for (kind, ours) in keys {
            for (theirs, places) in self.without_zeros(kind, ours) {
                for place in places {
                    if self.agrees(*place, person, may_be_one_name) {
                        let (ours, theirs) = (ours.to_owned(), theirs.to_owned());
                        near.entry(*place)
                            .or_insert(NearWhy::LostZeros { ours, theirs });
                    }
                }
            }
        }
        let near = near.into_iter().map(|(place, why)| Near { place, why });
        near.collect()
    }

    /// The known numbers that differ from this one only by zeros in front.
    fn without_zeros(&self, kind: Kind, ours: &str) -> Vec<(&str, &Places)> {
        let ours = plain(ours);
        let Some(bare) = bare_number(&ours) else {
            return Vec::new();
        };
        let known = self.keys.iter();
        let near = known.filter(|((other, theirs), _)| {
            *other == kind && *theirs != ours && bare_number(theirs) == Some(bare)
        });
        let near = near.map(|((_, theirs), places)| (theirs.as_str(), places));
        let mut near: Vec<(&str, &Places)> = near.collect();
        near.sort_unstable();
        near
    }

    fn by_keys(&self, person: &Person, called: &str) -> Vec<Places> {
        let Person { name, email, ids } = person;
        let at = |system| ids.get(&system).map(String::as_str);
        let systems = ids.keys().map(|system| self.by_system(*system, person));
        let email = email.as_deref().map(plain).unwrap_or_default();
        let mut by_called = self.by_id(Some(called), person);
        if name
            .as_deref()
            .is_some_and(|name| plain(name) == plain(called))
        {
            // It is a name: whose id reads like it is not the only one who may be called so.
            by_called.extend(self.by_name(called));
        }
        vec![
            systems.flatten().collect(),
            self.places(Kind::Id, email),
            self.by_id(at(System::Sis), person),
            self.by_id(at(System::Login), person),
            by_called,
            self.by_name(name.as_deref().unwrap_or_default()),
            self.by_name(called),
        ]
    }

    fn places(&self, kind: Kind, key: String) -> Places {
        self.keys.get(&(kind, key)).cloned().unwrap_or_default()
    }

    fn by_system(&self, system: System, person: &Person) -> Places {
        let is_one_name = match system {
            // Another assignment has other numbers, and teams are numbered too.
            System::Moodle => are_one_name,
            _ => may_be_one_name,
        };
        let id = person.ids.get(&system).map(|id| plain(id));
        let mut places = self.places(Kind::System(system), id.unwrap_or_default());
        places.retain(|place| self.agrees(*place, person, is_one_name));
        places
    }

    fn by_id(&self, id: Option<&str>, person: &Person) -> Places {
        let mut places = self.places(Kind::Id, id.map(plain).unwrap_or_default());
        places.retain(|place| self.agrees(*place, person, may_be_one_name));
        places
    }

    fn by_name(&self, name: &str) -> Places {
        let words = words(name);
        let mut places = self.places(Kind::Name, sorted(&words));
        places.extend(self.places(Kind::Name, words.concat()));
        places
    }

    fn by_parts(&self, person: &Person, called: &str) -> Places {
        let is_sign = |c: char| !c.is_alphanumeric() && c != '.' && c != '@';
        let is_id = |part: &&str| {
            part.chars().count() >= MIN_ID_LENGTH
                && part.contains(|c: char| c.is_ascii_digit() || c == '@')
        };
        let ids = called.split(is_sign).filter(is_id);
        let by_id = |part| self.by_id(Some(part), person);
        let ids: Places = ids.flat_map(by_id).collect();
        if !ids.is_empty() {
            return ids;
        }
        let segments = called.split(|c: char| "-_()[]（）【】".contains(c));
        let segments = segments.filter(|part| part.trim().chars().count() >= 2);
        let mut places: Places = segments.flat_map(|part| self.by_name(part)).collect();
        places.retain(|place| self.agrees(*place, person, may_be_one_name));
        places
    }

    /// Whether the names, if both are known, can be one.
    fn agrees(&self, place: usize, person: &Person, is: fn(&str, &str) -> bool) -> bool {
        let names = person.name.as_deref().zip(self.names[place]);
        names.is_none_or(|(name, other)| is(name, other))
    }
}

/// The first step that finds exactly one; else the first that finds several.
fn first_of(steps: &[Places]) -> Match {
    let one = steps.iter().position(|places| places.len() == 1);
    let best = one.or_else(|| steps.iter().position(|places| !places.is_empty()));
    let places = best.map(|step| steps[step].iter().copied().collect());
    Match {
        places: places.unwrap_or_default(),
        is_certain: best == Some(0),
    }
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

/// Whether two names are one, or are in different scripts and cannot be compared.
pub fn may_be_one_name(a: &str, b: &str) -> bool {
    let (first, second) = (words(a).concat(), words(b).concat());
    first.is_ascii() != second.is_ascii() || are_one_name(a, b)
}

/// The words of a name, without accents, case and punctuation.
pub(crate) fn words(name: &str) -> Vec<String> {
    let bare: String = name
        .nfkd()
        .flat_map(char::to_lowercase)
        .filter(|c| !is_combining_mark(*c) && !matches!(c, '\'' | '’' | '.'))
        .collect();
    let words = bare.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn sorted(words: &[String]) -> String {
    let mut words = words.to_vec();
    words.sort_unstable();
    words.join(" ")
}

/// An id without case, blanks and forms of letters.
pub(crate) fn plain(text: &str) -> String {
    let text = text.nfkc().filter(|c| !c.is_whitespace());
    text.flat_map(char::to_lowercase).collect()
}

/// A number without the zeros in front.
fn bare_number(id: &str) -> Option<&str> {
    is_number(id).then(|| id.trim_start_matches('0'))
}

/// Whether a text is all digits.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
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
