//! `[student]`: values that each student has of their own.

use schemars::JsonSchema;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization as _;

use crate::value::{At, Digits, Entries, Prose, VariableName};
use crate::variables::Values;

/// Stands around the name of a value that depends on the student. It is no character of any text.
pub(crate) const MARK: &str = "\u{10fffe}";

/// Values that each student has of their own. They follow from the id of the problem, the student's id and `key`, so they are the same on
/// every machine. `{student}` in a template is 16 hexadecimal digits of the student, for a generator.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct StudentFile {
    /// Variables: each student has one of the values. `{student.NAME}` in templates, `{{student.NAME}}` in statements.
    #[serde(default)]
    pub(crate) variables: Entries<VariableName, At<Values>>,
    /// A text that students do not know. Without one, they can find out the values of others, and `{student}`. Kits do not have it.
    pub(crate) key: Option<At<Prose>>,
    /// The digits of the student for whom a kit is: everybody has this student's values, whatever the `key`. `grader bundle --student` writes it.
    pub(crate) seed: Option<At<Digits>>,
}

/// The values of a student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnValues {
    variables: Vec<(String, Values)>,
    /// What the digits follow from, apart from the student.
    key: [u8; blake3::OUT_LEN],
    /// The value of `{student}`: 16 hexadecimal digits.
    pub digits: String,
    /// Whether these are the values of a student. If not, they are an example.
    pub is_of_student: bool,
    /// Whether students can find out the values of others, as there is no `key`.
    pub is_guessable: bool,
}

impl OwnValues {
    pub(crate) fn new(file: &StudentFile, problem: &str) -> Self {
        let variables = file.variables.iter();
        let variables = variables.map(|(name, values)| (name.0.clone(), values.value.clone()));
        let key = file.key.as_ref().map_or("", |it| &it.0);
        let key = format!("{problem}\n{key}");
        let mut values = Self {
            variables: variables.collect(),
            key: blake3::derive_key("bitcraft values of students", key.as_bytes()),
            digits: String::new(),
            is_of_student: file.seed.is_some(),
            is_guessable: file.key.is_none() && file.seed.is_none(),
        };
        let seed = file.seed.as_ref().map(|it| it.0.clone());
        values.digits = seed.unwrap_or_else(|| values.digits_of(""));
        values
    }

    /// The digits of a student. Upper and lower case of the id do not differ, nor do two ways of writing an accent.
    pub(crate) fn digits_of(&self, student: &str) -> String {
        let student: String = student.trim().to_lowercase().nfc().collect();
        let hash = blake3::keyed_hash(&self.key, student.as_bytes());
        hash.to_hex().chars().take(16).collect()
    }

    /// The names of the values, and the values: `student`, `student.n`.
    pub fn all(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let digits = [("student".to_owned(), self.digits.clone())];
        let values = self.variables.iter().filter_map(|(name, values)| {
            let hash = blake3::hash(format!("{} {name}", self.digits).as_bytes());
            let first = u64::from_le_bytes(*hash.as_bytes().first_chunk()?);
            // Every value is as likely as any other.
            let place = (u128::from(first) * values.count().min(1 << 64)) >> 64;
            Some((format!("student.{name}"), values.at(place)?))
        });
        digits.into_iter().chain(values)
    }

    /// The text with the values between marks filled in.
    pub(crate) fn filled(&self, text: &str) -> String {
        self.all().fold(text.to_owned(), |text, (name, value)| {
            text.replace(&[MARK, &name, MARK].concat(), &value)
        })
    }

    /// A statement with the values filled in; an example shows their names.
    pub fn in_statement(&self, text: &str) -> String {
        self.all().fold(text.to_owned(), |text, (name, value)| {
            let shown = name.rsplit('.').next().filter(|_| !self.is_of_student);
            text.replace(&format!("{{{{{name}}}}}"), shown.unwrap_or(&value))
        })
    }
}
