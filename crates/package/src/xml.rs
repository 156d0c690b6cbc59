//! XML, parsed within limits and read as types. What an element has and no type reads is told to the caller.

use std::collections::BTreeMap;

use encoding_rs::Encoding;
use roxmltree::{Document, Node, ParsingOptions};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{IntoDeserializer, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use crate::constants::{
    MAX_DECLARATION_BYTES, MAX_XML_ATTRIBUTES, MAX_XML_NAMESPACES, MAX_XML_NODES,
};
use crate::error::{PackageError, mistake, unsupported};

/// The name of the field that has the text of an element, beside its attributes.
const OWN_TEXT: &str = "$text";

/// Reads the text of a file, whose root element has this name, as a type. Calls `unread` with the names of elements that the
/// type does not have, after those of the elements that they are in.
pub(crate) fn read<T: for<'a> Deserialize<'a>>(
    path: &str,
    text: &str,
    root: &str,
    mut unread: impl FnMut(&str, &str),
) -> Result<T, PackageError> {
    let options = ParsingOptions {
        nodes_limit: MAX_XML_NODES,
        // One that only names a file, which is not read. It has no entities that could multiply.
        allow_dtd: !check_tags(path, text)?,
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

/// Rejects what would take the parser too long: many attributes or namespaces. Returns whether there is a DTD with declarations.
fn check_tags(path: &str, text: &str) -> Result<bool, PackageError> {
    let (mut namespaces, mut has_declarations, mut rest) = (0, false, text);
    while let Some((_, inner)) = rest.split_once('<') {
        let mut others = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")].into_iter();
        if let Some((open, close)) = others.find(|(open, _)| inner.starts_with(open)) {
            rest = inner[open.len()..].split_once(close).map_or("", |it| it.1);
            continue;
        }
        let mut quote = None;
        let end = inner.bytes().position(|byte| {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                _ => {}
            }
            quote.is_none() && matches!(byte, b'>' | b'[')
        });
        let (tag, after) = inner.split_at(end.unwrap_or(inner.len()));
        has_declarations |= tag.starts_with('!') && after.starts_with('[');
        if tag.matches('=').count() > MAX_XML_ATTRIBUTES {
            let line = text[..text.len() - inner.len()].matches('\n').count() + 1;
            let message =
                format!("line {line}: an element has more than {MAX_XML_ATTRIBUTES} attributes");
            return mistake(path, message);
        }
        namespaces += tag.matches("xmlns").count();
        rest = after;
    }
    if namespaces > MAX_XML_NAMESPACES {
        let message = format!("it declares more than {MAX_XML_NAMESPACES} namespaces");
        return mistake(path, message);
    }
    Ok(has_declarations)
}

/// The text of a file in the encoding of its byte order mark, or that its first line declares, or UTF-8.
pub(crate) fn decoded(path: &str, bytes: &[u8]) -> Result<String, PackageError> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_DECLARATION_BYTES)]);
    let declared = head.split("?>").next().filter(|it| it.contains("<?xml"));
    let declared = declared.and_then(|it| it.split_once("encoding")?.1.split(['"', '\'']).nth(1));
    let label = declared.unwrap_or("UTF-8");
    let Some(encoding) = Encoding::for_label(label.as_bytes()) else {
        return mistake(path, format!("the encoding `{label}` is not known"));
    };
    let (text, used, has_errors) = encoding.decode(bytes);
    if has_errors {
        let name = used.name();
        let message = format!(
            "the file is not in {name}, which it must be if it declares `{label}` or nothing"
        );
        return mistake(path, message);
    }
    Ok(text.into_owned())
}

/// What a field is read from: the attribute of its name or, without one, the elements of its name. A field that is no list has
/// the first of them.
struct Found<'a> {
    attribute: Option<&'a str>,
    elements: Vec<Node<'a, 'a>>,
}

impl<'a> Found<'a> {
    /// The text: comments may stand around it, not in it.
    fn text(&self) -> Result<&'a str, PackageError> {
        let element = self.elements.first().filter(|_| self.attribute.is_none());
        let children = || element.into_iter().flat_map(Node::children);
        let texts = || children().filter(Node::is_text).filter_map(|it| it.text());
        let is_blank = |text: &&str| text.trim().is_empty();
        let mut others = texts().filter(|text| !is_blank(text));
        let text = others.next().or_else(|| texts().next());
        if let Some(element) = element
            && (others.next().is_some() || children().any(|it| it.is_element()))
        {
            let name = element.tag_name().name();
            return unsupported(format!(
                "`<{name}>` must have one text only: tags in it belong into `<![CDATA[…]]>`"
            ));
        }
        Ok(self.attribute.or(text).unwrap_or_default())
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
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        if self.attribute.is_none() && self.elements.is_empty() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        visitor.visit_bool(self.text()? == "true")
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
        let own = fields.contains(&OWN_TEXT).then(|| self.text());
        let own = own.transpose()?;
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
                    attribute: match name {
                        OWN_TEXT => own,
                        name => element.and_then(|it| it.attribute(name)),
                    },
                    elements,
                };
                (name, found)
            },
        )))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit_struct newtype_struct tuple
        tuple_struct map enum identifier
    }

    /// Only whether it is there.
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, PackageError> {
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> Result<V::Value, PackageError> {
        visitor.visit_unit()
    }
}
