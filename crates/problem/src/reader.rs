//! Reads parsed TOML into raw tables, collecting every mistake with its place.
//!
//! One description of a table, the macro [`table!`], makes its type, its reader and its JSON Schema. `serde`
//! is not used here because it stops at the first mistake of a file.

use std::ops::Range;

use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Code, Log};
use crate::suggest::{closest, did_you_mean, quoted};

/// A value with its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) span: Range<usize>,
}

/// What a key holds.
#[derive(Clone, Debug, Default)]
pub(crate) enum Slot<T> {
    /// The key is not there.
    #[default]
    Absent,
    /// The key is there, its value is wrong, and the mistake is reported.
    Broken,
    /// The value.
    Given(At<T>),
}

impl<T> Slot<T> {
    pub(crate) fn at(&self) -> Option<&At<T>> {
        match self {
            Self::Given(at) => Some(at),
            Self::Absent | Self::Broken => None,
        }
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.at().map(|at| &at.value)
    }

    pub(crate) const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Takes the other's value where this one is absent.
    pub(crate) fn inherit(&mut self, other: &Self)
    where
        T: Clone,
    {
        if self.is_absent() {
            self.clone_from(other);
        }
    }

    /// This slot, or the other where this one is absent.
    pub(crate) const fn or<'a>(&'a self, other: Option<&'a Self>) -> &'a Self {
        match (self, other) {
            (Self::Absent, Some(other)) => other,
            _ => self,
        }
    }
}

/// A parsed value, its place, and the name by which messages call it.
pub(crate) struct Node<'a> {
    pub(crate) value: &'a DeValue<'a>,
    pub(crate) span: Range<usize>,
    /// `limits.time`; empty for the whole file.
    pub(crate) place: String,
}

/// Something that can be read from a TOML value.
pub(crate) trait Read: Sized {
    /// Reads the value. Reports what is wrong; nothing comes back when nothing can be used.
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self>;

    /// The JSON Schema of the values that are read.
    fn schema() -> Value;
}

impl Node<'_> {
    /// Reports that the value is of another type.
    pub(crate) fn wrong_type(&self, expected: &str, log: &mut Log) {
        let found = match self.value {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a float",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        log.report(
            &self.span,
            Code::WrongType,
            format!("`{}` must be {expected}, found {found}", self.place),
        );
    }

    pub(crate) fn string(&self, expected: &str, log: &mut Log) -> Option<&str> {
        if let DeValue::String(text) = self.value {
            return Some(text);
        }
        self.wrong_type(expected, log);
        None
    }

    /// An integer, or a report.
    pub(crate) fn integer(&self, expected: &str, log: &mut Log) -> Option<i64> {
        let DeValue::Integer(integer) = self.value else {
            self.wrong_type(expected, log);
            return None;
        };
        let parsed = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
        if parsed.is_none() {
            self.bad_value(expected, integer.as_str(), log);
        }
        parsed
    }

    /// Reports that the value is out of its range.
    pub(crate) fn bad_value(&self, expected: &str, found: &str, log: &mut Log) {
        log.report(
            &self.span,
            Code::BadValue,
            format!(
                "`{}` must be {expected}, found {}",
                self.place,
                quoted(found)
            ),
        );
    }
}

/// A table that is being read.
pub(crate) struct Keys<'a> {
    table: &'a DeTable<'a>,
    /// Known keys that unknown ones were probably meant to be.
    meant: Vec<String>,
    span: Range<usize>,
    place: &'a str,
}

impl<'a> Keys<'a> {
    /// The table, its unknown keys reported.
    pub(crate) fn open(
        node: &'a Node<'a>,
        known: &[String],
        unknown: Code,
        log: &mut Log,
    ) -> Option<Self> {
        let DeValue::Table(table) = node.value else {
            node.wrong_type("a table", log);
            return None;
        };
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let noun = if unknown == Code::UnknownChecker {
            "checker"
        } else {
            "key"
        };
        let mut meant = Vec::new();
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !known.contains(&name) {
                meant.extend(closest(name, known.iter().copied()).map(str::to_owned));
                log.report_with(
                    &key.span(),
                    unknown,
                    format!("unknown {noun} {} {}", quoted(name), location(&node.place)),
                    did_you_mean(name, &known, noun),
                );
            }
        }
        Some(Self {
            table,
            meant,
            span: node.span.clone(),
            place: &node.place,
        })
    }

    /// Reads a key that may be absent.
    pub(crate) fn optional<T: Read>(&self, key: &str, log: &mut Log) -> Slot<T> {
        let Some(value) = self.table.get(key) else {
            return Slot::Absent;
        };
        let span = value.span();
        let node = Node {
            value: value.get_ref(),
            span: span.clone(),
            place: nested(self.place, key),
        };
        T::read(&node, log).map_or(Slot::Broken, |value| Slot::Given(At { value, span }))
    }

    /// Reads a key and reports when it is absent.
    pub(crate) fn required<T: Read>(&self, key: &str, log: &mut Log) -> Slot<T> {
        if !self.table.contains_key(key) && !self.meant.iter().any(|meant| meant == key) {
            missing_key(key, self.place, &self.span, log);
        }
        self.optional(key, log)
    }
}

