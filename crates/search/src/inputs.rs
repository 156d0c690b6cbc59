//! Which inputs are tried, and in which order.

use std::collections::{BTreeSet, VecDeque};

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
/// So many telling inputs come first.
const MAX_TELLING: usize = 96;
/// If so many draws in a row were tried before, the bound doubles too.
const MAX_REPEATED: usize = 200;

/// The inputs of a search, each at most once.
pub(crate) struct Inputs {
    counts: Vec<u128>,
    /// Telling ones: at the ends of ranges, beside powers of ten and two. Every second one is the next of these.
    telling: VecDeque<Input>,
    /// Whether those that are listed are taken from everywhere. Otherwise the smallest comes first, and is found first.
    is_spread: bool,
    /// All that are left, the smallest last; `None` if they are drawn.
    listed: Option<Vec<Input>>,
    tried: BTreeSet<Input>,
    /// How many were drawn.
    drawn: usize,
    state: u64,
}

impl Inputs {
    pub(crate) fn new(counts: Vec<u128>, seed: u64) -> Self {
        let mut inputs = Self {
            telling: VecDeque::new(),
            is_spread: false,
            listed: None,
            tried: BTreeSet::new(),
            drawn: 0,
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

    /// The same, in which some places of each variable come early.
    pub(crate) fn with_telling(mut self, places: &[Vec<u128>]) -> Self {
        if self.listed.is_none() {
            self.telling = telling(places).into();
        }
        self
    }

    /// The same, which finds some input soon rather than the smallest.
    pub(crate) fn spread(mut self, places: &[Vec<u128>]) -> Self {
        self.telling = telling(places).into();
        self.is_spread = true;
        self
    }

    /// The inputs that are listed, left to try and smaller than this one, the smallest first.
    pub(crate) fn smaller(&self, than: &Input) -> Vec<Input> {
        let left = self.listed.iter().flatten().rev();
        left.filter(|it| size(it) < size(than) && !self.tried.contains(*it))
            .cloned()
            .collect()
    }

    /// How many inputs there are.
    pub(crate) fn total(&self) -> u128 {
        self.counts.iter().copied().fold(1, u128::saturating_mul)
    }

    /// Never returns this one: it is tried elsewhere. Returns whether it was not tried before.
    pub(crate) fn skip(&mut self, input: Input) -> bool {
        self.tried.insert(input)
    }

    /// The next inputs, at most so many; none if all were tried.
    pub(crate) fn next(&mut self, most: usize) -> Vec<Input> {
        let mut next = Vec::new();
        while next.len() < most {
            let input = match self.next_telling() {
                Some(input) => input,
                None if self.listed.is_some() => match self.next_listed() {
                    Some(input) => input,
                    None => break,
                },
                None => self.draw(),
            };
            if self.tried.insert(input.clone()) {
                next.push(input);
            }
        }
        next
    }

    /// Every second time, the next telling input that was not tried.
    fn next_telling(&mut self) -> Option<Input> {
        if self.tried.len() % 2 == 1 {
            return None;
        }
        loop {
            let input = self.telling.pop_front()?;
            if !self.tried.contains(&input) {
                return Some(input);
            }
        }
    }

    /// The smallest that is listed; if they are spread, every second one is any of them.
    fn next_listed(&mut self) -> Option<Input> {
        let left = self.listed.as_ref()?.len();
        let at = if self.is_spread && self.tried.len() % 4 == 3 && left > 0 {
            self.below(left as u128) as usize
        } else {
            left.checked_sub(1)?
        };
        Some(self.listed.as_mut()?.remove(at))
    }

    /// A drawn input that was not tried. Of every eight, four have values below bounds that rotate and grow,
    /// three have values of any number of bits, or any of a few values, and one has mostly great values, some of them the
    /// greatest.
    fn draw(&mut self) -> Input {
        let mut doublings = self.drawn as u32 / PER_SIZE;
        let (mut repeated, counts) = (0, self.counts.clone());
        loop {
            let all = self.drawn + repeated;
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
                self.drawn += 1;
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

/// Inputs with these places: all variables at the first, second … of theirs, and each variable there while the others are at their
/// first.
fn telling(places: &[Vec<u128>]) -> Vec<Input> {
    let least: Input = places.iter().filter_map(|it| it.first().copied()).collect();
    let longest = places.iter().map(Vec::len).max().unwrap_or(0);
    let mut all = Vec::new();
    for at in 0..longest {
        let place = |own: &Vec<u128>| own.get(at % own.len().max(1)).copied();
        all.push(places.iter().filter_map(place).collect());
        for (variable, own) in places.iter().enumerate().filter(|(_, own)| at < own.len()) {
            let mut input = least.clone();
            input[variable] = own[at];
            all.push(input);
        }
    }
    let mut known = BTreeSet::new();
    all.retain(|it: &Input| known.insert(it.clone()));
    all.truncate(MAX_TELLING);
    all
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
