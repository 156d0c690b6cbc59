//! In what text is written that does not say so and is not UTF-8.
//!
//! Chinese programs write GBK, Western ones Windows-1252, and `Mü` of one is a character of the other. What tells them apart:
//! Chinese comes in runs of two-byte characters, most of them common; a Western letter stands alone between ASCII letters,
//! and the character that GBK makes of the two is rare. What shows neither is [`Guess::Unclear`].

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030, WINDOWS_1252};

/// What text is most likely written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// GBK, or GB18030, which holds it.
    Gbk,
    /// Windows-1252, or Latin-1, a part of it.
    Windows1252,
    /// Nobody can tell.
    Unclear,
}

/// Characters of a run that count as Chinese against one letter that looks Western.
const CHINESE_FOR_WESTERN: usize = 8;

/// Letters with an accent that stand side by side in a Western word, at most.
const MAX_ACCENTS: usize = 3;

/// In what these bytes, which are not UTF-8, are written.
pub fn guess(bytes: &[u8]) -> Guess {
    let is_gbk = decodes(GB18030, bytes);
    let evidence = Evidence::of(bytes, is_western_letter);
    if is_gbk && evidence.is_chinese() {
        Guess::Gbk
    } else if (!is_gbk || evidence.is_western()) && is_plausible_western(bytes) {
        Guess::Windows1252
    } else {
        Guess::Unclear
    }
}

/// Text in whatever a student's editor wrote: UTF-8, GBK if nothing speaks against it, else Windows-1252, which never fails.
pub fn decode_source(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let evidence = Evidence::of(bytes, is_western_letter);
    let gbk = GB18030.decode_without_bom_handling_and_without_replacement(bytes);
    let gbk = gbk.filter(|_| !evidence.is_western());
    gbk.unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
}

/// The name of a file in an archive that does not say how names are written: UTF-8; GBK, as Chinese versions of Windows
/// write; else code page 850, as Western ones do, or Windows-1252. Each part of a path is decoded alone, so that a folder has
/// one name whatever is in it.
pub fn decode_name(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(name) {
        return Cow::Borrowed(text);
    }
    // No character of these encodings has a slash as its second byte.
    let parts = name.split(|byte| *byte == b'/').map(decode_part);
    let parts: Vec<Cow<'_, str>> = parts.collect();
    Cow::Owned(parts.join("/"))
}

fn decode_part(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(name) {
        return Cow::Borrowed(text);
    }
    let is_letter = |byte| is_western_letter(byte) || cp850_letter(byte).is_some();
    let evidence = Evidence::of(name, is_letter);
    if decodes(GB18030, name) && !evidence.is_western() {
        return GB18030.decode_without_bom_handling(name).0;
    }
    let windows = WINDOWS_1252.decode_without_bom_handling(name).0;
    let is_windows = name
        .iter()
        .all(|&it| it.is_ascii() || is_western_letter(it));
    match cp850(name) {
        Some(text) if !is_windows || !has_capitals_inside(name, &text) => Cow::Owned(text),
        _ if is_windows => windows,
        _ => GB18030.decode_without_bom_handling(name).0,
    }
}

/// The name in code page 850; `None` if it has signs beside letters.
fn cp850(name: &[u8]) -> Option<String> {
    let chars = name.iter().map(|&byte| match byte {
        0..0x80 => Some(char::from(byte)),
        _ => cp850_letter(byte),
    });
    chars.collect()
}

/// Whether code page 850 makes capitals after small letters of what are small letters in Windows-1252.
fn has_capitals_inside(name: &[u8], text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let mut pairs = name[1..].iter().zip(chars.windows(2));
    pairs.any(|(&byte, pair)| byte >= 0xb5 && pair[0].is_lowercase() && pair[1].is_uppercase())
}

fn decodes(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    text.is_some()
}

/// What speaks for Chinese, and what for a Western language.
#[derive(Default)]
struct Evidence {
    /// Two-byte characters in all.
    all: usize,
    /// Those that are common in Chinese.
    common: usize,
    /// Characters in runs that look Chinese.
    chinese: usize,
    /// Runs that look like Western letters with their neighbours.
    western: usize,
}

