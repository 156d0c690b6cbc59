//! The students that `--explain` names.

use std::path::Path;

use grader_model::{Person, StudentId, escaped};

use crate::assignment::did_you_mean;
use crate::exit::Failure;

/// The ids of the students of `source` that are named, each by the id, the full name or the address.
///
/// # Errors
/// If nobody has this name, or several have.
pub(super) fn resolve(
    names: &[String],
    students: &[(&StudentId, Option<&Person>)],
    source: &Path,
) -> Result<Vec<String>, Failure> {
    let find = |name: &String| {
        let is_called = |person: &Person| {
            let names = [&person.name, &person.email];
            let mut names = names.into_iter().flatten();
            names.any(|known| known.to_lowercase() == name.to_lowercase())
        };
        let ids = |is: &dyn Fn(&StudentId, Option<&Person>) -> bool| {
            let found = students.iter().filter(|(id, person)| is(id, *person));
            found.map(|(id, _)| id.to_string()).collect::<Vec<_>>()
        };
        let mut found = ids(&|id, _| id.as_str() == name);
        if found.is_empty() {
            found = ids(&|_, person| person.is_some_and(is_called));
        }
        match &found[..] {
            [id] => Ok(id.clone()),
            [] => {
                let names = students.iter().flat_map(|(id, person)| {
                    let person = person.and_then(|person| person.name.as_deref());
                    [Some(id.as_str()), person].into_iter().flatten()
                });
                let (near, source) = (did_you_mean(name, names).en, source.display());
                Err(Failure::usage(format!(
                    "there is no student `{name}` in `{source}`{near}"
                )))
            }
            ids => Err(Failure::usage(format!(
                "several students are called `{name}`; name one by the id: {}",
                escaped(ids.join(", ").as_bytes())
            ))),
        }
    };
    names.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_student_by_id_name_or_address_and_suggests_the_nearest() {
        let person = |name: &str, email: &str| Person {
            name: Some(name.to_owned()),
            email: Some(email.to_owned()),
            ..Person::default()
        };
        let people = [
            ("s01", person("Ann Lee", "ann@example.org")),
            ("s02", person("Bob Ray", "bob@example.org")),
            ("s03", person("Bob Ray", "ray@example.org")),
        ];
        let people = people.map(|(id, person)| (StudentId::new(id), person));
        let resolve = |name: &str| {
            let students = people.each_ref().map(|(id, person)| (id, Some(person)));
            match resolve(&[name.to_owned()], &students, Path::new("class")) {
                Ok(ids) => ids.join(" "),
                Err(failure) => failure.text.en,
            }
        };
        for (name, expected) in [
            ("s02", "s02"),
            ("ann lee", "s01"),
            ("RAY@example.org", "s03"),
            (
                "Ann Leo",
                "there is no student `Ann Leo` in `class`; did you mean `Ann Lee`?",
            ),
            ("nobody", "there is no student `nobody` in `class`"),
            (
                "Bob Ray",
                "several students are called `Bob Ray`; name one by the id: s02, s03",
            ),
        ] {
            assert_eq!(resolve(name), expected);
        }
    }
}
