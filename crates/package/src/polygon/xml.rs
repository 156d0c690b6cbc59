//! XML, parsed within limits and read as types. What an element has and no type reads is told to the caller.

use std::collections::BTreeMap;

use roxmltree::{Document, Node, ParsingOptions};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{IntoDeserializer, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use crate::constants::{MAX_XML_ATTRIBUTES, MAX_XML_NAMESPACES, MAX_XML_NODES};
use crate::error::{PackageError, mistake};

/// Reads the text of a file, whose root element has this name, as a type. Calls `unread` with the names of elements that the
/// type does not have, after those of the elements that they are in.
pub(super) fn read<T: for<'a> Deserialize<'a>>(
    path: &str,
    text: &str,
    root: &str,
    mut unread: impl FnMut(&str, &str),
) -> Result<T, PackageError> {
    check_attributes(path, text)?;
    if text.matches("xmlns").count() > MAX_XML_NAMESPACES {
        let message = format!("it declares more than {MAX_XML_NAMESPACES} namespaces");
        return mistake(path, message);
    }
    let options = ParsingOptions {
        nodes_limit: MAX_XML_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options);
    let document = document.map_err(|error| PackageError::file(path, error))?;
    let element = document.root_element();
    if !element.has_tag_name(root) {
        return mistake(path, format!("the root element must be `<{root}>`"));
    }
    let found = Found {
        attribute: None,
        elements: vec![element],
    };
    serde_ignored::deserialize(found, |path| {
        if let serde_ignored::Path::Map { parent, key } = path {
            let parent = parent.to_string();
            // Not the number of an item in a list.
            let mut words = parent.rsplit('.');
            let parent = words.find(|word| word.starts_with(char::is_alphabetic));
            unread(parent.unwrap_or(root), &key);
        }
    })
}

/// Rejects an element with too many attributes by counting its equals signs, which precede the next `<`. Equals signs
/// in the text after the element are counted, too, but no real package has that many.
fn check_attributes(path: &str, text: &str) -> Result<(), PackageError> {
    let mut line = 1;
    for piece in text.split('<') {
        if piece.matches('=').count() > MAX_XML_ATTRIBUTES {
            let message =
                format!("line {line}: an element has more than {MAX_XML_ATTRIBUTES} attributes");
            return mistake(path, message);
        }
        line += piece.matches('\n').count();
    }
    Ok(())
}

/// What a field is read from: the attribute of its name or, without one, the elements of its name. A field that is no list has
/// the first of them.
struct Found<'a> {
    attribute: Option<&'a str>,
    elements: Vec<Node<'a, 'a>>,
}

impl<'a> Found<'a> {
    fn text(&self) -> &'a str {
        let text = self.elements.first().and_then(Node::text);
        self.attribute.or(text).unwrap_or_default()
    }
}

impl<'a> IntoDeserializer<'a, PackageError> for Found<'a> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Found<'de> {
    type Error = PackageError;

    /// A missing text is empty.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        visitor.visit_borrowed_str(self.text())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        if self.attribute.is_none() && self.elements.is_empty() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        visitor.visit_bool(self.text() == "true")
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        let items = self.elements.into_iter().map(|element| Self {
            attribute: None,
            elements: vec![element],
        });
        visitor.visit_seq(SeqDeserializer::new(items))
    }

    /// What is missing is empty, too.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, PackageError> {
        let element = self.elements.first();
        let mut elements = BTreeMap::<_, Vec<_>>::new();
        for inner in element.into_iter().flat_map(Node::children) {
            if inner.is_element() {
                let name = inner.tag_name().name();
                elements.entry(name).or_default().push(inner);
            }
        }
        for field in fields {
            elements.entry(field).or_default();
        }
        visitor.visit_map(MapDeserializer::new(elements.into_iter().map(
            |(name, elements)| {
                let found = Self {
                    attribute: element.and_then(|it| it.attribute(name)),
                    elements,
                };
                (name, found)
            },
        )))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct tuple
        tuple_struct map enum identifier ignored_any
    }
}