impl Evidence {
    fn of(bytes: &[u8], is_letter: impl Fn(u8) -> bool) -> Self {
        let mut evidence = Self::default();
        let mut at = 0;
        while at < bytes.len() {
            let length = pair_at(&bytes[at..]);
            if length == 0 {
                at += 1;
                continue;
            }
            let start = at;
            let mut run = Vec::new();
            while pair_at(&bytes[at..]) > 0 {
                run.push([bytes[at], bytes[at + 1]]);
                at += pair_at(&bytes[at..]);
            }
            let before = start.checked_sub(1).map(|it| bytes[it]);
            let after = bytes.get(at).copied();
            evidence.add(&run, [before, after], &is_letter);
        }
        evidence
    }

    fn add(&mut self, run: &[[u8; 2]], around: [Option<u8>; 2], is_letter: &impl Fn(u8) -> bool) {
        let common = run.iter().filter(|it| is_common(**it)).count();
        let usual = run.iter().filter(|it| is_usual(**it)).count();
        self.all += run.len();
        self.common += common;
        let [before, after] = around.map(|it| it.is_some_and(|it| it.is_ascii_alphabetic()));
        let is_western = |&[lead, trail]: &[u8; 2]| {
            is_letter(lead) && (trail.is_ascii_alphabetic() || (trail == b'\\' && before))
        };
        // `çã` and `õe` of small letters between others.
        let is_glued = matches!(run, [[0xdf..=0xff, 0xdf..=0xff]]) && before && after;
        if run.iter().all(is_western) || is_glued {
            self.western += 1;
        } else if run.len() > 1 && usual * 2 >= run.len() && common > 0 {
            self.chinese += run.len();
        }
    }

    /// Whether Chinese is certain: half of its characters are common even in a list of names, which Cyrillic letters in
    /// pairs are not.
    const fn is_chinese(&self) -> bool {
        self.chinese > 0
            && self.common * 2 >= self.all
            && self.chinese >= self.western * CHINESE_FOR_WESTERN
    }

    const fn is_western(&self) -> bool {
        self.western * CHINESE_FOR_WESTERN > self.chinese
    }
}

/// The bytes of a character of GBK (2) or GB18030 (4) with which these begin; 0 if they do not.
fn pair_at(bytes: &[u8]) -> usize {
    match bytes {
        [0x81..=0xfe, 0x40..=0x7e | 0x80..=0xfe, ..] => 2,
        [0x81..=0xfe, 0x30..=0x39, 0x81..=0xfe, 0x30..=0x39, ..] => 4,
        _ => 0,
    }
}

/// Signs, and the 3755 Chinese characters of the first level of GB 2312.
const fn is_common([lead, trail]: [u8; 2]) -> bool {
    matches!(lead, 0xa1..=0xa3 | 0xb0..=0xd7) && trail >= 0xa1
}

/// All of GB 2312.
const fn is_usual(pair: [u8; 2]) -> bool {
    is_common(pair) || (matches!(pair[0], 0xd8..=0xf7) && pair[1] >= 0xa1)
}

/// A letter of Windows-1252.
const fn is_western_letter(byte: u8) -> bool {
    is_latin1_letter(byte) || matches!(byte, 0x8a | 0x8c | 0x8e | 0x9a | 0x9c | 0x9e | 0x9f)
}

const fn is_latin1_letter(byte: u8) -> bool {
    byte >= 0xc0 && byte != 0xd7 && byte != 0xf7
}

/// Whether text makes sense in Windows-1252: letters with accents stand among ASCII letters, and signs between words. Code
/// pages of Eastern Europe, of DOS and of old Macs have letters where it has signs.
fn is_plausible_western(bytes: &[u8]) -> bool {
    let is_high = |byte: &u8| !byte.is_ascii();
    let (mut latin1, mut others) = (0, 0);
    let mut at = 0;
    for run in bytes.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        let start = at;
        at += run.len();
        if !run.iter().all(is_high) {
            continue;
        }
        let is_alphabetic = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
        let before = start.checked_sub(1).and_then(|it| bytes.get(it));
        let (before, after) = (is_alphabetic(before), is_alphabetic(bytes.get(at)));
        let letters = run.iter().filter(|byte| is_western_letter(**byte)).count();
        let is_sign = |byte: &u8| !is_western_letter(*byte);
        let is_unassigned = |byte: &u8| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d);
        let is_glued = before && after;
        if run.len() > MAX_ACCENTS
            || run.iter().any(is_unassigned)
            || (letters > 1 && !before && !after)
            || (is_glued
                && run
                    .iter()
                    .any(|it| is_sign(it) && !matches!(it, 0x92 | 0xb7)))
        {
            return false;
        }
        let low = run
            .iter()
            .filter(|byte| (0x80..0xa0).contains(*byte))
            .count();
        latin1 += run.iter().filter(|byte| is_latin1_letter(**byte)).count();
        others += if before || after { low } else { 0 };
    }
    // On an old Mac all accents are there.
    others <= latin1
}

