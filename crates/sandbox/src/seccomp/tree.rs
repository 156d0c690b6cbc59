//! Compiles rules to instructions of the classic Berkeley packet filter.
//!
//! The program loads the architecture, compares it, loads the number and walks a binary search tree of comparisons,
//! balanced by how many system calls a branch stands for. Leaves are returns and argument tests, each of which exists
//! once. Jumps go forward only, so the program is written from its end.

use std::mem::offset_of;

use libc::{BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W};

/// Treatment of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// It is allowed.
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

/// A test of the lower 32 bits of an argument: of those that we test, the kernel uses no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    AnyBit(u32),
    OneOf(&'static [u32]),
}

/// An action other than [`Action::Allow`] for some system calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct SyscallRule {
    /// First and last number of each span. A number is in one rule only.
    pub(super) calls: &'static [(u32, u32)],
    pub(super) action: Action,
}

/// The first number of an interval, which ends before the next one, and the treatment of its calls.
type Interval = (u32, Action);

/// About the last number that the kernel tries at installation.
const TRIED: u32 = 480;

/// The instructions.
///
/// # Panics
/// If a number is in two rules, or if a jump is longer than an instruction can encode, 255. Tests compile our table for
/// both machines.
pub(super) fn compile(architecture: u32, rules: &[SyscallRule]) -> Vec<libc::sock_filter> {
    let mut program = FilterProgram::default();
    program.tree(&intervals(rules));
    let native = program.load(offset_of!(libc::seccomp_data, nr));
    let kill = program.leaf(Action::Kill);
    program.compare(BPF_JEQ, architecture, native, kill);
    program.load(offset_of!(libc::seccomp_data, arch));
    program.reversed.reverse();
    program.reversed
}

/// All numbers, in intervals whose neighbours have different actions.
fn intervals(rules: &[SyscallRule]) -> Vec<Interval> {
    let calls = |rule: &SyscallRule| (rule.calls, rule.action);
    let spans = rules.iter().map(calls).flat_map(|(calls, action)| {
        let span = move |&(first, last)| (first, last, action);
        calls.iter().map(span)
    });
    let mut spans: Vec<(u32, u32, Action)> = spans.collect();
    spans.sort_unstable_by_key(|&(first, ..)| first);
    let mut intervals = Vec::new();
    // The first number that has no action yet; after the last of all there is none.
    let mut next = Some(0);
    for (first, last, action) in spans {
        let free = next.filter(|&next| next <= first && first <= last);
        let free = free.expect("a number is in one rule only");
        if free < first {
            intervals.push((free, Action::Allow));
        }
        intervals.push((first, action));
        next = last.checked_add(1);
    }
    intervals.extend(next.map(|next| (next, Action::Allow)));
    intervals.dedup_by_key(|(_, action)| *action);
    intervals
}

/// The index at which to split intervals so that the kernel tries equally many numbers on both sides.
fn middle(intervals: &[Interval]) -> usize {
    let at = |cut: usize| intervals[cut].0.min(TRIED);
    // The end of the last interval is unknown; nearly always it is far off.
    let ends = at(0) + at(intervals.len() - 1);
    let cuts = 1..intervals.len();
    cuts.min_by_key(|&cut| (2 * at(cut)).abs_diff(ends))
        .unwrap_or(0)
}

/// An instruction, counted from the end of the program.
type Position = usize;

/// A filter under construction, written from its end.
#[derive(Default)]
struct FilterProgram {
    reversed: Vec<libc::sock_filter>,
    leaves: Vec<(Action, Position)>,
}

impl FilterProgram {
    fn push(&mut self, code: u32, k: u32, jt: u8, jf: u8) -> Position {
        let code = code as u16;
        self.reversed.push(libc::sock_filter { code, jt, jf, k });
        self.reversed.len() - 1
    }

    /// Loads a word of the call's description, before the code that was written last.
    fn load(&mut self, offset: usize) -> Position {
        self.push(BPF_LD | BPF_W | BPF_ABS, offset as u32, 0, 0)
    }

    fn compare(&mut self, how: u32, with: u32, yes: Position, no: Position) -> Position {
        let here = self.reversed.len();
        let skip = |to: Position| u8::try_from(here - to - 1).expect("the program is short");
        self.push(BPF_JMP | how | BPF_K, with, skip(yes), skip(no))
    }

    fn leaf(&mut self, action: Action) -> Position {
        if let Some(&(_, position)) = self.leaves.iter().find(|(leaf, _)| *leaf == action) {
            return position;
        }
        let mut ret = |value| self.push(BPF_RET | BPF_K, value, 0, 0);
        let position = match action {
            Action::Allow => ret(libc::SECCOMP_RET_ALLOW),
            Action::Kill => ret(libc::SECCOMP_RET_KILL_PROCESS),
            Action::Errno(errno) => ret(libc::SECCOMP_RET_ERRNO | errno as u32),
            Action::RefuseIf(argument, test, errno) => {
                let (refuse, allow) = (self.leaf(Action::Errno(errno)), self.leaf(Action::Allow));
                self.argument(argument, test, refuse, allow)
            }
            Action::RefuseUnless(argument, test, errno) => {
                let (refuse, allow) = (self.leaf(Action::Errno(errno)), self.leaf(Action::Allow));
                self.argument(argument, test, allow, refuse)
            }
        };
        self.leaves.push((action, position));
        position
    }

    fn argument(&mut self, argument: usize, test: Test, yes: Position, no: Position) -> Position {
        match test {
            Test::AnyBit(bits) => self.compare(BPF_JSET, bits, yes, no),
            Test::OneOf(values) => values
                .iter()
                .rev()
                .fold(no, |next, &value| self.compare(BPF_JEQ, value, yes, next)),
        };
        // Both machines are little-endian: the lower half comes first.
        self.load(offset_of!(libc::seccomp_data, args) + argument * size_of::<u64>())
    }

    /// The search among these intervals, at least one.
    fn tree(&mut self, intervals: &[Interval]) -> Position {
        match *intervals {
            [(_, all)] => self.leaf(all),
            // One number within an interval: one comparison instead of two.
            [(_, before), (one, action), (after, same)] if before == same && after - one == 1 => {
                let (yes, no) = (self.leaf(action), self.leaf(before));
                self.compare(BPF_JEQ, one, yes, no)
            }
            _ => {
                let (below, above) = intervals.split_at(middle(intervals));
                let (yes, no) = (self.tree(above), self.tree(below));
                self.compare(BPF_JGE, above[0].0, yes, no)
            }
        }
    }
}
