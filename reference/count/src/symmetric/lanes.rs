//! The search with vectors: many states take a step at once.
//!
//! A vector holds one word for each of 32 states (16 beyond n = 16), and four vectors hold what a
//! state is: lane `i` of each belongs to state `i`.
//!
//! ```text
//!          lane   0     1     2     3   …
//!   free         ···   ···   ···   ···         columns without a queen
//!   left         ···   ···   ···   ···         attacked from above, and next row one bit higher
//!   right        ···   ···   ···   ···         attacked from above, and next row one bit lower
//!   open         ···   ···   ···   ···         squares of the row that are still to be tried
//! ```
//!
//! A state has one to a dozen squares to try, so lanes that went through their states in step
//! would mostly wait for the longest one. Instead each *level* (the states that have the same
//! rows filled) keeps a row of waiting states in memory, and
//!
//! - a step tries *one* square in every lane, the lowest of `open`;
//! - the new states that are alive are pushed together (`compress`) and appended to what waits at
//!   the level below;
//! - a lane that has tried all its squares is *dry* and takes the next state that waits at its own
//!   level (`expand` deals them out to the dry lanes).
//!
//! ```text
//!   waiting, level r    a b c d e f …        the next ones go to the dry lanes 1 and 3:
//!   lanes               P a Q b
//!   one square each     p · q b'             the second one has died
//!   waiting, level r+1  … p q b'
//! ```
//!
//! So all lanes work in every step, but for the end, when nothing waits any more. Only the three
//! words that cannot be found again are stored: `open` follows from them.
//!
//! A level is left when the one below is full, and later goes on where it was. The deepest level
//! with states enough to be worth a visit goes first, as in a depth-first search: so the memory of
//! a level is bounded, and all of them fit in the second-level cache.
//!
//! A lane's next step needs the result of its last one, through a chain of instructions each of
//! which waits for the one before. That is why a level has two sets of lanes: while one waits, the
//! processor works on the other.

use std::arch::x86_64::__m512i;

use super::State;
use super::canonical::Row;
use super::words::{self, BYTES};
use crate::host::Avx512;

/// Sets of lanes of a level.
const SETS: usize = 2;
/// A level is full when this many bytes wait in each of its three streams.
const ROOM: usize = 4096;
/// Fewer bytes than these in each stream are not worth a visit while another level has more.
const WORTH: usize = 1024;
/// The last step may begin when a level is just not overfull; one vector more marks the end.
const STREAM: usize = ROOM + (SETS + 1) * BYTES;

/// The search of one thread.
pub(super) struct Search {
    /// One for each row but the last two of the longest run.
    levels: Vec<Level>,
    bits: Bits,
    /// That the processor has the instructions of the search.
    _proof: Avx512,
}

/// Bits of a word.
#[derive(Clone, Copy)]
enum Bits {
    /// Up to n = 16
    Sixteen,
    /// Beyond
    ThirtyTwo,
}

/// The states that have the same rows filled.
#[derive(Clone)]
struct Level {
    lanes: [Lanes; SETS],
    /// The states that wait: bytes `head..tail` of each stream, one word for each state.
    free: [u8; STREAM],
    left: [u8; STREAM],
    right: [u8; STREAM],
    head: usize,
    tail: usize,
}

/// The states at work; a dry lane has no `open` square.
#[derive(Clone, Copy)]
struct Lanes {
    free: __m512i,
    left: __m512i,
    right: __m512i,
    open: __m512i,
}

impl Search {
    /// For boards of n rows; no part has more than `rows` of them left.
    pub(super) fn new(proof: Avx512, n: u32, rows: usize) -> Self {
        let zero = words::zero();
        let lanes = Lanes {
            free: zero,
            left: zero,
            right: zero,
            open: zero,
        };
        let level = Level {
            lanes: [lanes; SETS],
            free: [0; STREAM],
            left: [0; STREAM],
            right: [0; STREAM],
            head: 0,
            tail: 0,
        };
        Self {
            levels: vec![level; rows.saturating_sub(2)],
            bits: if n <= 16 {
                Bits::Sixteen
            } else {
                Bits::ThirtyTwo
            },
            _proof: proof,
        }
    }