/// A letter of code page 850, which agrees with 437 on most.
fn cp850_letter(byte: u8) -> Option<char> {
    // From 0x80; other places hold lines, signs and fractions.
    const LETTERS: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø Ø  áíóúñÑ               ÁÂÀ              ãÃ        ðÐÊËÈıÍÎÏ     Ì ÓßÔÒõÕ þÞÚÛÙýÝ                  ";
    let at = byte.checked_sub(0x80)?;
    LETTERS.chars().nth(at.into()).filter(|c| *c != ' ')
}

#[cfg(test)]
mod tests {
    use encoding_rs::GBK;

    use super::*;

    fn western(text: &str) -> Vec<u8> {
        WINDOWS_1252.encode(text).0.into_owned()
    }

    fn gbk(text: &str) -> Vec<u8> {
        GBK.encode(text).0.into_owned()
    }

    #[test]
    fn western_names_are_not_chinese() {
        for text in [
            "Andréa López",
            "Müller, Ann",
            "Jörg, Bob;Süd",
            "Hélène Lefèvre",
            "Conceição Simões",
            "Þórður Þórarinsson",
            "Åström Özil Øystein",
            "Zoë, José\r\nÉ. Dupont",
            "Renée’s créées; don’t",
            "Weiß – größer, „für“ 5 €",
            "print(\"für Añadir\")",
        ] {
            assert_eq!(guess(&western(text)), Guess::Windows1252, "{text}");
            assert_eq!(decode_source(&western(text)), text);
        }
    }

    #[test]
    fn chinese_names_are_chinese_whatever_stands_around_them() {
        for text in [
            "王五",
            "学号,姓名\r\n1001,艾达\r\n1002,王小明\r\n",
            "id,name\n1,欧阳娜娜\n2,李雷\n",
            "id;name\n1;王珺\n2;朱镕基\n3;陶喆\n",
            "Ada王小明Bob",
            "hw1作业.c",
            "// 输入a和b，求x与y\nprint(\"皇后\")",
            "王鑫\n李婷\n张炜\n",
        ] {
            assert_eq!(guess(&gbk(text)), Guess::Gbk, "{text}");
            assert_eq!(decode_source(&gbk(text)), text);
            assert_eq!(decode_name(&gbk(text)), text);
        }
    }

    #[test]
    fn what_is_neither_for_certain_is_unclear() {
        for (text, bytes) in [
            // Windows-1251, Windows-1250, an old Mac, code page 850, one character of GBK.
            ("Иванов", &b"\xc8\xe2\xe0\xed\xee\xe2"[..]),
            ("Пётр Иванов", b"\xcf\xb8\xf2\xf0 \xc8\xe2\xe0\xed\xee\xe2"),
            ("Błażej", b"B\xb3a\xbfej"),
            ("Jörg", b"J\x9arg"),
            ("Müller", b"M\x81ller"),
            ("男", b"1,\xc4\xd0\n"),
        ] {
            assert_eq!(guess(bytes), Guess::Unclear, "{text}");
        }
    }

    #[test]
    fn names_in_archives_are_of_the_system_that_packed_them() {
        for (text, bytes) in [
            ("Jörg Müller/für.py", &b"J\x94rg M\x81ller/f\x81r.py"[..]),
            ("José\\a.c", b"Jos\x82\\a.c"),
            ("Groß/ñandú", b"Gro\xe1/\xa4and\xa3"),
            ("João/a.c", b"Jo\xe3o/a.c"),
            ("João/Übung.c", b"Jo\xc6o/\x9abung.c"),
            ("Müller/a.c", b"M\xfcller/a.c"),
            ("八皇后.c", &gbk("八皇后.c")),
            ("王/a.c", &gbk("王/a.c")),
            ("誠.c", b"\xd5\x5c.c"),
            ("a\u{fffd}.c", b"a\xb1.c"),
        ] {
            assert_eq!(decode_name(bytes), text);
        }
    }
}
