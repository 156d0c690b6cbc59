//! Ways to break a text.

use std::ops::Range;

use crate::constants::HUGE_DIGITS;

/// A way to break a text.
pub(super) struct Mutation {
    /// Follows a noun: "an input with a NUL byte at the end".
    pub(super) name: &'static str,
    /// Whether the result differs in more than layout, so that hardly any problem allows it.
    pub(super) is_wrong: bool,
    /// The broken text; `None` if there is nothing to break.
    pub(super) change: fn(&[u8]) -> Option<Vec<u8>>,
}

const fn wrong(name: &'static str, change: fn(&[u8]) -> Option<Vec<u8>>) -> Mutation {
    Mutation {
        name,
        is_wrong: true,
        change,
    }
}

const fn odd(name: &'static str, change: fn(&[u8]) -> Option<Vec<u8>>) -> Mutation {
    Mutation {
        is_wrong: false,
        ..wrong(name, change)
    }
}

/// What both inputs and answers are broken with.
const COMMON: [Mutation; 11] = [
    wrong("replaced by nothing", |text| {
        (!text.trim_ascii().is_empty()).then(Vec::new)
    }),
    wrong("with junk in place of a word", |text| {
        let words = words(text);
        let middle = words.get(words.len() / 2)?;
        Some(replaced(text, middle.clone(), b"\xff?\x01"))
    }),
    wrong("with text after the end", |text| {
        Some([text.trim_ascii_end(), b"\nmore text 7\n"].concat())
    }),
    wrong("with a NUL byte at the end", |text| {
        Some([text, b"\0"].concat())
    }),
    wrong("with a NUL byte in the middle", |text| {
        let at = text.len() / 2;
        (at > 0).then(|| replaced(text, at..at, b"\0"))
    }),
    wrong("with a huge first number", |text| {
        let first = numbers(text).into_iter().next()?;
        Some(replaced(text, first, &[b'9'; HUGE_DIGITS]))
    }),
    wrong("with a huge last number", |text| {
        let last = numbers(text).into_iter().skip(1).next_back()?;
        Some(replaced(text, last, &[b'9'; HUGE_DIGITS]))
    }),
    wrong("with `nan` in place of the last number", |text| {
        Some(replaced(text, numbers(text).pop()?, b"nan"))
    }),
    odd("with CR LF line ends", |text| {
        let lines: Vec<_> = text.split(|it| *it == b'\n').collect();
        (lines.len() > 1).then(|| lines.join(&b"\r\n"[..]))
    }),
    odd("with leading zeros", |text| {
        let numbers = numbers(text).into_iter().rev();
        let digits = numbers.filter(|it| text[it.start].is_ascii_digit());
        let all = digits.fold(text.to_vec(), |text, it| {
            replaced(&text, it.start..it.start, b"00")
        });
        (all != text).then_some(all)
    }),
    odd("cut in the middle", |text| {
        (text.len() > 1).then(|| text[..text.len() / 2].to_vec())
    }),
];

/// What inputs are broken with.
pub(super) fn of_inputs() -> impl Iterator<Item = Mutation> {
    // Input that ends anywhere may be valid, unless it says how long it is.
    let shorter = wrong("without the last word", |text| {
        without_last(text).filter(|_| is_counted(text))
    });
    COMMON.into_iter().chain([shorter])
}

/// What right answers are broken with.
pub(super) fn of_answers() -> impl Iterator<Item = Mutation> {
    let shorter = wrong("without the last word", without_last);
    COMMON.into_iter().chain([shorter])
}

fn words(text: &[u8]) -> Vec<Range<usize>> {
    let words = text.split(u8::is_ascii_whitespace);
    let words = words.scan(0, |at, word| {
        let start = *at;
        *at += word.len() + 1;
        Some(start..start + word.len())
    });
    words.filter(|it| !it.is_empty()).collect()
}

fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let mut words = words(text);
    words.retain(|it| {
        let number = str::from_utf8(&text[it.clone()]).map(str::parse);
        matches!(number, Ok(Ok(number)) if f64::is_finite(number))
    });
    words
}

fn replaced(text: &[u8], part: Range<usize>, by: &[u8]) -> Vec<u8> {
    [&text[..part.start], by, &text[part.end..]].concat()
}

/// The text without its last word; `None` if nothing would be left.
fn without_last(text: &[u8]) -> Option<Vec<u8>> {
    let [.., before, _] = &words(text)[..] else {
        return None;
    };
    Some([&text[..before.end], b"\n"].concat())
}

/// Whether a number on the first line counts the other lines, or the words on them.
fn is_counted(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let end = text.iter().position(|it| *it == b'\n');
    let (head, rest) = text.split_at(end.unwrap_or(text.len()));
    let lines = rest.split(|it| *it == b'\n').skip(1).count();
    let counts = [lines, words(rest).len()];
    numbers(head).into_iter().any(|it| {
        let number = str::from_utf8(&head[it]).map(str::parse);
        lines > 0 && matches!(number, Ok(Ok(number)) if counts.contains(&number))
    })
}

#[cfg(test)]
mod tests {
    use grader_model::escaped;

    use super::*;

    fn changed(mutations: impl Iterator<Item = Mutation>, text: &str) -> Vec<String> {
        let nines = "9".repeat(HUGE_DIGITS);
        let changed = mutations.filter_map(|it| {
            let text = escaped(&(it.change)(text.as_bytes())?).replace(&nines, "HUGE");
            Some(format!("{}: {text}", it.name))
        });
        changed.collect()
    }

    #[test]
    fn each_mutation_changes_what_its_name_says() {
        assert_eq!(
            changed(of_inputs(), "2 x\n-5 7.5\n"),
            [
                "replaced by nothing: ",
                "with junk in place of a word: 2 x\\n\\xff?\\x01 7.5\\n",
                "with text after the end: 2 x\\n-5 7.5\\nmore text 7\\n",
                "with a NUL byte at the end: 2 x\\n-5 7.5\\n\\0",
                "with a NUL byte in the middle: 2 x\\n-\\05 7.5\\n",
                "with a huge first number: HUGE x\\n-5 7.5\\n",
                "with a huge last number: 2 x\\n-5 HUGE\\n",
                "with `nan` in place of the last number: 2 x\\n-5 nan\\n",
                "with CR LF line ends: 2 x\\r\\n-5 7.5\\r\\n",
                "with leading zeros: 002 x\\n-5 007.5\\n",
                "cut in the middle: 2 x\\n-",
                "without the last word: 2 x\\n-5\\n",
            ]
        );
    }

    #[test]
    fn what_is_not_there_is_not_changed() {
        assert_eq!(
            changed(of_answers(), "yes"),
            [
                "replaced by nothing: ",
                "with junk in place of a word: \\xff?\\x01",
                "with text after the end: yes\\nmore text 7\\n",
                "with a NUL byte at the end: yes\\0",
                "with a NUL byte in the middle: y\\0es",
                "cut in the middle: y",
            ]
        );
    }

    #[test]
    fn an_input_is_made_shorter_only_if_it_says_how_long_it_is() {
        for (text, expected) in [
            ("3\n1 2 3\n", true),
            ("2 3\nab.\n..c\n", true),
            ("3 2\n1 2\n2 3\n", true),
            ("3\n", false),
            ("4\n1 2 3\n", false),
            ("1 2\n3 4\n5 6\n", true),
            ("0 0\n3 4\n5 6\n", false),
        ] {
            assert_eq!(is_counted(text.as_bytes()), expected, "{text:?}");
        }
    }
}