    /// The number of ways to fill `rows`, of which there are three or more.
    #[expect(
        unsafe_code,
        reason = "the one step into functions for these instructions"
    )]
    pub(super) fn count(&mut self, rows: &[Row], start: State) -> u64 {
        // The search takes it for granted that a state that waits has a square to try.
        if start.open(rows[0]) == 0 {
            return 0;
        }
        let levels = &mut self.levels[..rows.len() - 2];
        match self.bits {
            // SAFETY: `self` holds the proof that the processor has these instructions.
            Bits::Sixteen => unsafe { search::<16>(levels, rows, start) },
            // SAFETY: the same.
            Bits::ThirtyTwo => unsafe { search::<32>(levels, rows, start) },
        }
    }
}

/// Takes the first level through all `rows`; the levels are empty before and after, but for the
/// start.
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn search<const BITS: usize>(levels: &mut [Level], rows: &[Row], start: State) -> u64 {
    levels[0].begin::<BITS>(start);
    let last = levels.len() - 1;
    let mut sum = 0;
    // The levels above `top` are empty, and all below `at` have little that waits.
    let (mut top, mut at) = (0, 0);
    loop {
        // Only the topmost level is worked off to the end: nothing more comes to it.
        let ending = levels[at].waiting() < SETS * BYTES;
        if at == last {
            if ending {
                return sum + levels[at].finish::<BITS, true>(&rows[at..]);
            }
            sum += levels[at].finish::<BITS, false>(&rows[at..]);
        } else {
            let (above, below) = levels.split_at_mut(at + 1);
            let (level, below, rows) = (&mut above[at], &mut below[0], &rows[at..]);
            match (rows[0].taken != 0, ending) {
                (false, false) => level.step::<BITS, false, false>(below, rows),
                (false, true) => level.step::<BITS, false, true>(below, rows),
                (true, false) => level.step::<BITS, true, false>(below, rows),
                (true, true) => level.step::<BITS, true, true>(below, rows),
            }
            if ending && level.waiting() == 0 && all_dry::<BITS>(&level.lanes) {
                top = at + 1;
            }
            at += 1;
        }
        while at > top && levels[at].waiting() < WORTH {
            at -= 1;
        }
    }
}

impl Level {
    /// Lets one state wait at this level, which is empty.
    fn begin<const BITS: usize>(&mut self, State { free, left, right }: State) {
        // The lower 16 bits come first, and words of 16 bits need no more.
        self.free[..4].copy_from_slice(&free.to_le_bytes());
        self.left[..4].copy_from_slice(&left.to_le_bytes());
        self.right[..4].copy_from_slice(&right.to_le_bytes());
        (self.head, self.tail) = (0, BITS / 8);
    }

    /// Bytes that wait in each stream.
    fn waiting(&self) -> usize {
        self.tail - self.head
    }

    /// Moves what waits to the beginning of the streams.
    fn settle(&mut self) {
        let waiting = self.head..self.tail;
        for stream in [&mut self.free, &mut self.left, &mut self.right] {
            stream.copy_within(waiting.clone(), 0);
        }
        (self.head, self.tail) = (0, waiting.len());
    }

    /// Lets states without free columns follow the last one that waits: they have no square to try,
    /// so a lane that takes one stays dry.
    #[target_feature(enable = "avx512vbmi2,popcnt")]
    fn mark_end(&mut self) {
        for stream in [&mut self.free, &mut self.left, &mut self.right] {
            words::store(stream, self.tail, words::zero());
        }
    }

    /// How far `head` may go in steps that fill all lanes; at the end, in all.
    fn end_of_steps(&self, ending: bool) -> usize {
        if ending {
            self.tail
        } else {
            self.tail - SETS * BYTES
        }
    }

