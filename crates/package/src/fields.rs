//! The keys of a YAML file. Readers take those that they know; the rest are listed as unused.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::mem;

use grader_model::Bytes;
use grader_problem::Library;
use serde_json::Value;
use serde_saphyr::DuplicateKeyPolicy;

use crate::error::{PackageError, mistake};
use crate::limits::MAX_YAML;

/// Reads a text of at most this size; `None` if it does not exist.
pub(crate) fn read_text(
    library: &dyn Library,
    path: &str,
    max: Bytes,
) -> Result<Option<String>, PackageError> {
    let bytes = match library.read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(|error| PackageError::file(path, error))?,
    };
    if bytes.len() as u64 > max.0 {
        return mistake(path, format!("the file is larger than {max}"));
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| PackageError::file(path, "the file must be UTF-8"))?;
    Ok(Some(text))
}

/// The remaining keys of a mapping.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    /// Its path, for messages.
    path: String,
    map: BTreeMap<String, Value>,
    /// Whether a key of the file occurs twice.
    has_duplicate: bool,
}

impl Fields {
    /// Reads a file; `None` if it does not exist.
    pub(crate) fn read(library: &dyn Library, path: &str) -> Result<Option<Self>, PackageError> {
        let Some(text) = read_text(library, path, MAX_YAML)? else {
            return Ok(None);
        };
        // The parser has no keys that are null, as tests without names have.
        let text = text.replace("- ~:", "- '':");
        let strict = serde_saphyr::from_str::<Option<BTreeMap<String, Value>>>(&text);
        let has_duplicate = strict.is_err();
        let map = strict.or_else(|error| {
            let options = serde_saphyr::options! { duplicate_keys: DuplicateKeyPolicy::LastWins };
            let lax = serde_saphyr::from_str_with_options(&text, options);
            lax.map_err(|_| PackageError::file(path, error))
        })?;
        Ok(Some(Self {
            path: path.to_owned(),
            map: map.unwrap_or_default(),
            has_duplicate,
        }))
    }

    /// The keys of a value, which must be a mapping or nothing.
    pub(crate) fn of(path: &str, value: Option<Value>) -> Result<Self, PackageError> {
        match value {
            None | Some(Value::Null) => Ok(Self::default()),
            Some(Value::Object(map)) => Ok(Self {
                path: path.to_owned(),
                map: map.into_iter().collect(),
                has_duplicate: false,
            }),
            Some(other) => Err(expected(path, "a mapping", &other)),
        }
    }

    pub(crate) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.remove(key).filter(|value| !value.is_null())
    }

    /// Drops irrelevant keys.
    pub(crate) fn ignore(&mut self, keys: &[&str]) {
        for key in keys {
            self.map.remove(*key);
        }
    }

    /// Takes a nested mapping.
    pub(crate) fn table(&mut self, key: &str) -> Result<Self, PackageError> {
        Self::of(&format!("{}: {key}", self.path), self.take(key))
    }

    /// Takes a text, or a number as its text.
    pub(crate) fn text(&mut self, key: &str) -> Result<Option<String>, PackageError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
            Some(other) => Err(expected(&format!("{}: {key}", self.path), "a text", &other)),
        }
    }

    /// Takes a non-negative number.
    pub(crate) fn number(&mut self, key: &str) -> Result<Option<f64>, PackageError> {
        let Some(text) = self.text(key)? else {
            return Ok(None);
        };
        let number = text.trim().parse().ok();
        if let Some(number) = number.filter(|number: &f64| number.is_finite() && *number >= 0.0) {
            return Ok(Some(number));
        }
        let path = format!("{}: {key}", self.path);
        Err(expected(&path, "a number", &Value::String(text)))
    }

    /// Takes words: a list, or a text separated by blanks.
    pub(crate) fn words(&mut self, key: &str) -> Result<Option<Vec<String>>, PackageError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Array(items)) => {
                let texts = items.into_iter().map(|item| match item {
                    Value::String(text) => text,
                    other => other.to_string(),
                });
                Ok(Some(texts.collect()))
            }
            Some(Value::String(text)) => {
                Ok(Some(text.split_whitespace().map(str::to_owned).collect()))
            }
            Some(other) => Err(expected(&format!("{}: {key}", self.path), "a list", &other)),
        }
    }

    /// Takes the arguments of a program: words, or a mapping with the program's name.
    pub(crate) fn program_words(&mut self, key: &str) -> Result<Option<Vec<String>>, PackageError> {
        if let Some(Value::Object(map)) = self.map.get(key) {
            let flags = map.get("flags").or_else(|| map.values().next());
            let flags = flags.cloned().unwrap_or_default();
            self.map.insert(key.to_owned(), flags);
        }
        self.words(key)
    }

    /// The first remaining key.
    pub(crate) fn first_left(&self) -> Option<&str> {
        let mut keys = self.map.iter().filter(|(_, value)| !value.is_null());
        keys.next().map(|(key, _)| key.as_str())
    }

    /// Notes on the remaining keys, and on keys that occur twice.
    pub(crate) fn left(self) -> impl Iterator<Item = String> {
        let path = self.path;
        let twice = format!("`{path}`: duplicate key: the last value is used");
        let keys = self.map.into_iter().filter(|(_, value)| !value.is_null());
        let keys = keys.map(move |(key, _)| format!("`{path}`: `{key}` is not used"));
        keys.chain(self.has_duplicate.then_some(twice))
    }

    /// Takes all keys, with their values.
    pub(crate) fn all(&mut self) -> BTreeMap<String, Value> {
        mem::take(&mut self.map)
    }
}

fn expected(path: &str, what: &str, found: &Value) -> PackageError {
    PackageError::file(path, format!("expected {what}, found `{found}`"))
}
