//! YAML files of packages, read as types. What a file has and no type reads becomes a note.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::slice;

use grader_model::{Bytes, Guess, decode_source, guess};
use grader_problem::Library;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeOwned, IntoDeserializer, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use serde_json::{Map, Value};
use serde_saphyr::DuplicateKeyPolicy;

use crate::constants::MAX_YAML;
use crate::error::{PackageError, mistake};

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
    let text = decoded(bytes);
    let text = text.ok_or_else(|| PackageError::file(path, "the file must be UTF-8"))?;
    Ok(Some(text))
}

/// A text in UTF-8 or GBK; `None` if it is in neither, or nobody can tell.
pub(crate) fn decoded(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).or_else(|error| {
        let bytes = error.into_bytes();
        let is_gbk = guess(&bytes) == Guess::Gbk;
        is_gbk.then(|| decode_source(&bytes).into_owned()).ok_or(())
    });
    Some(text.ok()?.trim_start_matches('\u{feff}').to_owned())
}

/// A key, after the path of its mapping.
type UnreadKey = (String, String);

/// Whether a type has neither this key nor, at the top, the mapping in which it is.
fn lacks(unread: &BTreeSet<UnreadKey>, key: &UnreadKey) -> bool {
    let top = key.0.split(": ").next().unwrap_or_default();
    unread.contains(key) || unread.contains(&(String::new(), top.to_owned()))
}

/// A mapping of a package: a file, or a part of one. Types read it; keys that none of them has become notes.
#[derive(Default)]
pub(crate) struct Yaml {
    /// Its path, for messages.
    pub(crate) path: String,
    pub(crate) value: Value,
    /// Keys that do not affect judging here.
    ignored: Vec<&'static str>,
    /// Keys that no type has. `None` before a type has read it.
    unread: Option<BTreeSet<UnreadKey>>,
    /// Whether a key of the file occurs twice.
    has_duplicate: bool,
}

impl Yaml {
    /// Reads a file; `None` if it does not exist.
    pub(crate) fn file(library: &dyn Library, path: &str) -> Result<Option<Self>, PackageError> {
        let Some(text) = read_text(library, path, MAX_YAML)? else {
            return Ok(None);
        };
        // The parser has no keys that are null, as tests without names have.
        let text = text.replace("- ~:", "- '':");
        let strict = serde_saphyr::from_str::<Option<Map<String, Value>>>(&text);
        let has_duplicate = strict.is_err();
        let map = strict.or_else(|error| {
            let options = serde_saphyr::options! { duplicate_keys: DuplicateKeyPolicy::LastWins };
            let lax = serde_saphyr::from_str_with_options(&text, options);
            lax.map_err(|_| PackageError::file(path, error))
        })?;
        Ok(Some(Self {
            has_duplicate,
            ..Self::of(path, map.map_or(Value::Null, Value::Object))
        }))
    }

    /// A value, which must be a mapping or nothing.
    pub(crate) fn of(path: &str, value: Value) -> Self {
        Self {
            path: path.to_owned(),
            value,
            ..Self::default()
        }
    }

    /// Leaves out notes on these keys: they do not affect judging here.
    pub(crate) fn ignoring(mut self, keys: &[&'static str]) -> Self {
        self.ignored.extend(keys);
        self
    }

    /// Reads it as a type. Several types may read it.
    pub(crate) fn typed<T: DeserializeOwned>(&mut self) -> Result<T, PackageError> {
        let mut unread = BTreeSet::new();
        let lenient = Lenient {
            path: self.path.clone(),
            value: &self.value,
        };
        let typed = serde_ignored::deserialize(lenient, |path| {
            if let serde_ignored::Path::Map { parent, key } = path {
                let parent = parent.to_string();
                unread.insert((parent.trim_matches('.').replace('.', ": "), key));
            }
        })?;
        if let Some(before) = self.unread.take() {
            let all = before.union(&unread);
            let is_unread = |it: &&_| lacks(&before, it) && lacks(&unread, it);
            unread = all.filter(is_unread).cloned().collect();
        }
        self.unread = Some(unread);
        Ok(typed)
    }

    fn unread(&self) -> impl Iterator<Item = &UnreadKey> {
        let all = self.unread.iter().flatten();
        all.filter(|(_, key)| !self.ignored.contains(&&**key))
    }

    /// A key that no type has.
    pub(crate) fn first_unread(&self) -> Option<&str> {
        self.unread().next().map(|(_, key)| &**key)
    }

    /// Notes on the keys that no type has, and on keys that occur twice.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let path = &self.path;
        let twice = format!("`{path}`: duplicate key: the last value is used");
        let notes = self.unread().map(move |(parent, key)| {
            let colon = if parent.is_empty() { "" } else { ": " };
            format!("`{path}{colon}{parent}`: `{key}` is not used")
        });
        notes.chain(self.has_duplicate.then_some(twice))
    }
}

/// Reads a value as the type that is wanted: a number as a text, a text as a number or as words, and null as a list or mapping
/// that is empty.
struct Lenient<'a> {
    path: String,
    value: &'a Value,
}

impl Lenient<'_> {
    fn expected<T>(&self, what: &str) -> Result<T, PackageError> {
        let found: String = self.value.to_string().chars().take(80).collect();
        mistake(&self.path, format!("expected {what}, found `{found}`"))
    }
}

