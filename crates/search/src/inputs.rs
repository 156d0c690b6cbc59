//! Which inputs are tried, and in which order.

use std::collections::BTreeSet;

/// An input: a place among the values of each variable; small places mean small inputs.
pub(crate) type Input = Vec<u128>;

/// If there are at most so many inputs, all are tried, the smallest first.
const MAX_LISTED: u128 = 4096;
/// A variable whose values have at most so many bits is drawn evenly.
const FEW_BITS: u32 = 6;
/// The first small values have at most so many bits.
const SMALL_BITS: u32 = 3;
/// After so many inputs, the greatest bound of small values doubles.
const PER_SIZE: u32 = 48;
/// If so many draws in a row were tried before, the bound doubles too.
const MAX_REPEATED: usize = 200;

/// The inputs of a search, each at most once.
pub(crate) struct Inputs {
    counts: Vec<u128>,
    /// All that are left, the smallest last; `None` if they are drawn.
    listed: Option<Vec<Input>>,
    tried: BTreeSet<Input>,
    state: u64,
}

impl Inputs {
    pub(crate) fn new(counts: Vec<u128>, seed: u64) -> Self {
        let mut inputs = Self {
            listed: None,
            tried: BTreeSet::new(),
            // xorshift needs a number other than 0.
            state: seed.wrapping_mul(2) | 1,
            counts,
        };
        if inputs.total() <= MAX_LISTED {
            let mut listed = vec![Vec::new()];
            for count in &inputs.counts {
                let longer = |input: &Input| {
                    let input = input.clone();
                    (0..*count).map(move |place| [&input[..], &[place]].concat())
                };
                listed = listed.iter().flat_map(longer).collect();
            }
            listed.sort_by(|a, b| size(b).cmp(&size(a)));
            inputs.listed = Some(listed);
        }
        inputs
    }

    /// How many inputs there are.
    pub(crate) fn total(&self) -> u128 {
        self.counts.iter().copied().fold(1, u128::saturating_mul)
    }

    /// The next inputs, at most so many; none if all were tried.
    pub(crate) fn next(&mut self, most: usize) -> Vec<Input> {
        let mut next = Vec::new();
        if let Some(listed) = &mut self.listed {
            let left = listed.split_off(listed.len().saturating_sub(most));
            next.extend(left.into_iter().rev());
            self.tried.extend(next.iter().cloned());
            return next;
        }
        while next.len() < most {
            let input = self.draw();
            if self.tried.insert(input.clone()) {
                next.push(input);
            }
        }
        next
    }

    /// A drawn input that was not tried. Of every eight, four have values below bounds that rotate and grow,
    /// three have values of any number of bits, or any of a few values, and one has mostly great values, some of them the
    /// greatest.
    fn draw(&mut self) -> Input {
        let mut doublings = self.tried.len() as u32 / PER_SIZE;
        let (mut repeated, counts) = (0, self.counts.clone());
        loop {
            let all = self.tried.len() + repeated;
            let turn = all % 8;
            let small_bits = SMALL_BITS + (all / 2) as u32 % (1 + doublings);
            let mut place = |count: u128| {
                let bits = u128::BITS - count.leading_zeros();
                let bits = match turn {
                    0 | 2 | 4 | 6 => bits.min(small_bits),
                    7 if self.below(2) == 0 => return count - 1 - self.below(count.min(2)),
                    1 | 3 | 5 if bits > FEW_BITS => 1 + self.below(bits.into()) as u32,
                    _ => bits,
                };
                let most = 1_u128.checked_shl(bits).unwrap_or(u128::MAX);
                self.below(count.min(most))
            };
            let input: Input = counts.iter().map(|count| place(*count)).collect();
            if !self.tried.contains(&input) {
                return input;
            }
            repeated += 1;
            doublings += u32::from(repeated.is_multiple_of(MAX_REPEATED));
        }
    }

    /// A number below this one, by xorshift64*.
    fn below(&mut self, bound: u128) -> u128 {
        let mut next = || {
            self.state ^= self.state >> 12;
            self.state ^= self.state << 25;
            self.state ^= self.state >> 27;
            u128::from(self.state.wrapping_mul(0x2545_f491_4f6c_dd1d))
        };
        ((next() << 64) | next()) % bound
    }
}

/// By which inputs are compared: the sum of the places, then the places.
fn size(input: &Input) -> (u128, &Input) {
    (input.iter().copied().fold(0, u128::saturating_add), input)
}

/// Places from `low` to below `high`, evenly apart, the last one close to it; all if there are at most so many.
pub(crate) fn between(low: u128, high: u128, most: u128) -> Vec<u128> {
    let apart = (high - low).div_ceil(most).max(1);
    let mut places: Vec<u128> = (1..=most)
        .filter_map(|step| high.checked_sub(step * apart))
        .filter(|place| *place >= low)
        .collect();
    places.reverse();
    places
}
