use std::io;
use std::thread;

use libc::{BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W};

use super::Filter;
use super::table::{ARCHITECTURE, RULES};
use super::tree::{Action, SyscallRule, Test, compile};

/// Executes a filter as the kernel does, limited to the instructions that we use.
fn execute(program: &[libc::sock_filter], arch: u32, nr: u32, args: [u64; 6]) -> u32 {
    const LOAD: u32 = BPF_LD | BPF_W | BPF_ABS;
    const RETURN: u32 = BPF_RET | BPF_K;
    let mut data = [nr.to_ne_bytes(), arch.to_ne_bytes()].concat();
    data.extend(0_u64.to_ne_bytes());
    data.extend(args.iter().flat_map(|argument| argument.to_ne_bytes()));
    let (mut at, mut value) = (0, 0);
    loop {
        let libc::sock_filter { code, jt, jf, k } = program[at];
        at += 1;
        let is_true = match u32::from(code) {
            RETURN => return k,
            LOAD => {
                let word = data[k as usize..][..4].try_into().unwrap();
                value = u32::from_ne_bytes(word);
                continue;
            }
            code if code == BPF_JMP | BPF_JEQ | BPF_K => value == k,
            code if code == BPF_JMP | BPF_JGE | BPF_K => value >= k,
            code if code == BPF_JMP | BPF_JSET | BPF_K => value & k != 0,
            code => panic!("instruction {code:#x}"),
        };
        at += usize::from(if is_true { jt } else { jf });
    }
}

/// The expected result, by searching the rules one by one.
fn looked_up(nr: u32, args: [u64; 6]) -> u32 {
    let passes = |argument: usize, test| {
        let value = args[argument] as u32;
        match test {
            Test::AnyBit(bits) => value & bits != 0,
            Test::OneOf(values) => values.contains(&value),
        }
    };
    let refused = |errno: i32| libc::SECCOMP_RET_ERRNO | errno as u32;
    let is_in = |rule: &&SyscallRule| {
        let mut spans = rule.calls.iter();
        spans.any(|&(first, last)| (first..=last).contains(&nr))
    };
    match RULES.iter().find(is_in).map_or(Action::Allow, |r| r.action) {
        Action::Kill => libc::SECCOMP_RET_KILL_PROCESS,
        Action::Errno(errno) => refused(errno),
        Action::RefuseIf(argument, test, errno) if passes(argument, test) => refused(errno),
        Action::RefuseUnless(argument, test, errno) if !passes(argument, test) => refused(errno),
        _ => libc::SECCOMP_RET_ALLOW,
    }
}

/// Arguments that argument tests might confuse.
fn telling_arguments() -> Vec<[u64; 6]> {
    let mut values = vec![
        0, 1, 2, 6, 10, 16, 20, 38, 40, 62, 67, 1036, 0x5411, 0x5412, 0x5413, 0x541c,
    ];
    values.extend([u64::MAX, 0xffff_ffff, 1 << 32, (1 << 32) + 1, 0x1_0000_5412]);
    values.extend((0..64).map(|bit| 1 << bit));
    let only = |at: usize, value| {
        let mut args = [0; 6];
        args[at] = value;
        args
    };
    let mut all: Vec<_> = values.iter().map(|&value| only(0, value)).collect();
    for argument in [1, 2, 5] {
        all.extend(values.iter().map(|&value| only(argument, value)));
    }
    all.push([u64::MAX; 6]);
    all
}

fn numbers() -> impl Iterator<Item = u32> {
    let x32 = 0x4000_0000;
    (0..=1024)
        .chain([x32 - 1, x32, x32 + 1, x32 + 0x200, i32::MAX as u32])
        .chain([1 << 31, u32::MAX - 1, u32::MAX])
}

#[test]
fn the_tree_is_equivalent_to_the_table() {
    let Some(native) = ARCHITECTURE else {
        eprintln!("skipped: no table of system calls for this machine");
        return;
    };
    let program = compile(native, RULES);
    for nr in numbers() {
        for args in telling_arguments() {
            let (found, expected) = (execute(&program, native, nr, args), looked_up(nr, args));
            assert_eq!(found, expected, "call {nr} with {args:x?}");
        }
        // i386, 32-bit ARM, and no architecture.
        for arch in [0x4000_0003, 0x4000_0028, 0] {
            let found = execute(&program, arch, nr, [0; 6]);
            assert_eq!(found, libc::SECCOMP_RET_KILL_PROCESS, "{arch:#x}: {nr}");
        }
    }
    assert!(program.len() <= 150, "{} instructions", program.len());
}

/// Runs `work` in a thread under the filter; `None` if there is no filter.
fn filtered<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    let Some(filter) = Filter::new() else {
        eprintln!("skipped: no table of system calls for this machine");
        return None;
    };
    let inside = || {
        rustix::thread::set_no_new_privs(true).unwrap();
        assert_eq!(filter.install(), 0);
        work()
    };
    Some(thread::scope(|scope| scope.spawn(inside).join().unwrap()))
}

/// The error number of a system call, 0 if it succeeded.
fn call(nr: u32, args: [u64; 6]) -> i32 {
    let nr = libc::c_long::from(nr);
    // SAFETY: the callers choose arguments that are no addresses of ours: zero, small numbers, or all ones.
    let result = unsafe { libc::syscall(nr, args[0], args[1], args[2], args[3], args[4], args[5]) };
    if result == -1 {
        io::Error::last_os_error().raw_os_error().unwrap()
    } else {
        0
    }
}

#[test]
fn every_refused_call_fails_with_the_error_of_its_rule() {
    // All ones are not a valid argument of anything, should a call get through.
    let refused = RULES.iter().flat_map(|rule| {
        let spans = rule.calls.iter();
        let numbers = spans.flat_map(|&(first, last)| [first, last]);
        numbers.filter_map(|nr| match rule.action {
            Action::Errno(errno) => Some((nr, errno)),
            _ => None,
        })
    });
    let expected: Vec<_> = refused.collect();
    let numbers = expected.iter().map(|&(nr, _)| nr);
    let found = filtered(|| numbers.map(|nr| (nr, call(nr, [u64::MAX; 6]))).collect());
    let Some(found): Option<Vec<_>> = found else {
        return;
    };
    assert_eq!(found, expected);
}
