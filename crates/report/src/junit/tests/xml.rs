//! A reader of the XML that these tests look at: elements, attributes and text, and no leniency.
//!
//! By *Extensible Markup Language (XML) 1.0*, fifth edition; what reports do not use (comments, CDATA, document types,
//! processing instructions) is refused.

#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    pub(super) text: String,
}

impl Element {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let (_, value) = attributes.find(|(key, _)| key == name)?;
        Some(value)
    }

    pub(super) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }
}

/// The root element.
pub(super) fn read(text: &str) -> Result<Element, String> {
    if let Some(c) = text.chars().find(|c| !is_char(*c)) {
        return Err(format!("{c:?} is no character of XML"));
    }
    let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    let rest = text.strip_prefix(declaration).ok_or("no declaration")?;
    let mut reader = Reader {
        rest: rest.trim_start(),
    };
    let root = reader.element()?;
    match reader.rest.trim() {
        "" => Ok(root),
        more => Err(format!("after the root: {more:.20}")),
    }
}

/// Production 2.
fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, expected: &str) -> Result<(), String> {
        self.rest = self
            .rest
            .strip_prefix(expected)
            .ok_or_else(|| format!("expected {expected:?} at {:.20}", self.rest))?;
        Ok(())
    }

    fn until(&mut self, stop: &[char]) -> Result<&'a str, String> {
        let at = self.rest.find(stop).ok_or("it ends too early")?;
        let (before, rest) = self.rest.split_at(at);
        self.rest = rest;
        Ok(before)
    }

    fn element(&mut self) -> Result<Element, String> {
        self.take("<")?;
        let name = self.until(&[' ', '>', '/'])?.to_owned();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic() || c == '-') {
            return Err(format!("`{name}` is no name"));
        }
        let mut element = Element {
            name,
            attributes: Vec::new(),
            children: Vec::new(),
            text: String::new(),
        };
        while self.rest.starts_with(' ') {
            self.take(" ")?;
            let key = self.until(&['='])?.to_owned();
            self.take("=\"")?;
            let value = unescaped(self.until(&['"', '<'])?)?;
            self.take("\"")?;
            if element.get(&key).is_some() {
                return Err(format!("`{key}` twice"));
            }
            element.attributes.push((key, value));
        }
        if self.rest.starts_with("/>") {
            self.take("/>")?;
            return Ok(element);
        }
        self.take(">")?;
        loop {
            let text = self.until(&['<'])?;
            if text.contains("]]>") {
                return Err("`]]>` in text".to_owned());
            }
            element.text.push_str(&unescaped(text)?);
            if self.rest.starts_with("</") {
                self.take(&format!("</{}>", element.name))?;
                return Ok(element);
            }
            element.children.push(self.element()?);
        }
    }
}

fn unescaped(text: &str) -> Result<String, String> {
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').ok_or("`&` without an end")?;
        plain.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => return Err(format!("`&{name};` is not known")),
        });
        plain.push_str(rest);
    }
    Ok(plain)
}

#[test]
fn what_is_not_well_formed_is_refused() {
    let read = |body: &str| read(&format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{body}"));
    assert!(read("<a b=\"1\"><c/>x &amp; y</a>\n").is_ok());
    for wrong in [
        "",
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a b=\"1\" b=\"2\"/>",
        "<a b=\"<\"/>",
        "<a>&</a>",
        "<a>&x;</a>",
        "<a>]]></a>",
        "<a>\u{1}</a>",
        "<a>\u{ffff}</a>",
        "<!-- --><a/>",
        "<a b=1/>",
        "< a/>",
    ] {
        assert!(read(wrong).is_err(), "{wrong:?}");
    }
}
