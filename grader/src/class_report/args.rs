//! Options of the report.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use grader_model::{Person, StudentId, escaped};
use grader_report::Audience;

use super::format::Format;
use super::gradebook::GradebookArgs;
use crate::assignment::did_you_mean;
use crate::exit::Failure;

/// The report on a class.
#[derive(Debug, Args)]
#[command(next_help_heading = "The report")]
pub(crate) struct ClassReportArgs {
    /// What the report looks like, and for whom or what it is.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) format: Format,
    /// Write the report to this file, whole or not at all, instead of standard output; of `students`,
    /// `html`, `dolos` and `jplag` the folder.
    #[arg(long, short, value_name = "PATH")]
    #[arg(required_if_eq_any([("format", "students"), ("format", "moodle-feedback"), ("format", "html"), ("format", "dolos"), ("format", "jplag")]))]
    pub(super) output: Option<PathBuf>,
    /// Who will read the report: a student sees no hidden cases, no flags and nobody else; name the student with
    /// `--explain`.
    #[arg(long, default_value = "staff", value_name = "WHO", value_parser = audiences())]
    pub(super) audience: Audience,
    /// Explain every score of this student after the table (may be given more than once).
    #[arg(long, value_name = "ID")]
    explain: Vec<String>,
    /// Also write points for another system while some are not scored yet: their cells stay empty.
    #[arg(long)]
    pub(super) allow_faults: bool,
    #[command(flatten)]
    pub(super) gradebook: GradebookArgs,
}

fn audiences() -> impl clap::builder::TypedValueParser<Value = Audience> {
    PossibleValuesParser::new(["student", "staff"]).map(|word| match word.as_str() {
        "student" => Audience::Student,
        _ => Audience::Staff,
    })
}

const NOT_ONE: &str = "this report is about one student: name the student with `--explain ID`";

impl ClassReportArgs {
    /// Whether the report is about exactly one student.
    fn is_about_one(&self) -> bool {
        self.audience == Audience::Student || self.format.is_about_one()
    }

    /// Whether a student enters the report: one about one student is about the one of `--explain`.
    pub(crate) fn includes(&self, student: &StudentId) -> bool {
        !self.is_about_one() || self.explain.is_empty() || self.explains(student)
    }

    pub(super) fn explains(&self, student: &StudentId) -> bool {
        self.explain.iter().any(|id| id == student.as_str())
    }

    /// Finds mistakes that can be seen before a class is read.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.is_about_one() && self.explain.len() > 1 {
            return Err(Failure::usage(NOT_ONE));
        }
        if self.format == Format::Html && self.audience == Audience::Student {
            let message =
                "`--format html` is for staff; its folder `students` has the pages for students";
            return Err(Failure::usage(message));
        }
        if self.format.similarity_tool().is_some() && self.audience == Audience::Student {
            let word = self.format.word();
            let message =
                format!("`--format {word}` is for staff: it holds the sources of the whole class");
            return Err(Failure::usage(message));
        }
        if self.format.gradebook().is_none() && self.gradebook.gradebook.is_some() {
            let word = self.format.word();
            let message = format!("`--gradebook` is not for `--format {word}`");
            return Err(Failure::usage(message));
        }
        Ok(())
    }

    /// Whether it is made of the sources in the ledger.
    pub(crate) fn needs_ledger(&self) -> bool {
        self.format.similarity_tool().is_some()
    }

    /// Replaces the names in `--explain` by ids, and checks that a report about one student names the one.
    pub(crate) fn resolve<'a>(
        &mut self,
        students: impl Iterator<Item = (&'a StudentId, Option<&'a Person>)>,
        source: &Path,
    ) -> Result<(), Failure> {
        let students: Vec<_> = students.collect();
        self.explain = named(&self.explain, &students, source)?;
        if self.is_about_one() && self.explain.len() != 1 && students.len() != 1 {
            return Err(Failure::usage(NOT_ONE));
        }
        Ok(())
    }
}

/// The ids of the students of `source` that are named, each by the id, the full name or the address.
///
/// # Errors
/// If nobody has this name, or several have.
fn named(
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
        if students.iter().any(|(id, _)| id.as_str() == name) {
            return Ok(name.clone());
        }
        let found = students.iter();
        let found = found.filter(|(_, person)| person.is_some_and(is_called));
        let found: Vec<&str> = found.map(|(id, _)| id.as_str()).collect();
        match &found[..] {
            [id] => Ok((*id).to_owned()),
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
        let named = |name: &str| {
            let students = people.each_ref().map(|(id, person)| (id, Some(person)));
            match super::named(&[name.to_owned()], &students, Path::new("class")) {
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
            assert_eq!(named(name), expected);
        }
    }
}