    /// Tries squares of the first of `rows` and lets the new states wait `below`, until that level
    /// is full or too little waits here for all lanes; when `ENDING`, until nothing is left here.
    /// `TAKEN` says that the row has columns that must be taken.
    #[target_feature(enable = "avx512vbmi2,popcnt")]
    fn step<const BITS: usize, const TAKEN: bool, const ENDING: bool>(
        &mut self,
        below: &mut Self,
        rows: &[Row],
    ) {
        let numbers = words::numbers::<BITS>();
        let [allowed, allowed_1, allowed_2] =
            [0, 1, 2].map(|row: usize| words::splat::<BITS>(rows[row].allowed));
        let [step, step_1] = [0, 1].map(|row: usize| words::splat::<BITS>(rows[row].step));
        let taken = words::splat::<BITS>(rows[0].taken);

        below.settle();
        if ENDING {
            self.mark_end();
        }
        let end = self.end_of_steps(ENDING);
        // Copies, so that they stay in registers.
        let (mut sets, mut head, mut tail) = (self.lanes, self.head, below.tail);
        while head <= end && tail <= ROOM {
            if ENDING && head == end && all_dry::<BITS>(&sets) {
                break;
            }
            for lanes in &mut sets {
                head += lanes.refill::<BITS>(self, head, allowed);
                if ENDING {
                    head = head.min(end);
                }
                let [free, left, right] = lanes.place::<BITS>(step);

                // Alive is who has a square in the next row, and as far as now known in the one
                // after it too.
                let next = words::without(allowed_1, left, right);
                let after = words::without(
                    allowed_2,
                    words::shift_left::<BITS>(left, step_1),
                    words::shift_right::<BITS>(right, step_1),
                );
                let mut alive = words::meet::<BITS>(u32::MAX, after, free);
                alive = words::meet::<BITS>(alive, next, free);
                if TAKEN {
                    alive = words::miss::<BITS>(alive, taken, free);
                }

                let alive_first = words::compress::<BITS>(alive, numbers);
                let push = |stream: &mut [u8; STREAM], vector| {
                    words::store(stream, tail, words::permute::<BITS>(alive_first, vector));
                };
                push(&mut below.free, free);
                push(&mut below.left, left);
                push(&mut below.right, right);
                tail += alive.count_ones() as usize * (BITS / 8);
            }
        }
        (self.lanes, self.head, below.tail) = (sets, head, tail);
    }

    /// Tries squares of the first of the last three `rows` and gives the number of ways to fill
    /// all three; goes on as [`step`](Self::step) does.
    #[target_feature(enable = "avx512vbmi2,popcnt")]
    fn finish<const BITS: usize, const ENDING: bool>(&mut self, rows: &[Row]) -> u64 {
        let allowed = words::splat::<BITS>(rows[0].allowed);
        let [shut_1, shut_2] = [1, 2].map(|row: usize| words::splat::<BITS>(!rows[row].allowed));
        let [step, step_1] = [0, 1].map(|row: usize| words::splat::<BITS>(rows[row].step));

        if ENDING {
            self.mark_end();
        }
        let end = self.end_of_steps(ENDING);
        let (mut sets, mut head) = (self.lanes, self.head);
        let mut sum = 0;
        while head <= end {
            if ENDING && head == end && all_dry::<BITS>(&sets) {
                break;
            }
            for lanes in &mut sets {
                head += lanes.refill::<BITS>(self, head, allowed);
                if ENDING {
                    head = head.min(end);
                }
                let open = lanes.open;
                let [free, left, right] = lanes.place::<BITS>(step);

                // Two columns are free. In one order the higher one goes to the next row and the
                // lower one to the last; in the other order it is the other way round. On the same
                // diagonal they are as far apart as their rows.
                let shut = words::or3(shut_1, left, right);
                let shut_after = words::or3(
                    shut_2,
                    words::shift_left::<BITS>(left, step_1),
                    words::shift_right::<BITS>(right, step_1),
                );
                let shifted = words::shift_left::<BITS>(free, step_1);
                let mut among = words::miss::<BITS>(u32::MAX, free, shifted);
                if ENDING {
                    among = words::meet::<BITS>(among, open, open);
                }
                let high = words::without_lowest::<BITS>(free);
                let high_first = words::select(high, shut, shut_after);
                let low_first = words::select(high, shut_after, shut);
                sum += u64::from(words::miss::<BITS>(among, free, high_first).count_ones());
                sum += u64::from(words::miss::<BITS>(among, free, low_first).count_ones());
            }
        }
        (self.lanes, self.head) = (sets, head);
        sum
    }
}