impl<'a> IntoDeserializer<'a, PackageError> for Lenient<'a> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// What a type refuses by itself. Ours refuse nothing that `Lenient` does not refuse first, with its place.
impl de::Error for PackageError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Unsupported(message.to_string())
    }
}

impl<'de> Deserializer<'de> for Lenient<'de> {
    type Error = PackageError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        let read = self.value.deserialize_any(visitor);
        read.map_err(|error| PackageError::file(&self.path, error))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        match self.value {
            Value::String(text) => visitor.visit_str(text),
            Value::Number(_) | Value::Bool(_) => visitor.visit_string(self.value.to_string()),
            _ => self.expected("a text"),
        }
    }

    /// No format has negative numbers.
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        match plain(self.value).trim().parse() {
            Ok(number) if f64::is_finite(number) && number >= 0.0 => visitor.visit_f64(number),
            _ => self.expected("a number"),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        let words: Vec<String> = match self.value {
            Value::Null => Vec::new(),
            Value::Array(items) => items.iter().map(plain).collect(),
            Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
            _ => return self.expected("a list"),
        };
        visitor.visit_seq(SeqDeserializer::new(words.into_iter()))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        self.deserialize_struct("", &[], visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PackageError> {
        let map = match self.value {
            Value::Null => None,
            Value::Object(map) => Some(map),
            _ => return self.expected("a mapping"),
        };
        // A key that is missing, or has no value, is null if the type has it.
        let known = fields.iter().map(|key| (*key, &self.value[*key]));
        let others = map.into_iter().flatten();
        let others = others.map(|(key, value)| (key.as_str(), value));
        let others = others.filter(|(key, value)| !value.is_null() && !fields.contains(key));
        visitor.visit_map(MapDeserializer::new(known.chain(others).map(
            |(key, value)| {
                let path = format!("{}: {key}", self.path);
                (key, Lenient { path, value })
            },
        )))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 char str bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct enum identifier ignored_any
    }
}

/// A list, or its only item.
pub(crate) fn items(value: &Value) -> &[Value] {
    match value {
        Value::Null => &[],
        Value::Array(items) => items,
        only => slice::from_ref(only),
    }
}

/// A value as the text that it is in the file.
pub(crate) fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Typed {
        text: Option<String>,
        number: Option<f64>,
        words: Vec<String>,
        inner: Inner,
    }

    #[derive(Debug, Deserialize)]
    struct Inner {
        one: Value,
    }

    #[derive(Deserialize)]
    struct Other {
        #[expect(dead_code, reason = "only its key matters")]
        more: Value,
    }

    #[test]
    fn values_are_read_as_their_type_is_or_named_with_their_place() {
        for (value, typed) in [
            (json!(null), "None None [] Null"),
            (
                json!({ "text": 7, "number": "2.5", "words": "a  b" }),
                "Some(\"7\") Some(2.5) [\"a\", \"b\"] Null",
            ),
            (
                json!({ "text": true, "number": 0, "words": [1, "a b"] }),
                "Some(\"true\") Some(0.0) [\"1\", \"a b\"] Null",
            ),
            (
                json!({ "text": null, "inner": { "one": [null] } }),
                "None None [] Array [Null]",
            ),
            (json!([]), "`f`: expected a mapping, found `[]`"),
            (
                json!({ "text": [] }),
                "`f: text`: expected a text, found `[]`",
            ),
            (
                json!({ "number": -1 }),
                "`f: number`: expected a number, found `-1`",
            ),
            (
                json!({ "number": "1e999" }),
                "`f: number`: expected a number, found `\"1e999\"`",
            ),
            (
                json!({ "words": 7 }),
                "`f: words`: expected a list, found `7`",
            ),
            (
                json!({ "inner": 7 }),
                "`f: inner`: expected a mapping, found `7`",
            ),
        ] {
            let found = match Yaml::of("f", value.clone()).typed() {
                Ok(Typed {
                    text,
                    number,
                    words,
                    inner,
                }) => format!("{text:?} {number:?} {words:?} {:?}", inner.one),
                Err(error) => error.to_string(),
            };
            assert_eq!(found, typed, "{value}");
        }
    }

    #[test]
    fn keys_that_no_type_has_are_noted_unless_they_are_null_or_do_not_matter() {
        let value = json!({
            "text": "a", "more": 1, "other": 2, "null": null, "version": 1,
            "inner": { "one": { "below": 1 }, "two": 2, "more": 3 },
        });
        let mut yaml = Yaml::of("f", value).ignoring(&["version"]);
        yaml.typed::<Typed>().unwrap();
        let notes: Vec<String> = yaml.notes().collect();
        let [more, other] = ["more", "other"].map(|key| format!("`f`: `{key}` is not used"));
        let inner = ["more", "two"].map(|key| format!("`f: inner`: `{key}` is not used"));
        assert_eq!(notes, [&[more, other.clone()], &inner[..]].concat());
        yaml.typed::<Other>().unwrap();
        let notes: Vec<String> = yaml.notes().collect();
        assert_eq!(notes, [&[other], &inner[..]].concat());
    }
}
