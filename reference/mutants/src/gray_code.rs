//! Mutants of `gray-code`.

use std::io::Write;

use crate::program::{Question, line};
use crate::{Error, Mutant};

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "plain-binary",
        "counts in binary, where a step changes several digits",
        "直接输出二进制计数，一步会改变多位",
        |question, output| list(question, 0, |index, _| index, output),
    ),
    Mutant::new(
        "shifted-to-the-left",
        "compares each digit with the one to its right",
        "移位方向反了，与右边一位比较",
        // Right: `index >> 1`.
        |question, output| {
            list(
                question,
                0,
                |index, n| (index ^ index << 1) & ((1 << n) - 1),
                output,
            )
        },
    ),
    Mutant::new(
        "last-code-missing",
        "is off by one and leaves out the last code",
        "循环差一，漏掉最后一个编码",
        |question, output| list(question, 1, gray, output),
    ),
    Mutant::new(
        "leading-zeros-lost",
        "prints no zeros in front",
        "没有输出前导零",
        |question, output| {
            let n = question.n(1..=20)?;
            for index in 0..1 << n {
                // Right: `n` digits.
                line(output, &format!("{:b}", gray(index, n)))?;
            }
            Ok(())
        },
    ),
];

fn gray(index: u32, _n: u32) -> u32 {
    index ^ (index >> 1)
}

/// Writes the codes of all places but the last few.
fn list(
    question: &Question<'_>,
    left_out: u32,
    code: fn(u32, u32) -> u32,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let n = question.n(1..=20)?;
    let digits = n as usize;
    for index in 0..(1 << n) - left_out {
        line(output, &format!("{:0digits$b}", code(index, n)))?;
    }
    Ok(())
}
