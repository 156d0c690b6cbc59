//! Characters that look like others: `−` (U+2212) for `-`, a no-break space for a space.

use grader_model::{Text, text};

/// Letters of other alphabets, and signs, each followed by what it looks like.
const PAIRS: &str = "\
    −-–-—-‐-‑-‒-―-⁄/∕/∗*×x∶:·.․.‚,‘'’'ʼ'′'“\"”\"″\"ˆ^˜~∼~ǀ|\
    АAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXУYаaсcеeһhіiјjоoрpԛqѕsѵvѡwхxуyԁd\
    ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvιiρpϲc";

/// What a character looks like; white space of any width looks like a space.
fn appearance(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        c if c.is_whitespace() => ' ',
        c => {
            let chars: Vec<char> = PAIRS.chars().collect();
            let found = chars.chunks(2).find(|pair| pair[0] == c);
            found.map_or(c, |pair| pair[1])
        }
    }
}

/// Adds the code points of the first characters that differ, if they look alike. They begin at or before the byte `at`.
/// Where a word ends, a space follows.
pub(crate) fn with_code_points(why: Text, expected: &[u8], found: &[u8], at: usize) -> Text {
    let [wanted, actual] = [expected, found].map(|bytes| char_at(bytes, at));
    let (Some(wanted), Some(actual)) = (wanted, actual) else {
        return why;
    };
    if wanted == actual || appearance(wanted) != appearance(actual) {
        return why;
    }
    let [wanted, actual] = [wanted, actual].map(|c| format!("U+{:04X}", c as u32));
    text!(
        "{why} (they look alike: expected {wanted}, found {actual})",
        "{why}（两者看起来一样：应为 {wanted}，实为 {actual}）",
        why
    )
}

/// The character that the byte at `at` belongs to; a space at the end. `None` if it is not UTF-8.
fn char_at(bytes: &[u8], at: usize) -> Option<char> {
    let at = at.min(bytes.len());
    let start = (at.saturating_sub(3)..=at).rev().find(|start| {
        let byte = bytes.get(*start);
        byte.is_none_or(|byte| byte & 0xc0 != 0x80)
    })?;
    let end = (start + 4).min(bytes.len());
    match bytes[start..end].utf8_chunks().next() {
        None => Some(' '),
        Some(chunk) => chunk.valid().chars().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_characters_that_look_alike_get_their_code_points() {
        for (expected, found, at, added) in [
            (
                "-1",
                "−1",
                0,
                " (they look alike: expected U+002D, found U+2212)",
            ),
            (
                "x",
                "х",
                0,
                " (they look alike: expected U+0078, found U+0445)",
            ),
            (
                "a-1",
                "a－1",
                1,
                " (they look alike: expected U+002D, found U+FF0D)",
            ),
            (
                "-1",
                "-1\u{a0}x",
                2,
                " (they look alike: expected U+0020, found U+00A0)",
            ),
            // They share their first byte.
            (
                "–",
                "—",
                2,
                " (they look alike: expected U+2013, found U+2014)",
            ),
            ("-1", "+1", 0, ""),
            ("é", "e", 0, ""),
            ("你", "您", 2, ""),
            ("1", "", 0, ""),
        ] {
            let text = with_code_points(Text::default(), expected.as_bytes(), found.as_bytes(), at);
            assert_eq!(text.en, added, "{expected} {found}");
        }
        let text = with_code_points(Text::default(), b"-1", b"\xff1", 0);
        assert_eq!(text.en, "");
    }
}
