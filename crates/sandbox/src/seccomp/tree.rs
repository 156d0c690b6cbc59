//! From rules to instructions of the classic Berkeley packet filter.
//!
//! The program loads the architecture, compares it, loads the number and walks a binary search tree of
//! comparisons, balanced by how many system calls a branch stands for. Leaves are returns and the tests of
//! arguments, each of which exists once. Jumps go forward only, so the program is written from its end.

use std::mem::offset_of;

use libc::{BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W};

/// What becomes of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// It is made.
    Allow,
    /// The process dies of `SIGSYS`.
    Kill,
    /// It fails with this error.
    Errno(libc::c_int),
    /// It fails with this error if this argument (the first is 0) passes the test.
    RefuseIf(usize, Test, libc::c_int),
    /// It fails with this error unless this argument passes the test.
    RefuseUnless(usize, Test, libc::c_int),
}

/// A test of the lower 32 bits of an argument: the kernel takes no more of those that we test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    AnyBit(u32),
    Equal(u32),
    OneOf(&'static [u32]),
}

/// Something other than [`Action::Allow`] for some system calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// First and last number of each span. A number is in one rule only.
    pub(super) calls: &'static [(u32, u32)],
    pub(super) action: Action,
}

/// Numbers from this one up to the next interval's.
#[derive(Clone, Copy, Debug)]
struct Interval {
    first: u32,
    action: Action,
}

/// The numbers that the kernel tries at installation end about here.
const TRIED: u32 = 480;

/// The instructions. Nothing if a jump were longer than an instruction can say, 255, or if a number were in
/// two rules: no such table is written here, and none is taken for a filter.
pub(super) fn compile(architecture: u32, rules: &[Rule]) -> Option<Vec<libc::sock_filter>> {
    let mut program = Program::default();
    program.tree(&intervals(rules)?)?;
    let native = program.load(offset_of!(libc::seccomp_data, nr));
    let kill = program.leaf(Action::Kill)?;
    program.compare(BPF_JEQ, architecture, native, kill)?;
    program.load(offset_of!(libc::seccomp_data, arch));
    program.reversed.reverse();
    Some(program.reversed)
}

/// All numbers, in intervals of which no two neighbours have the same action.
fn intervals(rules: &[Rule]) -> Option<Vec<Interval>> {
    let mut spans: Vec<(u32, u32, Action)> = rules
        .iter()
        .flat_map(|rule| {
            rule.calls
                .iter()
                .map(|&(first, last)| (first, last, rule.action))
        })
        .collect();
    spans.sort_unstable_by_key(|&(first, ..)| first);
    let mut intervals: Vec<Interval> = Vec::new();
    let mut put = |first: u64, action| {
        if let Ok(first) = u32::try_from(first)
            && intervals
                .last()
                .is_none_or(|before| before.action != action)
        {
            intervals.push(Interval { first, action });
        }
    };
    // The first number that has no action yet; after the last of all it is one too large.
    let mut next = 0;
    for (first, last, action) in spans {
        if u64::from(first) < next || last < first {
            return None;
        }
        if u64::from(first) > next {
            put(next, Action::Allow);
        }
        put(u64::from(first), action);
        next = u64::from(last) + 1;
    }
    put(next, Action::Allow);
    Some(intervals)
}

/// Where to cut intervals in two: such that the kernel tries as many numbers on one side as on the other.
fn middle(intervals: &[Interval]) -> usize {
    let start = intervals[0].first.min(TRIED);
    (1..intervals.len())
        .min_by_key(|&cut| {
            let at = intervals[cut].first.min(TRIED);
            // Of the last interval we do not know the end; nearly always it is far off.
            let end = intervals[intervals.len() - 1].first.min(TRIED);
            (2 * at).abs_diff(start + end)
        })
        .unwrap_or(0)
}

/// An instruction, counted from the end of the program.
type Position = usize;

/// A program that is being written from its end.
#[derive(Default)]
struct Program {
    reversed: Vec<libc::sock_filter>,
    leaves: Vec<(Action, Position)>,
}

impl Program {
    fn push(&mut self, code: u32, k: u32, jt: u8, jf: u8) -> Position {
        let code = code as u16;
        self.reversed.push(libc::sock_filter { code, jt, jf, k });
        self.reversed.len() - 1
    }

    /// Loads a word of the call's description and goes on with what was written last.
    fn load(&mut self, offset: usize) -> Position {
        self.push(BPF_LD | BPF_W | BPF_ABS, offset as u32, 0, 0)
    }

    fn compare(&mut self, how: u32, with: u32, yes: Position, no: Position) -> Option<Position> {
        let here = self.reversed.len();
        let skip = |to: Position| u8::try_from(here - to - 1).ok();
        let (yes, no) = (skip(yes)?, skip(no)?);
        Some(self.push(BPF_JMP | how | BPF_K, with, yes, no))
    }

    fn leaf(&mut self, action: Action) -> Option<Position> {
        if let Some(&(_, position)) = self.leaves.iter().find(|(leaf, _)| *leaf == action) {
            return Some(position);
        }
        let position = match action {
            Action::Allow => self.give_back(libc::SECCOMP_RET_ALLOW),
            Action::Kill => self.give_back(libc::SECCOMP_RET_KILL_PROCESS),
            Action::Errno(errno) => self.give_back(libc::SECCOMP_RET_ERRNO | errno as u32),
            Action::RefuseIf(argument, test, errno) => {
                let refuse = self.leaf(Action::Errno(errno))?;
                let allow = self.leaf(Action::Allow)?;
                self.argument(argument, test, refuse, allow)?
            }
            Action::RefuseUnless(argument, test, errno) => {
                let refuse = self.leaf(Action::Errno(errno))?;
                let allow = self.leaf(Action::Allow)?;
                self.argument(argument, test, allow, refuse)?
            }
        };
        self.leaves.push((action, position));
        Some(position)
    }

    fn give_back(&mut self, value: u32) -> Position {
        self.push(BPF_RET | BPF_K, value, 0, 0)
    }

    fn argument(
        &mut self,
        argument: usize,
        test: Test,
        yes: Position,
        no: Position,
    ) -> Option<Position> {
        match test {
            Test::AnyBit(bits) => self.compare(BPF_JSET, bits, yes, no)?,
            Test::Equal(value) => self.compare(BPF_JEQ, value, yes, no)?,
            Test::OneOf(values) => values
                .iter()
                .rev()
                .try_fold(no, |next, &value| self.compare(BPF_JEQ, value, yes, next))?,
        };
        // Both machines are little-endian: the lower half comes first.
        let offset = offset_of!(libc::seccomp_data, args) + argument * size_of::<u64>();
        Some(self.load(offset))
    }

    /// The search among these intervals; there is at least one.
    fn tree(&mut self, intervals: &[Interval]) -> Option<Position> {
        match intervals {
            [all] => self.leaf(all.action),
            // One number within an interval: one comparison instead of two.
            [before, one, after]
                if before.action == after.action && after.first - one.first == 1 =>
            {
                let yes = self.leaf(one.action)?;
                let no = self.leaf(before.action)?;
                self.compare(BPF_JEQ, one.first, yes, no)
            }
            _ => {
                let (below, above) = intervals.split_at(middle(intervals));
                let yes = self.tree(above)?;
                let no = self.tree(below)?;
                self.compare(BPF_JGE, above[0].first, yes, no)
            }
        }
    }
}
