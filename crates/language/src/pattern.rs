//! Patterns of messages, and what advice is made of.

use grader_model::{Excerpt, Text};

/// Most pieces of advice in one list: nobody reads more, and a source must not be able to ask for thousands.
const MAX_ADVICE: usize = 8;

/// What the `{}` of a pattern stand for, if it is in the line.
pub(crate) fn captures<'a>(pattern: &str, line: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split("{}");
    let first = pieces.next().unwrap_or_default();
    let mut rest = match first.strip_prefix('^') {
        Some(start) => line.strip_prefix(start)?,
        None => &line[line.find(first)? + first.len()..],
    };
    let mut captured = Vec::new();
    for piece in pieces {
        let end = if piece.is_empty() {
            rest.len()
        } else {
            rest.find(piece)?
        };
        if end == 0 {
            return None;
        }
        captured.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    Some(captured)
}

/// Adds what is not there yet, while there is room.
pub(crate) fn push(list: &mut Vec<Text>, text: Text) {
    if list.len() < MAX_ADVICE && !list.contains(&text) {
        list.push(text);
    }
}

/// A student's text for use inside a message: escaped and cut.
pub(crate) fn quote(text: &str) -> String {
    Excerpt::new(text.trim_end().as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_takes_the_texts_in_its_place() {
        assert_eq!(
            captures("named '{}'", "No module named 'x' or 'y'"),
            Some(vec!["x"])
        );
        assert_eq!(captures("{}: {}", "a.c: b: c"), Some(vec!["a.c", "b: c"]));
        assert_eq!(captures("^b{}", "abc"), None);
        assert_eq!(captures("a {}", "a "), None);
        assert_eq!(captures("is", "this"), Some(vec![]));
    }
}
