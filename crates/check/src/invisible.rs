//! Invisible bytes that break a comparison: terminal control codes, a byte order mark, NUL bytes.

use grader_model::{Evidence, Text, text};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const ESCAPE: u8 = 0x1b;

/// A note on the first kind of invisible bytes in an output; `None` if it has none.
pub(crate) fn find(output: &[u8]) -> Option<Evidence> {
    let (code, bytes) = if output.contains(&ESCAPE) {
        let bytes = Text::new(
            "terminal control codes (colours, cursor movements)",
            "终端控制码（颜色、光标移动）",
        );
        ("terminal-codes", bytes)
    } else if output.contains(&0) {
        let bytes = Text::new("NUL bytes (`\\0`)", "空字符（`\\0`）");
        ("nul-bytes", bytes)
    } else if output.starts_with(BYTE_ORDER_MARK) {
        let bytes = Text::new("a byte order mark (U+FEFF)", "字节顺序标记（BOM，U+FEFF）");
        ("byte-order-mark", bytes)
    } else {
        return None;
    };
    Some(Evidence::new(
        code,
        text!(
            "the output contains invisible bytes: {bytes}; print plain text",
            "输出中有不可见字符：{bytes}；请输出纯文本",
            bytes
        ),
    ))
}

/// A copy of the output without invisible bytes; `None` if it would exceed `most` bytes.
pub(crate) fn removed(output: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut rest = output.strip_prefix(BYTE_ORDER_MARK).unwrap_or(output);
    let mut visible = Vec::new();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match *first {
            0 => {}
            ESCAPE => rest = &after[sequence_length(after)..],
            _ if visible.len() == most => return None,
            byte => visible.push(byte),
        }
    }
    Some(visible)
}

/// Length of a control sequence after its escape character: `[`, parameters and one final byte, or one character.
fn sequence_length(bytes: &[u8]) -> usize {
    let Some(sequence) = bytes.strip_prefix(b"[") else {
        return bytes.len().min(1);
    };
    let is_parameter = |byte: &&u8| matches!(byte, 0x20..=0x3f);
    let parameters = sequence.iter().take_while(is_parameter).count();
    let last = sequence.get(parameters);
    1 + parameters + usize::from(last.is_some_and(|byte| matches!(byte, 0x40..=0x7e)))
}
