//! Many runs in a row: none may leave anything behind, and no resource may grow.
//!
//! ```text
//! cargo run --release -p grader-sandbox --example endurance -- 10000
//! ```
//!
//! Every tenth program is stopped for CPU time, every tenth leaves processes behind, every tenth fills its folder. Two
//! threads share the work. At the end, memory and descriptors of the grader's side and of its launchers, processes,
//! mounts and control groups are compared with those after the first runs; the status is 1 if anything grew.

#![expect(clippy::print_stdout, reason = "prints its figures")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs, thread};

use grader_model::{Breach, Bytes, CpuTime, Limits, WallTime};
use grader_sandbox::{
    LauncherCommand, Layer, MountPoint, Request, Returns, Runner, StrictRunner, SystemFolders,
    launcher_main,
};

const LAUNCH: &str = "launch";
const THREADS: usize = 2;
/// Runs before the first measurement, so that everything has reached its final size.
const WARM: usize = 200;
/// Tolerated growth of memory in KiB: an allocator's reserve.
const SLACK: u64 = 512;

/// A script and the limit that it must break.
const SCRIPTS: [(&str, Option<Breach>); 10] = [
    ("exit 0", None),
    ("echo hello", None),
    ("while :; do :; done", Some(Breach::Cpu)),
    ("setsid sleep 100 & setsid sleep 100 & exit 0", None),
    (
        "head -c 100000 /dev/zero >file; mkdir -p a/b/c; exit 0",
        None,
    ),
    ("exec head -c 100000 /dev/zero", Some(Breach::Output)),
    ("kill -9 $$", None),
    ("cat", None),
    ("sleep 100 | sleep 100 & exit 3", None),
    ("exec true", None),
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let word = env::args().nth(1);
    if word.as_deref() == Some(LAUNCH) {
        return Ok(launcher_main());
    }
    let runs: usize = word.map_or(Ok(10_000), |word| word.parse())?;
    let launcher = LauncherCommand {
        program: env::current_exe()?,
        arguments: vec![LAUNCH.into()],
    };
    let mounts_outside = mounts();
    let waived = [Layer::MemoryCgroup, Layer::CpuClock];
    let runner = StrictRunner::start(&launcher, &waived)?;
    let folder = env::temp_dir().join(format!("endurance-{}", std::process::id()));
    for thread in 0..THREADS {
        fs::create_dir_all(folder.join(thread.to_string()).join("box"))?;
    }
    series(&runner, &folder, WARM)?;
    let before = sizes();
    let begun = Instant::now();
    series(&runner, &folder, runs)?;
    let took = begun.elapsed().as_secs_f64();
    let mut after = sizes();
    let launchers = processes();
    drop(runner);
    fs::remove_dir_all(&folder)?;
    let mut rows: Vec<(String, u64, u64)> = before
        .into_iter()
        .map(|(name, before)| {
            let after = after.remove(&name).unwrap_or_default();
            (name, before, after)
        })
        .collect();
    for (name, before, after) in [
        ("processes at the end", 0, processes().len() as u64),
        ("mounts at the end", mounts_outside, mounts()),
        ("control groups at the end", 0, groups(&launchers)),
    ] {
        rows.push((name.to_owned(), before, after));
    }
    println!(
        "{runs} runs in {took:.1} s, {:.2} ms each, {THREADS} at a time",
        took * 1e3 / runs as f64
    );
    println!("{:<32}{:>10}{:>10}", "", "before", "after");
    let mut grew = false;
    for (name, before, after) in rows {
        let slack = if name.ends_with("KiB") { SLACK } else { 0 };
        let more = after > before + slack;
        grew |= more;
        let mark = if more { "  grew" } else { "" };
        println!("{name:<32}{before:>10}{after:>10}{mark}");
    }
    Ok(ExitCode::from(u8::from(grew)))
}

fn series(runner: &StrictRunner, folder: &Path, runs: usize) -> Result<(), String> {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let folder = folder.join(thread.to_string());
                scope.spawn(move || {
                    (0..runs / THREADS).try_for_each(|run| one(runner, &folder, run))
                })
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a thread panicked".to_owned())?)
    })
}

fn one(runner: &StrictRunner, folder: &Path, run: usize) -> Result<(), String> {
    let (script, breach) = SCRIPTS[run % SCRIPTS.len()];
    // Short for the script that never ends. The others are given time to start on a busy machine.
    let cpu = if breach == Some(Breach::Cpu) {
        20
    } else {
        5000
    };
    let request = Request {
        program: PathBuf::from("/bin/sh"),
        arguments: vec!["-c".into(), script.into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        directory: runner.mount(MountPoint::Work, &folder.join("box")),
        returns: Returns::Nothing,
        readable: Vec::new(),
        system: SystemFolders::Whole,
        scratch: Bytes(1 << 20),
        reserves_memory: false,
        stdin: None,
        stdout: folder.join("stdout"),
        stderr: folder.join("stderr"),
        files: Bytes(1 << 18),
        limits: Limits {
            cpu: CpuTime::from_millis(cpu),
            wall: WallTime::from_millis(20_000),
            memory: Bytes(64 << 20),
            output: Bytes(1 << 16),
            processes: 8,
        },
        core: None,
    };
    let outcome = runner
        .run(&(), &request)
        .map_err(|error| error.to_string())?;
    if outcome.breach == breach {
        Ok(())
    } else {
        Err(format!("`{script}`: {outcome:?}"))
    }
}

/// Quantities that could grow, by name.
fn sizes() -> BTreeMap<String, u64> {
    let mut sizes = BTreeMap::new();
    let mut add = |who: &str, folder: &Path| {
        let read = |name| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let status = read("status");
        let memory = status.lines().find_map(|line| {
            let number = line.strip_prefix("VmRSS:")?.strip_suffix(" kB")?;
            number.trim().parse().ok()
        });
        let open = fs::read_dir(folder.join("fd")).map_or(0, Iterator::count);
        for (what, size) in [
            ("memory, KiB", memory.unwrap_or(0)),
            ("mappings", read("maps").lines().count() as u64),
            ("descriptors", open as u64),
            ("processes", 1),
        ] {
            *sizes.entry(format!("{who}: {what}")).or_default() += size;
        }
    };
    add("grader", Path::new("/proc/self"));
    for process in processes() {
        add("launchers and holders", &process);
    }
    sizes.insert("mounts".to_owned(), mounts());
    sizes.insert("control groups".to_owned(), groups(&processes()));
    sizes
}

/// Launchers and their descendants, by their folders in `/proc`.
fn processes() -> Vec<PathBuf> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| {
            // Holders are forks of launchers and share their command line.
            fs::read(path.join("cmdline")).is_ok_and(|line| {
                let mut words = line.split(|&byte| byte == 0);
                words
                    .next()
                    .is_some_and(|name| name.ends_with(b"endurance"))
                    && words.next() == Some(LAUNCH.as_bytes())
            })
        })
        .collect()
}

fn mounts() -> u64 {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    mounts.lines().count() as u64
}

/// These launchers' control groups, anywhere in the hierarchy, but not other graders'.
fn groups(launchers: &[PathBuf]) -> u64 {
    let prefixes: Vec<String> = launchers
        .iter()
        .filter_map(|process| process.file_name()?.to_str())
        .map(|pid| format!("bitcraft-{pid}-"))
        .collect();
    let mut found = 0;
    let mut waiting = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                found += u64::from(prefixes.iter().any(|prefix| name.starts_with(prefix)));
                waiting.push(entry.path());
            }
        }
    }
    found
}
