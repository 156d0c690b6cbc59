//! What the seccomp filter costs, as we compile it and as a linear list: prints the table of `docs/lab-sandbox.md`.
#![expect(unsafe_code, reason = "system calls")]
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for developers: it prints, and ends if it cannot measure"
)]

#[path = "../src/seccomp/table.rs"]
mod table;
#[path = "../src/seccomp/tree.rs"]
mod tree;

use std::io;
use std::thread;
use std::time::Duration;

use libc::{
    BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter,
};

use table::{ARCHITECTURE, RULES};
use tree::{Action, SyscallRule, Test, compile};

fn main() {
    const ROUNDS: usize = 9;
    const INSTALLATIONS: u32 = 100;
    const CALLS: u32 = 1_000_000;
    let Some(native) = ARCHITECTURE else {
        return println!("there is no table of system calls for this machine");
    };
    let filters = [
        ("none", None),
        ("tree", Some(compile(native, RULES))),
        ("list", Some(compile_linear(native, RULES))),
    ];
    let install = |filter: &Option<Vec<sock_filter>>| {
        rustix::thread::set_no_new_privs(true).unwrap();
        let began = thread_time();
        if let Some(filter) = filter {
            install_filter(filter);
        }
        thread_time().saturating_sub(began)
    };
    let repeated = |work: &dyn Fn() -> libc::c_long| {
        let began = thread_time();
        for _ in 0..CALLS {
            work();
        }
        thread_time().saturating_sub(began) / CALLS
    };
    let measure = |filter: &Option<Vec<sock_filter>>| {
        let in_thread = |work: &(dyn Fn() -> [Duration; 3] + Sync)| {
            thread::scope(|scope| scope.spawn(work).join().unwrap())
        };
        let installation = (0..INSTALLATIONS).map(|_| in_thread(&|| [install(filter); 3])[0]);
        let installation = installation.sum::<Duration>() / INSTALLATIONS;
        in_thread(&|| {
            install(filter);
            // SAFETY: no arguments.
            let always_allowed = repeated(&|| unsafe { libc::syscall(libc::SYS_getpid) });
            // SAFETY: plain numbers, and no open descriptor.
            let by_argument =
                repeated(&|| unsafe { libc::syscall(libc::SYS_fcntl, -1, libc::F_GETFD) });
            [installation, always_allowed, by_argument]
        })
    };
    let mut times = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        for ((_, filter), times) in filters.iter().zip(&mut times) {
            times.push(measure(filter));
        }
    }
    println!("filter  instructions  installation  getpid  fcntl(-1)");
    for ((name, filter), times) in filters.iter().zip(times) {
        let median = |column: usize| {
            let mut column: Vec<_> = times.iter().map(|row| row[column].as_nanos()).collect();
            column.sort_unstable();
            column[ROUNDS / 2]
        };
        let size = filter.as_ref().map_or(0, Vec::len);
        let [installation, getpid, fcntl] = [0, 1, 2].map(median);
        println!("{name:6}  {size:12}  {installation:9} ns  {getpid:3} ns  {fcntl:6} ns");
    }
}

/// Puts this thread under a filter.
fn install_filter(filter: &[sock_filter]) {
    let program = libc::sock_fprog {
        len: filter.len() as libc::c_ushort,
        filter: filter.as_ptr().cast_mut(),
    };
    // SAFETY: `program` describes instructions that outlive the call and are only read.
    let result = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
            &raw const program,
        )
    };
    assert_eq!(result, 0, "{}", io::Error::last_os_error());
}

/// The same rules as a linear list, like the filters of `seccompiler`.
fn compile_linear(architecture: u32, rules: &[SyscallRule]) -> Vec<sock_filter> {
    let op = |code: u32, k, jt, jf| sock_filter {
        code: code as u16,
        jt,
        jf,
        k,
    };
    let load = |offset| op(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0);
    let jump = |how: u32, k, jt: usize, jf: usize| op(BPF_JMP | how | BPF_K, k, jt as u8, jf as u8);
    let ret = |value| op(BPF_RET | BPF_K, value, 0, 0);
    let errno = |errno: i32| libc::SECCOMP_RET_ERRNO | errno as u32;
    let allow = libc::SECCOMP_RET_ALLOW;
    let test = |argument: usize, test, [yes, no]: [u32; 2]| {
        let mut code = vec![load(16 + 8 * argument as u32)];
        match test {
            Test::AnyBit(bits) => code.push(jump(BPF_JSET, bits, 0, 1)),
            Test::OneOf(values) => {
                for (index, &value) in values.iter().enumerate() {
                    let left = values.len() - 1 - index;
                    code.push(jump(BPF_JEQ, value, left, usize::from(left == 0)));
                }
            }
        }
        code.extend([ret(yes), ret(no)]);
        code
    };
    let mut program = vec![
        load(4),
        jump(BPF_JEQ, architecture, 1, 0),
        ret(libc::SECCOMP_RET_KILL_PROCESS),
        load(0),
    ];
    for rule in rules {
        let body = match rule.action {
            Action::Allow => vec![ret(allow)],
            Action::Kill => vec![ret(libc::SECCOMP_RET_KILL_PROCESS)],
            Action::Errno(error) => vec![ret(errno(error))],
            Action::RefuseIf(argument, how, error) => test(argument, how, [errno(error), allow]),
            Action::RefuseUnless(argument, how, error) => {
                test(argument, how, [allow, errno(error)])
            }
        };
        for &(first, last) in rule.calls {
            if first == last {
                program.push(jump(BPF_JEQ, first, 0, body.len()));
            } else if let Some(next) = last.checked_add(1) {
                program.push(jump(BPF_JGE, first, 0, body.len() + 1));
                program.push(jump(BPF_JGE, next, body.len(), 0));
            } else {
                program.push(jump(BPF_JGE, first, 0, body.len()));
            }
            program.extend(&body);
        }
    }
    program.push(ret(allow));
    program
}

/// CPU time of this thread, which other load affects less than wall time.
fn thread_time() -> Duration {
    // SAFETY: all-zero bytes are a valid timespec, which outlives the call.
    let now = unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now);
        now
    };
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