/// Reports an absent key of the table at `span`.
pub(crate) fn missing_key(key: &str, place: &str, span: &Range<usize>, log: &mut Log) {
    log.report_each(
        span,
        Code::MissingKey,
        format!("missing key `{key}` {}", location(place)),
    );
}

fn location(place: &str) -> String {
    if place.is_empty() {
        "at the top of the file".to_owned()
    } else {
        format!("in `{place}`")
    }
}

fn nested(place: &str, key: &str) -> String {
    if place.is_empty() {
        key.to_owned()
    } else {
        format!("{place}.{key}")
    }
}

/// A field's name as a key.
pub(crate) fn key(field: &str) -> String {
    field.replace('_', "-")
}

/// A key of a table, for its JSON Schema.
pub(crate) struct Property {
    pub(crate) key: String,
    pub(crate) required: bool,
    pub(crate) doc: &'static [&'static str],
    pub(crate) schema: Value,
}

/// The JSON Schema of a table.
pub(crate) fn object(doc: &[&str], unknown: Code, properties: Vec<Property>) -> Value {
    let describe = |doc: &[&str]| {
        let lines: Vec<&str> = doc.iter().map(|line| line.trim()).collect();
        lines.join(" ")
    };
    let mut required = Vec::new();
    let mut map = Map::new();
    for mut property in properties {
        if property.required {
            required.push(Value::from(property.key.clone()));
        }
        property.schema["description"] = describe(property.doc).into();
        map.insert(property.key, property.schema);
    }
    let mut schema = json!({
        "type": "object",
        "description": describe(doc),
        "properties": map,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    if unknown == Code::UnknownChecker {
        schema["minProperties"] = 1.into();
        schema["maxProperties"] = 1.into();
    }
    schema
}

/// Describes a table once: its type, its reader and its JSON Schema come of it.
macro_rules! table {
    (
        $(#[doc = $doc:literal])*
        $name:ident: $unknown:ident {
            $($(#[doc = $field_doc:literal])* $presence:ident $field:ident: $type:ty,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default)]
        pub(crate) struct $name {
            $($(#[doc = $field_doc])* pub(crate) $field: $crate::reader::Slot<$type>,)*
        }

        impl $crate::reader::Read for $name {
            fn read(
                node: &$crate::reader::Node<'_>,
                log: &mut $crate::diagnostic::Log,
            ) -> Option<Self> {
                let known: Vec<String> =
                    vec![$($crate::reader::key(stringify!($field)),)*];
                let unknown = $crate::diagnostic::Code::$unknown;
                let keys = $crate::reader::Keys::open(node, &known, unknown, log)?;
                // A table without keys (a checker without options) reads nothing.
                let _ = &keys;
                Some(Self {
                    $($field: keys.$presence(&$crate::reader::key(stringify!($field)), log),)*
                })
            }

            fn schema() -> serde_json::Value {
                $crate::reader::object(
                    &[$($doc),*],
                    $crate::diagnostic::Code::$unknown,
                    vec![$($crate::reader::Property {
                        key: $crate::reader::key(stringify!($field)),
                        required: stringify!($presence) == "required",
                        doc: &[$($field_doc),*],
                        schema: <$type as $crate::reader::Read>::schema(),
                    },)*],
                )
            }
        }
    };
}
pub(crate) use table;

impl<T: Read> Read for Vec<At<T>> {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let DeValue::Array(array) = node.value else {
            node.wrong_type("an array", log);
            return None;
        };
        let mut items = Vec::with_capacity(array.len());
        for item in array {
            let node = Node {
                value: item.get_ref(),
                span: item.span(),
                place: node.place.clone(),
            };
            if let Some(value) = T::read(&node, log) {
                let span = node.span;
                items.push(At { value, span });
            }
        }
        // What can be read of a list is checked further, so that its mistakes show together.
        (array.is_empty() || !items.is_empty()).then_some(items)
    }

    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }
}

/// A kind of key that is not fixed: the name of a variable, a language, a path.
pub(crate) trait Key: Sized {
    /// Reads the key, and reports when it cannot be one.
    fn read(text: &str, span: &Range<usize>, log: &mut Log) -> Option<Self>;

    /// The JSON Schema of a table with such keys.
    fn object(values: Value) -> Value;
}

/// A table whose keys are not fixed.
#[derive(Clone, Debug)]
pub(crate) struct Entries<K, V> {
    /// What could be read, in the order of the file.
    pub(crate) list: Vec<(At<K>, At<V>)>,
    /// Whether everything could be read.
    pub(crate) whole: bool,
}

impl<K: Key, V: Read> Read for Entries<K, V> {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let DeValue::Table(table) = node.value else {
            node.wrong_type("a table", log);
            return None;
        };
        let mut entries = Vec::new();
        for (name, value) in table {
            let key = K::read(name.get_ref(), &name.span(), log);
            let node = Node {
                value: value.get_ref(),
                span: value.span(),
                place: nested(&node.place, name.get_ref()),
            };
            let value = V::read(&node, log);
            if let (Some(key), Some(value)) = (key, value) {
                let key = At {
                    value: key,
                    span: name.span(),
                };
                let span = node.span;
                entries.push((key, At { value, span }));
            }
        }
        entries.sort_by_key(|(key, _)| key.span.start);
        Some(Self {
            whole: entries.len() == table.len(),
            list: entries,
        })
    }

    fn schema() -> Value {
        K::object(V::schema())
    }
}
