//! The encodings that students' editors write and compilers accept.

use std::borrow::Cow;

use encoding_rs::{UTF_16BE, UTF_16LE};
use grader_model::decode_source;
use schemars::JsonSchema;
use serde::Deserialize;

/// The encodings that a compiler or interpreter takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// Any bytes. Only UTF-16 and the byte order mark are changed: Free Pascal would switch to another kind of string
    /// constants because of the mark, and then prints `?` for every Chinese character; the others do not miss it.
    #[default]
    Bytes,
    /// UTF-8 without a byte order mark, and lines that do not end with a lone carriage return.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-8 as above; a source with a coding line (PEP 263) stays as it is.
    Python,
}

impl Encoding {
    /// The source in this encoding.
    pub(crate) fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Python if has_coding_line(bytes) => bytes.to_vec(),
            Self::Bytes => match utf16(bytes) {
                Some(text) => text.into_bytes(),
                None => bytes.strip_prefix(BOM).unwrap_or(bytes).to_vec(),
            },
            Self::Utf8 | Self::Python => {
                let text = to_utf8(bytes);
                // If a file has no line feeds, the student's editor also treats its carriage returns as line ends.
                let text = if text.contains('\n') {
                    text
                } else {
                    text.replace('\r', "\n").into()
                };
                text.into_owned().into_bytes()
            }
        }
    }
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The source as UTF-8 without a byte order mark.
///
/// Bytes that are neither UTF-8 nor UTF-16 with a byte order mark are GBK or Windows-1252, whichever they look like: a comment
/// in the wrong alphabet is better than a program that cannot be compiled.
pub(crate) fn to_utf8(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = utf16(bytes) {
        return Cow::Owned(text);
    }
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    decode_source(bytes)
}

/// A text with a byte order mark as UTF-8 without it; other bytes as they are.
pub(crate) fn without_mark(bytes: &[u8]) -> Vec<u8> {
    match utf16(bytes) {
        Some(text) => text.into_bytes(),
        None => bytes.strip_prefix(BOM).unwrap_or(bytes).to_vec(),
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

/// Whether a comment in the first two lines has `coding:` or `coding=`.
fn has_coding_line(bytes: &[u8]) -> bool {
    let names_coding = |line: &[u8]| {
        line.windows(7)
            .any(|it| it == b"coding:" || it == b"coding=")
    };
    let mut lines = bytes
        .strip_prefix(BOM)
        .unwrap_or(bytes)
        .split(|&byte| byte == b'\n')
        .take(2);
    lines.any(|line| line.trim_ascii_start().starts_with(b"#") && names_coding(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `皇后` in GBK.
    const GBK: &[u8] = b"\xbb\xca\xba\xf3";

    #[test]
    fn a_source_becomes_what_its_compiler_takes_from_whatever_an_editor_wrote() {
        let named = [
            b"#!/usr/bin/python\n# -*- coding: gbk -*-\nprint('",
            GBK,
            b"')",
        ]
        .concat();
        #[rustfmt::skip]
        let table: [(Encoding, &[u8], &[u8]); 14] = [
            (Encoding::Utf8, "皇后\r\n".as_bytes(), "皇后\r\n".as_bytes()),
            (Encoding::Utf8, b"\xef\xbb\xbfint\r", b"int\n"),
            (Encoding::Utf8, GBK, "皇后".as_bytes()),
            (Encoding::Utf8, b"\xff\xfea\0\x87v", "a皇".as_bytes()),
            (Encoding::Utf8, b"\xfe\xff\0av\x87", "a皇".as_bytes()),
            (Encoding::Utf8, b"caf\xe9\n", "café\n".as_bytes()),
            (Encoding::Bytes, GBK, GBK),
            (Encoding::Bytes, b"\xef\xbb\xbfa\r\n", b"a\r\n"),
            (Encoding::Bytes, b"\xff\xfea\0", b"a"),
            (Encoding::Python, &named, &named),
            (Encoding::Python, GBK, "皇后".as_bytes()),
            (Encoding::Python, b"print('f\xfcr')", "print('für')".as_bytes()),
            (Encoding::Utf8, b"\"A\xf1adir\"", "\"Añadir\"".as_bytes()),
            (Encoding::Python, b"\xef\xbb\xbfx = 1 # coding: none\n", b"x = 1 # coding: none\n"),
        ];
        for (encoding, bytes, expected) in table {
            let found = encoding.encode(bytes);
            assert_eq!(found, expected, "{encoding:?} {}", bytes.escape_ascii());
        }
    }
}
