//! Mutants of `hanoi`.

use crate::program::{Question, row, within};
use crate::{Error, Mutant};

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "one-move-too-few",
        "is off by one and shows the state before move k",
        "差一步，输出的是第 k 步之前的状态",
        |question, output| {
            let (n, k) = read(question)?;
            row(output, pegs(n, k.saturating_sub(1), largest_goes_back))
        },
    ),
    Mutant::new(
        "same-direction-for-all",
        "lets every disc go round the pegs in the same direction",
        "所有盘子都沿同一方向移动",
        |question, output| {
            let (n, k) = read(question)?;
            // Right: the directions take turns.
            row(output, pegs(n, k, |_, _| 2))
        },
    ),
    Mutant::new(
        "direction-from-the-smallest",
        "gives directions from the smallest disc on, so every even number of discs is wrong",
        "方向从最小的盘子数起，盘子数为偶数时都错",
        |question, output| {
            let (n, k) = read(question)?;
            // Right: from the largest on, `n - 1 - disc`.
            row(output, pegs(n, k, |_, disc| 2 - u64::from(disc % 2)))
        },
    ),
    Mutant::new(
        "largest-first",
        "prints the largest disc first",
        "从最大的盘子开始输出",
        |question, output| {
            let (n, k) = read(question)?;
            row(output, pegs(n, k, largest_goes_back).into_iter().rev())
        },
    ),
    Mutant::new(
        "thirty-two-bits",
        "holds k in thirty-two bits",
        "用 32 位整数保存 k",
        |question, output| {
            let (n, k) = read(question)?;
            // Right: `k` as it is.
            row(output, pegs(n, k & u64::from(u32::MAX), largest_goes_back))
        },
    ),
];

/// The number of discs, and of moves.
fn read(question: &Question<'_>) -> Result<(u32, u64), Error> {
    let [n, k] = question.numbers()?;
    let discs = within(n, 1..=62)?;
    if k >> discs > 0 {
        return Err(Error::NotAQuestion {
            found: k.to_string(),
        });
    }
    Ok((discs, k))
}

/// The pegs of all discs, smallest first, after k moves; `step` gives a disc's direction, 1 or 2 pegs on.
fn pegs(discs: u32, k: u64, step: fn(u32, u32) -> u64) -> Vec<u64> {
    let peg = |disc: u32| {
        let moves = ((k >> disc) + 1) >> 1;
        1 + moves % 3 * step(discs, disc) % 3
    };
    (0..discs).map(peg).collect()
}

/// The directions of the reference.
fn largest_goes_back(discs: u32, disc: u32) -> u64 {
    if (discs - 1 - disc).is_multiple_of(2) {
        2
    } else {
        1
    }
}
