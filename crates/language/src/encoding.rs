//! The encodings in which students' editors save, and what compilers make of them.

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The source for a compiler that takes any bytes: only UTF-16 and the byte order mark are changed.
///
/// Free Pascal would switch to another kind of string constants because of the mark, and then prints `?` for
/// every Chinese character; the others do not miss it.
pub(crate) fn as_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    match utf16(bytes) {
        Some(text) => Cow::Owned(text.into_bytes()),
        None => Cow::Borrowed(bytes.strip_prefix(BOM).unwrap_or(bytes)),
    }
}

/// The source as UTF-8 without a byte order mark, for a compiler that takes nothing else.
///
/// What is neither UTF-8 nor UTF-16 with its mark is taken for GBK (as GB18030, which contains it), and where
/// that is impossible for Windows-1252, in which everything is possible: a comment in the wrong alphabet is
/// better than a program that cannot be compiled.
pub(crate) fn to_utf8(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = utf16(bytes) {
        return Cow::Owned(text);
    }
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    GB18030
        .decode_without_bom_handling_and_without_replacement(bytes)
        .unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
}

/// The source for rustc, which takes UTF-8 only and knows no lone carriage return as the end of a line.
///
/// Where no line feed is in a file at all, its carriage returns end its lines in the student's editor too.
pub(crate) fn for_rust(bytes: &[u8]) -> Vec<u8> {
    let text = to_utf8(bytes);
    if text.contains('\n') {
        text.into_owned().into_bytes()
    } else {
        text.replace('\r', "\n").into_bytes()
    }
}

/// The source for Python, which obeys a coding line (PEP 263).
///
/// The bytes stay as they are where Python can read them: as UTF-8, or in the encoding that the coding line
/// names. Otherwise they become UTF-8, and so does the name in the coding line.
pub(crate) fn for_python(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some((start, end)) = coding_name(bytes) else {
        return text_bytes(to_utf8(bytes));
    };
    let named = Encoding::for_label(&bytes[start..end]);
    let readable = named.is_some_and(|encoding| {
        encoding
            .decode_without_bom_handling_and_without_replacement(bytes)
            .is_some()
    });
    let has_bom = bytes.starts_with(BOM);
    if readable && (!has_bom || named == Some(UTF_8)) {
        return Cow::Borrowed(bytes);
    }
    let text = to_utf8(bytes).into_owned().into_bytes();
    match coding_name(&text) {
        Some((start, end)) => {
            let mut changed = text[..start].to_vec();
            changed.extend_from_slice(b"utf-8");
            changed.extend_from_slice(&text[end..]);
            Cow::Owned(changed)
        }
        None => Cow::Owned(text),
    }
}

fn text_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn utf16(bytes: &[u8]) -> Option<String> {
    let encoding = match bytes {
        [0xff, 0xfe, ..] => UTF_16LE,
        [0xfe, 0xff, ..] => UTF_16BE,
        _ => return None,
    };
    Some(encoding.decode_with_bom_removal(bytes).0.into_owned())
}

/// Where the name of the encoding stands in a coding line: a comment in the first two lines with
/// `coding:` or `coding=`.
fn coding_name(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut offset = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n').take(2) {
        let trimmed = line.strip_prefix(BOM).unwrap_or(line).trim_ascii();
        if trimmed.starts_with(b"#") {
            for key in [b"coding:", b"coding="] {
                if let Some(at) = line.windows(key.len()).position(|window| window == key) {
                    let rest = &line[at + key.len()..];
                    let spaces = rest.len() - rest.trim_ascii_start().len();
                    let name = rest[spaces..]
                        .iter()
                        .take_while(|&&b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
                        .count();
                    let start = offset + at + key.len() + spaces;
                    return (name > 0).then_some((start, start + name));
                }
            }
        } else if !trimmed.is_empty() {
            return None;
        }
        offset += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `皇后` in GBK.
    const GBK: &[u8] = b"\xbb\xca\xba\xf3";

    #[test]
    fn a_source_becomes_utf8_from_whatever_an_editor_wrote() {
        assert_eq!(to_utf8("皇后\r\n".as_bytes()), "皇后\r\n");
        assert_eq!(to_utf8(b"\xef\xbb\xbfint\r"), "int\r");
        assert_eq!(to_utf8(GBK), "皇后");
        assert_eq!(to_utf8(b"\xff\xfea\0\x87v"), "a皇");
        assert_eq!(to_utf8(b"\xfe\xff\0av\x87"), "a皇");
        assert_eq!(to_utf8(b"caf\xe9\n"), "café\n");
    }

    #[test]
    fn a_compiler_that_takes_bytes_gets_them_unchanged_but_for_the_mark() {
        assert_eq!(*as_bytes(GBK), *GBK);
        assert_eq!(*as_bytes(b"\xef\xbb\xbfa\r\n"), *b"a\r\n");
        assert_eq!(*as_bytes(b"\xff\xfea\0"), *b"a");
    }

    #[test]
    fn carriage_returns_end_lines_for_rust_only_where_nothing_else_does() {
        assert_eq!(for_rust(b"// a\rb\r"), b"// a\nb\n");
        assert_eq!(for_rust(b"a\r\nb\r"), b"a\r\nb\r");
    }

    #[test]
    fn python_keeps_an_encoding_that_its_coding_line_names_truly() {
        let honest = [b"# -*- coding: gbk -*-\nprint('", GBK, b"')"].concat();
        assert_eq!(*for_python(&honest), *honest);
        let none = [b"print('", GBK, b"')"].concat();
        assert_eq!(*for_python(&none), *"print('皇后')".as_bytes());
        let false_name = [b"#!/usr/bin/python\n# coding=ascii-ish\nx='", GBK, b"'"].concat();
        assert_eq!(
            *for_python(&false_name),
            *"#!/usr/bin/python\n# coding=utf-8\nx='皇后'".as_bytes()
        );
        let contradiction = "\u{feff}# coding: gbk\nx='皇'".as_bytes();
        assert_eq!(
            *for_python(contradiction),
            *"# coding: utf-8\nx='皇'".as_bytes()
        );
        let in_code = b"x = 1 # coding: none\n";
        assert_eq!(*for_python(in_code), *in_code);
    }
}
