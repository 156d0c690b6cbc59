//! Bytes that are not seen but spoil a comparison: terminal control codes, a byte order mark, NUL bytes.

use grader_model::Evidence;

use crate::message;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
const ESCAPE: u8 = 0x1b;

/// Which invisible bytes an output holds; at least one kind.
#[derive(Clone, Copy)]
pub(crate) struct Invisible {
    mark: bool,
    codes: bool,
    nuls: bool,
}

/// The invisible bytes of an output; `None` if it has none.
pub(crate) fn find(output: &[u8]) -> Option<Invisible> {
    let found = Invisible {
        mark: output.starts_with(BYTE_ORDER_MARK),
        codes: output.contains(&ESCAPE),
        nuls: output.contains(&0),
    };
    (found.mark || found.codes || found.nuls).then_some(found)
}

/// The output without invisible bytes; `None` if more than `most` bytes are left, which are not copied.
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

impl Invisible {
    pub(crate) fn evidence(self) -> Evidence {
        let kinds = [
            (
                self.codes,
                "terminal-codes",
                "terminal control codes (colours, cursor movements)",
                "终端控制码（颜色、光标移动）",
            ),
            (
                self.nuls,
                "nul-bytes",
                "NUL bytes (`\\0`)",
                "空字符（`\\0`）",
            ),
            (
                self.mark,
                "byte-order-mark",
                "a byte order mark",
                "字节顺序标记",
            ),
        ];
        let found: Vec<_> = kinds.iter().filter(|kind| kind.0).collect();
        let code = found.first().map_or("", |kind| kind.1);
        let en: Vec<_> = found.iter().map(|kind| kind.2).collect();
        let zh: Vec<_> = found.iter().map(|kind| kind.3).collect();
        message::evidence(
            code,
            format!(
                "the output holds bytes that are not seen: {}; print plain text",
                en.join(", ")
            ),
            format!("输出中有看不见的字节：{}；请输出纯文本", zh.join("、")),
        )
    }
}

/// The length of a control sequence after its escape character: `[`, parameters, one final byte; or two characters in
/// all.
fn sequence_length(bytes: &[u8]) -> usize {
    if bytes.first() != Some(&b'[') {
        return bytes.len().min(1);
    }
    let is_parameter = |byte: &&u8| matches!(byte, 0x20..=0x3f);
    let parameters = bytes[1..].iter().take_while(is_parameter).count();
    let last = bytes.get(1 + parameters);
    1 + parameters + usize::from(last.is_some_and(|byte| matches!(byte, 0x40..=0x7e)))
}