impl Lanes {
    /// Deals the states that wait at `level` from byte `head` on out to the lanes that are dry, and
    /// gives the bytes by which `head` moves on.
    #[inline]
    #[target_feature(enable = "avx512vbmi2,popcnt")]
    fn refill<const BITS: usize>(&mut self, level: &Level, head: usize, allowed: __m512i) -> usize {
        let dry = words::miss::<BITS>(u32::MAX, self.open, self.open);
        self.free = words::expand::<BITS>(self.free, dry, words::load(&level.free, head));
        self.left = words::expand::<BITS>(self.left, dry, words::load(&level.left, head));
        self.right = words::expand::<BITS>(self.right, dry, words::load(&level.right, head));
        let safe = words::without(allowed, self.left, self.right);
        self.open = words::replace::<BITS>(self.open, dry, words::and(self.free, safe));
        dry.count_ones() as usize * (BITS / 8)
    }

    /// Places a queen in each lane, on its lowest open square, and gives `free`, `left` and `right`
    /// of the row that is `step` rows below. A lane that is dry gives no sensible state.
    #[inline]
    #[target_feature(enable = "avx512vbmi2,popcnt")]
    fn place<const BITS: usize>(&mut self, step: __m512i) -> [__m512i; 3] {
        let before = self.open;
        self.open = words::without_lowest::<BITS>(before);
        // The queen is the bit in which the two differ.
        [
            words::xor3(self.free, before, self.open),
            words::shift_left::<BITS>(words::or_xor(self.left, before, self.open), step),
            words::shift_right::<BITS>(words::or_xor(self.right, before, self.open), step),
        ]
    }
}

/// Whether no lane has a square to try.
#[target_feature(enable = "avx512vbmi2,popcnt")]
fn all_dry<const BITS: usize>(sets: &[Lanes; SETS]) -> bool {
    sets.iter()
        .all(|lanes| words::meet::<BITS>(u32::MAX, lanes.open, lanes.open) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetric::rows;

    #[test]
    fn words_are_used_up_to_their_highest_bit() {
        let Some(proof) = Avx512::detect() else {
            eprintln!("not tested: this processor has no avx512");
            return;
        };
        // Twelve free columns, the first and the last among them; one row of the board between the
        // fifth and the sixth is filled already, and some squares are ruled out.
        for (n, free) in [(16, 0b1101_1110_1011_1011_u32), (32, 0xa4c0_5893)] {
            assert_eq!(free.count_ones(), 12, "n = {n}");
            let rows: Vec<Row> = (0..12)
                .map(|row| Row {
                    allowed: u32::MAX >> (32 - n) & !(0x0810_0420 >> row),
                    step: if row == 4 { 2 } else { 1 },
                    taken: if row == 6 { 1 | 1 << (n - 1) } else { 0 },
                })
                .collect();
            let mut search = Search::new(proof, n, rows.len());
            let mut ways = Vec::new();
            for attacked in [0, 0b1000_0001, 0b0100_0000_0000_1010] {
                let start = State {
                    free,
                    left: attacked,
                    right: attacked << (n - 15),
                };
                ways.push(rows::count(&rows, start));
                assert_eq!(search.count(&rows, start), ways[ways.len() - 1], "n = {n}");
            }
            assert!(ways.iter().all(|&ways| ways > 0), "n = {n}: {ways:?}");
        }
    }
}
