//! Token by token, any white space between them.
//!
//! Tokens are compared as text: `092` is not `92`. That they are equal as numbers is said; a task that means
//! values uses `numbers`. Layout: the right answer inside extra text.

use grader_model::{Judgement, Mark};

use crate::{compare, extra, number};

pub(crate) fn judge(output: &[u8], expected: &[u8], case_sensitive: bool) -> Judgement {
    let same = |one: &[u8], other: &[u8]| {
        if case_sensitive {
            one == other
        } else {
            one.eq_ignore_ascii_case(other)
        }
    };
    let Some(difference) = compare::first_difference(output, expected, &same) else {
        return Judgement::right();
    };
    if let Some(extra) = extra::evidence(output, expected, &same) {
        return Judgement::because(Mark::Layout, extra);
    }
    let why = match (difference.expected, difference.found) {
        (Some(wanted), Some(found)) if wanted.bytes.eq_ignore_ascii_case(found.bytes) => {
            (" (only upper and lower case differ)", "（仅大小写不同）")
        }
        (Some(wanted), Some(found))
            if number::canonical(wanted.bytes).is_some()
                && number::canonical(wanted.bytes) == number::canonical(found.bytes) =>
        {
            (
                " (the same number, written differently: text is compared here)",
                "（数值相同但写法不同：此题按文本比较）",
            )
        }
        _ => ("", ""),
    };
    Judgement {
        mark: Mark::Wrong,
        evidence: difference.evidence(output, expected, why),
    }
}
