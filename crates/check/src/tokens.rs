//! Token by token, any white space between them.
//!
//! Tokens are compared as text: `092` is not `92`. A message says if they are equal as numbers; a task that means
//! values uses `numbers`.

use grader_model::{Judgement, Text};

use crate::decimal::Decimal;
use crate::words::{self, Comparison};

pub(crate) fn check(
    output: &[u8],
    expected: &[u8],
    case_sensitive: bool,
    space_change_sensitive: bool,
) -> Judgement {
    let comparison = Comparison {
        same: &|one, two| same_text(one, two, case_sensitive),
        space_change_sensitive,
        why: &why,
    };
    words::check(output, expected, &comparison)
}

/// Whether two words are the same, with or without regard to case.
pub(crate) fn same_text(one: &[u8], two: &[u8], case_sensitive: bool) -> bool {
    if case_sensitive {
        one == two
    } else {
        one.eq_ignore_ascii_case(two)
    }
}

fn why(expected: &[u8], found: &[u8]) -> Text {
    let (en, zh) = if expected.eq_ignore_ascii_case(found) {
        (" (only upper and lower case differ)", "（仅大小写不同）")
    } else if Decimal::parse(expected)
        .zip(Decimal::parse(found))
        .is_some_and(|(one, two)| one.distance(&two).is_zero())
    {
        (
            " (the same number, written differently: text is compared here)",
            "（数值相同但写法不同：此题按文本比较）",
        )
    } else {
        ("", "")
    };
    Text::new(en, zh)
}
