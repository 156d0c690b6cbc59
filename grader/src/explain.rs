//! The students that `--explain` names.

use std::path::Path;

use grader_model::{Person, StudentId, escaped};

use crate::assignment::did_you_mean;
use crate::exit::Mistake;

/// The ids of the students of `source` that are named, each by the id, the full name or the address.
///
/// # Errors
/// If nobody is called so, or several are.
pub(crate) fn resolve<'a>(
    names: &[String],
    students: impl Iterator<Item = (&'a StudentId, Option<&'a Person>)>,
    source: &Path,
) -> Result<Vec<String>, Mistake> {
    let students: Vec<_> = students.collect();
    let source = escaped(source.as_os_str().as_encoded_bytes());
    let find = |name: &String| {
        if students.iter().any(|(id, _)| id.as_str() == name) {
            return Ok(name.clone());
        }
        let is_called = |person: &Person| {
            let names = [&person.name, &person.email];
            let mut names = names.into_iter().flatten();
            names.any(|known| known.to_lowercase() == name.to_lowercase())
        };
        let found = students
            .iter()
            .filter(|(_, person)| person.is_some_and(is_called));
        let found: Vec<&str> = found.map(|(id, _)| id.as_str()).collect();
        match found[..] {
            [id] => Ok(id.to_owned()),
            [] => {
                let names = students.iter().flat_map(|(id, person)| {
                    let person = person.and_then(|person| person.name.as_deref());
                    [Some(id.as_str()), person].into_iter().flatten()
                });
                let near = did_you_mean(name, names);
                let name = escaped(name.as_bytes());
                Err(Mistake::new(
                    format!(
                        "there is no student `{name}` in `{source}`{}",
                        escaped(near.en.as_bytes())
                    ),
                    format!(
                        "`{source}` 中没有学生 `{name}`{}",
                        escaped(near.zh.as_bytes())
                    ),
                ))
            }
            [..] => {
                let (name, ids) = (
                    escaped(name.as_bytes()),
                    escaped(found.join(", ").as_bytes()),
                );
                Err(Mistake::new(
                    format!("several students are called `{name}`; name one by the id: {ids}"),
                    format!("有多名学生叫 `{name}`；请用学号指定：{ids}"),
                ))
            }
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
            let students = people.iter().map(|(id, person)| (id, Some(person)));
            match resolve(&[name.to_owned()], students, Path::new("class")) {
                Ok(ids) => ids.join(" "),
                Err(Mistake(text)) => text.en,
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
