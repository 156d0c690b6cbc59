//! The ways to count, and which one is the best for a size and a processor.

use crate::host::Simd;
use crate::meet_in_the_middle::MeetInTheMiddle;
use crate::plan::{Plan, Worker};
use crate::symmetric::Symmetric;
use crate::{array, bitmask};

/// A way to count; all give the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// One array of records for the columns and one for each direction of diagonals:
    /// [`array`](mod@crate::array)
    Array,
    /// One bit per square of the current row: [`bitmask`]
    Bitmask,
    /// One board of each class of turned and mirrored ones: [`symmetric`](crate::symmetric)
    Symmetric,
    /// Halves of boards, joined: [`meet_in_the_middle`](crate::meet_in_the_middle)
    MeetInTheMiddle,
}

impl Method {
    /// All, from the plainest on.
    pub const ALL: [Self; 4] = [
        Self::Array,
        Self::Bitmask,
        Self::Symmetric,
        Self::MeetInTheMiddle,
    ];

    /// Its name on the command line and in checkpoints.
    pub fn name(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Bitmask => "bitmask",
            Self::Symmetric => "symmetric",
            Self::MeetInTheMiddle => "meet-in-the-middle",
        }
    }

    /// The method with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// The smallest number of queens that it can count.
    pub fn least(self) -> u32 {
        match self {
            Self::Array | Self::Bitmask | Self::Symmetric => 1,
            Self::MeetInTheMiddle => 4,
        }
    }

    /// About how many bytes of memory it needs for `n` queens with one thread.
    ///
    /// The halves of boards take three times as much for every queen more; measured up to 23.
    pub fn memory(self, n: u32) -> u64 {
        match self {
            Self::Array | Self::Bitmask | Self::Symmetric => 1 << 20,
            Self::MeetInTheMiddle => 30_000_000 * 3_u64.pow(n.saturating_sub(18)),
        }
    }

    /// Whether it cuts a count into parts, so that threads can share it and a checkpoint can keep
    /// it; what does not, uses no vector instructions either.
    pub fn has_parts(self) -> bool {
        match self {
            Self::Array | Self::Bitmask => false,
            Self::Symmetric | Self::MeetInTheMiddle => true,
        }
    }

    /// How this method counts `n` queens, `n` from [`least`](Self::least) to 32.
    ///
    /// # Panics
    ///
    /// If the method cannot count `n` queens.
    pub fn plan(self, n: u32, simd: Simd) -> Box<dyn Plan> {
        match self {
            Self::Array => Box::new(InOneGo(n, array::number_of_solutions)),
            Self::Bitmask => Box::new(InOneGo(n, bitmask::number_of_solutions)),
            Self::Symmetric => Box::new(Symmetric::new(n, simd)),
            Self::MeetInTheMiddle => Box::new(MeetInTheMiddle::new(n, simd)),
        }
    }
}

/// The method for a size and a processor, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The method.
    pub method: Method,
    /// Why: the end of a sentence that begins with "because".
    pub reason: &'static str,
}

/// The method that takes the least time for `n` queens with these vector instructions.
///
/// Joining halves is much less work than searching whole boards, but it first has to list the
/// halves. So there is a size from which on it is faster. Wide vectors speed up the search more
/// than the lists, so with them that size is larger; where it lies was found by measuring.
///
/// The lists grow tenfold with every two queens. From 24 queens on they would fill tens of
/// gigabytes, whereas the search of whole boards needs hardly any memory.
pub fn choose(n: u32, simd: Simd) -> Choice {
    let search_up_to = match simd {
        Simd::Portable | Simd::Avx2(_) => 11,
        Simd::Avx512(_) => 15,
    };
    let (method, reason) = if n <= search_up_to {
        (
            Method::Symmetric,
            "for so few queens, listing the halves of boards takes longer than searching",
        )
    } else if n <= 23 {
        (
            Method::MeetInTheMiddle,
            "for so many queens, joining halves of boards is faster than searching whole ones",
        )
    } else {
        (
            Method::Symmetric,
            "from 24 queens on, the halves of boards would fill tens of gigabytes",
        )
    };
    Choice { method, reason }
}

/// The number of ways to place `n` queens, `n` from 1 to 32: by the method that [`choose`] chooses
/// for this processor, on this thread.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn count(n: u32) -> u64 {
    let simd = Simd::widest();
    let plan = choose(n, simd).method.plan(n, simd);
    let mut worker = plan.worker();
    plan.total((0..plan.parts()).map(|part| worker.count(part)).sum())
}

/// A method that is not cut: a size, and the function that counts it.
struct InOneGo(u32, fn(u32) -> u64);

impl Plan for InOneGo {
    fn parts(&self) -> usize {
        1
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Self(self.0, self.1))
    }

    fn total(&self, sum: u64) -> u64 {
        sum
    }
}

impl Worker for InOneGo {
    fn count(&mut self, _part: usize) -> u64 {
        let Self(n, number_of_solutions) = self;
        number_of_solutions(*n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The methods that are chosen for 1 to 32 queens, as sizes with the same one in a row.
    fn choices(simd: Simd) -> Vec<(u32, u32, Method)> {
        let mut runs: Vec<(u32, u32, Method)> = Vec::new();
        for n in 1..=32 {
            let method = choose(n, simd).method;
            match runs.last_mut() {
                Some((_, last, same)) if *same == method => *last = n,
                _ => runs.push((n, n, method)),
            }
        }
        runs
    }

    #[test]
    fn the_choice_depends_on_the_size_and_the_vectors() {
        use Method::{MeetInTheMiddle, Symmetric};
        for simd in Simd::all() {
            let expected = match simd {
                Simd::Portable | Simd::Avx2(_) => [
                    (1, 11, Symmetric),
                    (12, 23, MeetInTheMiddle),
                    (24, 32, Symmetric),
                ],
                Simd::Avx512(_) => [
                    (1, 15, Symmetric),
                    (16, 23, MeetInTheMiddle),
                    (24, 32, Symmetric),
                ],
            };
            assert_eq!(choices(simd), expected, "{}", simd.name());
        }
    }

    #[test]
    fn each_choice_gives_its_reason() {
        assert_eq!(
            [8, 18, 27].map(|n| choose(n, Simd::Portable).reason),
            [
                "for so few queens, listing the halves of boards takes longer than searching",
                "for so many queens, joining halves of boards is faster than searching whole ones",
                "from 24 queens on, the halves of boards would fill tens of gigabytes",
            ]
        );
    }

    #[test]
    fn no_method_is_chosen_for_a_size_that_it_cannot_count() {
        for simd in Simd::all() {
            for n in 1..=32 {
                assert!(
                    choose(n, simd).method.least() <= n,
                    "{} n = {n}",
                    simd.name()
                );
            }
        }
    }

    #[test]
    fn a_method_is_found_by_its_name() {
        assert_eq!(
            Method::ALL.map(|method| Method::named(method.name())),
            Method::ALL.map(Some)
        );
        assert_eq!(Method::named("auto"), None);
    }
}
