//! Places inside a TOML string.

use std::ops::Range;

/// A string literal in a file, for finding the places of parts of its value.
pub(crate) struct Literal {
    /// The place of the whole literal with its quotes.
    place: Range<usize>,
    /// For each byte of the value, and for its end, the offset in the literal; nothing when it cannot be followed.
    offsets: Option<Vec<usize>>,
}

impl Literal {
    /// The literal at `place` in `text`, which has this value.
    pub(crate) fn new(text: &str, place: &Range<usize>, value: &str) -> Self {
        Self {
            place: place.clone(),
            offsets: text.get(place.clone()).and_then(|raw| offsets(raw, value)),
        }
    }

    /// The place in the file of a part of the value, counted in bytes of the value; the whole literal when it
    /// cannot be followed.
    pub(crate) fn part(&self, part: &Range<usize>) -> Range<usize> {
        let find = |at: usize| Some(self.place.start + *self.offsets.as_ref()?.get(at)?);
        match (find(part.start), find(part.end)) {
            (Some(start), Some(end)) => start..end,
            _ => self.place.clone(),
        }
    }
}

/// For each byte of the value, and for its end, the offset in the literal.
fn offsets(raw: &str, value: &str) -> Option<Vec<usize>> {
    let quote = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|quote| raw.starts_with(quote))?;
    let mut body = raw.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut at = quote.len();
    if quote.len() == 3 {
        let trimmed = body
            .strip_prefix("\r\n")
            .or_else(|| body.strip_prefix('\n'))
            .unwrap_or(body);
        at += body.len() - trimmed.len();
        body = trimmed;
    }
    let escapes = quote.starts_with('"');
    let mut offsets = Vec::with_capacity(value.len() + 1);
    let mut rest = body;
    while let Some(first) = rest.chars().next() {
        let (taken, width) = if escapes && first == '\\' {
            escape(rest)?
        } else {
            (first.len_utf8(), first.len_utf8())
        };
        let plain = taken == width;
        offsets.extend((0..width).map(|byte| at + if plain { byte } else { 0 }));
        at += taken;
        rest = rest.get(taken..)?;
    }
    offsets.push(at);
    (offsets.len() == value.len() + 1).then_some(offsets)
}

/// Length of the escape at the start, and of what it stands for.
fn escape(rest: &str) -> Option<(usize, usize)> {
    let kind = rest.chars().nth(1)?;
    let digits = match kind {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        kind if kind.is_whitespace() => {
            let after = rest[1..].trim_start();
            return Some((rest.len() - after.len(), 0));
        }
        kind => return Some((1 + kind.len_utf8(), 1)),
    };
    let number = u32::from_str_radix(rest.get(2..2 + digits)?, 16).ok()?;
    Some((2 + digits, char::from_u32(number)?.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_string_is_found_behind_escapes_and_chinese() {
        for (raw, value) in [
            (r#""a {n}""#, "a {n}"),
            (r"'a {n}'", "a {n}"),
            (r#""皇后\t\u7687\U0001f600\x41{n}\n""#, "皇后\t皇😀A{n}\n"),
            ("\"\"\"\n  a \\\n   {n}\"\"\"", "  a {n}"),
            ("'''\r\n\\{n}'''", "\\{n}"),
        ] {
            let text = format!("key = {raw} # end");
            let start = value.find("{n}").unwrap();
            let literal = Literal::new(&text, &(6..6 + raw.len()), value);
            let found = literal.part(&(start..start + 3));
            assert_eq!(&text[found], "{n}", "{raw}");
        }
    }

    #[test]
    fn a_string_that_cannot_be_followed_is_pointed_at_as_a_whole() {
        assert_eq!(Literal::new("x = 1", &(4..5), "{n}").part(&(0..3)), 4..5);
    }
}
