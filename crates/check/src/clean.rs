//! Bytes that are not seen but spoil a comparison: terminal control codes, a byte order mark, NUL bytes.

use grader_model::Evidence;

use crate::say;

/// The invisible bytes of an output.
pub(crate) struct Clean<'a> {
    /// What follows the byte order mark.
    body: &'a [u8],
    /// Number of other bytes.
    visible: usize,
    codes: usize,
    nuls: usize,
    mark: bool,
}

/// The invisible bytes of an output, if it has any.
pub(crate) fn cleaned(output: &[u8]) -> Option<Clean<'_>> {
    let (mark, body) = match output.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (true, rest),
        None => (false, output),
    };
    if !mark && !body.iter().any(|byte| matches!(byte, 0 | 0x1b)) {
        return None;
    }
    let mut clean = Clean {
        body,
        visible: 0,
        codes: 0,
        nuls: 0,
        mark,
    };
    for piece in pieces(body) {
        match piece {
            Piece::Visible(_) => clean.visible += 1,
            Piece::Nul => clean.nuls += 1,
            Piece::Code => clean.codes += 1,
        }
    }
    Some(clean)
}

enum Piece {
    Visible(u8),
    Nul,
    Code,
}

fn pieces(body: &[u8]) -> impl Iterator<Item = Piece> {
    let mut rest = body;
    std::iter::from_fn(move || {
        let (first, after) = rest.split_first()?;
        rest = after;
        Some(match first {
            0 => Piece::Nul,
            0x1b => {
                rest = &after[sequence_length(after)..];
                Piece::Code
            }
            byte => Piece::Visible(*byte),
        })
    })
}

/// The length of a control sequence after its escape character: `[`, parameters, one final byte; or two
/// characters in all.
fn sequence_length(bytes: &[u8]) -> usize {
    if bytes.first() != Some(&b'[') {
        return bytes.len().min(1);
    }
    let parameters = bytes[1..]
        .iter()
        .take_while(|byte| matches!(byte, 0x20..=0x3f))
        .count();
    let last = bytes.get(1 + parameters);
    1 + parameters + usize::from(last.is_some_and(|byte| matches!(byte, 0x40..=0x7e)))
}

impl Clean<'_> {
    /// The output without them; nothing when more than `most` bytes are left, which are not copied.
    pub(crate) fn bytes(&self, most: usize) -> Option<Vec<u8>> {
        if self.visible > most {
            return None;
        }
        let mut bytes = Vec::with_capacity(self.visible);
        bytes.extend(pieces(self.body).filter_map(|piece| match piece {
            Piece::Visible(byte) => Some(byte),
            Piece::Nul | Piece::Code => None,
        }));
        Some(bytes)
    }

    /// One piece of evidence for each kind.
    pub(crate) fn evidence(&self) -> Vec<Evidence> {
        let mut found = Vec::new();
        if self.codes > 0 {
            found.push(say::evidence(
                "terminal-codes",
                format!(
                    "the output holds {} (colours, cursor movements): print plain text",
                    say::count(self.codes as u64, "terminal control code")
                ),
                format!(
                    "输出中有 {} 个终端控制码（颜色、光标移动），请输出纯文本",
                    self.codes
                ),
            ));
        }
        if self.nuls > 0 {
            found.push(say::evidence(
                "nul-bytes",
                format!(
                    "the output holds {} (`\\0`): is the end of a string printed as a character?",
                    say::count(self.nuls as u64, "NUL byte")
                ),
                format!(
                    "输出中有 {} 个空字符（`\\0`），是否把字符串的结束符也输出了？",
                    self.nuls
                ),
            ));
        }
        if self.mark {
            found.push(say::evidence(
                "byte-order-mark",
                "the output begins with a byte order mark (EF BB BF)",
                "输出以字节顺序标记（EF BB BF）开头",
            ));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_are_taken_out_whole() {
        let clean = cleaned(b"\xef\xbb\xbf\x1b[1;31mQ\x1b[0m#\x00\x1b").unwrap();
        assert_eq!(clean.bytes(2).unwrap(), b"Q#");
        assert_eq!(clean.bytes(1), None);
        let codes: Vec<String> = clean.evidence().into_iter().map(|it| it.code).collect();
        assert_eq!(codes, ["terminal-codes", "nul-bytes", "byte-order-mark"]);
        assert!(cleaned(b"plain").is_none());
        assert_eq!(cleaned(b"\x1b[31").unwrap().bytes(0).unwrap(), b"");
    }
}
