//! Mutants of `binomial-parity`.

use std::io::Write;

use crate::program::line;
use crate::{Error, Mutant};

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "odd-and-even-swapped",
        "swaps odd and even",
        "把奇偶说反了",
        |question, output| {
            let text = question.text()?;
            answer(text.lines(), |n, k| n & k != k, output)
        },
    ),
    Mutant::new(
        "lowest-digit-only",
        "looks at the lowest binary digits of n and k only",
        "只看 n 和 k 的最低二进制位",
        |question, output| {
            let text = question.text()?;
            // Right: all digits.
            answer(text.lines(), |n, k| n & k & 1 == k & 1, output)
        },
    ),
    Mutant::new(
        "thirty-two-bits",
        "holds n and k in thirty-two bits",
        "用 32 位整数保存 n 和 k",
        |question, output| {
            let text = question.text()?;
            let is_odd = |n, k| {
                let (n, k) = (n as u32, k as u32);
                n & k == k
            };
            answer(text.lines(), is_odd, output)
        },
    ),
    Mutant::new(
        "through-floating-point",
        "reads n and k as floating-point numbers, which lose digits above 2^53",
        "用浮点数读入 n 和 k，超过 2^53 就丢失低位",
        |question, output| {
            let text = question.text()?;
            let is_odd = |n, k| {
                let (n, k) = (n as f64 as u64, k as f64 as u64);
                n & k == k
            };
            answer(text.lines(), is_odd, output)
        },
    ),
    Mutant::new(
        "last-line-without-end-lost",
        "drops the last line where no line end follows it",
        "最后一行没有换行符时漏读这一行",
        |question, output| {
            let text = question.text()?;
            // Right: the rest behind the last line end too.
            let ended = text.rfind('\n').map_or("", |end| &text[..end]);
            answer(ended.lines(), |n, k| n & k == k, output)
        },
    ),
];

/// Answers each line that is not blank.
fn answer<'a>(
    lines: impl Iterator<Item = &'a str>,
    is_odd: fn(u64, u64) -> bool,
    output: &mut dyn Write,
) -> Result<(), Error> {
    for question in lines.filter(|line| !line.trim().is_empty()) {
        let numbers: Option<Vec<u64>> = question
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect();
        let Some([n, k]) = numbers.as_deref() else {
            return Err(Error::NotAQuestion {
                found: question.escape_debug().to_string(),
            });
        };
        line(output, if is_odd(*n, *k) { "odd" } else { "even" })?;
    }
    Ok(())
}
