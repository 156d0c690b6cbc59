//! Bytes that are not seen but spoil a comparison: terminal control codes, a byte order mark, NUL bytes.

use grader_model::Evidence;

use crate::say;

/// An output without its invisible bytes.
pub(crate) struct Clean {
    /// What is left.
    pub(crate) bytes: Vec<u8>,
    codes: usize,
    nuls: usize,
    mark: bool,
}

/// The output without invisible bytes, if it has any.
pub(crate) fn cleaned(output: &[u8]) -> Option<Clean> {
    let (mark, body) = match output.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) => (true, rest),
        None => (false, output),
    };
    if !mark && !body.iter().any(|byte| matches!(byte, 0 | 0x1b)) {
        return None;
    }
    let mut clean = Clean {
        bytes: Vec::with_capacity(body.len()),
        codes: 0,
        nuls: 0,
        mark,
    };
    let mut rest = body;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            0 => clean.nuls += 1,
            0x1b => {
                clean.codes += 1;
                rest = &after[sequence_length(after)..];
            }
            byte => clean.bytes.push(*byte),
        }
    }
    Some(clean)
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

impl Clean {
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
        assert_eq!(clean.bytes, b"Q#");
        let codes: Vec<String> = clean.evidence().into_iter().map(|it| it.code).collect();
        assert_eq!(codes, ["terminal-codes", "nul-bytes", "byte-order-mark"]);
        assert!(cleaned(b"plain").is_none());
        assert_eq!(cleaned(b"\x1b[31").unwrap().bytes, b"");
    }
}
