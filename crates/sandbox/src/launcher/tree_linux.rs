//! Descendants as `/proc` shows them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::system::{self, Pid};

/// What is known of the launcher's descendants.
pub(in crate::launcher) struct Tree {
    launcher: Pid,
    source: Source,
    tick: Duration,
    page: u64,
    /// Own CPU time, in ticks, of every process that was ever seen, by process id and start time.
    seen: HashMap<(Pid, u64), u64>,
    cpu: Duration,
    memory: u64,
    /// Memory of all together at the look before.
    previous: u64,
}

/// Where the descendants are read from.
#[derive(Clone, Copy)]
enum Source {
    /// Each thread's list of children.
    Children,
    /// The parent of every process on the machine: for kernels without `CONFIG_PROC_CHILDREN`.
    Parents,
    /// `/proc` is not mounted.
    Nothing,
}

/// Most processes that one look takes in.
const MOST: usize = 4096;

/// One process at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    pid: Pid,
    parent: Pid,
    /// Its process group.
    group: Pid,
    /// Its start time since boot, in ticks: with the process id it names a process for good.
    start: u64,
    /// Ended, but not reaped.
    zombie: bool,
    /// Its own CPU time in ticks.
    own: u64,
    /// CPU time of the children that it reaped, in ticks.
    reaped: u64,
    /// Resident pages.
    pages: u64,
}

impl Tree {
    pub(in crate::launcher) fn new() -> Self {
        let launcher = std::process::id() as Pid;
        let source = if Path::new(&format!("/proc/self/task/{launcher}/children")).exists() {
            Source::Children
        } else if Path::new("/proc/self/stat").exists() {
            Source::Parents
        } else {
            Source::Nothing
        };
        let ticks_a_second = system::configured(libc::_SC_CLK_TCK).unwrap_or(100);
        Self {
            launcher,
            source,
            tick: Duration::from_nanos(1_000_000_000 / ticks_a_second),
            page: system::configured(libc::_SC_PAGESIZE).unwrap_or(4096),
            seen: HashMap::new(),
            cpu: Duration::ZERO,
            memory: 0,
            previous: 0,
        }
    }

    /// CPU time of all so far, in whole ticks while they live; never more than it was.
    pub(in crate::launcher) fn cpu(&self) -> Duration {
        self.cpu
    }

    /// Largest memory of all together that was seen, in bytes.
    pub(in crate::launcher) fn memory(&self) -> u64 {
        self.memory
    }

    /// Looks at all of them.
    pub(in crate::launcher) fn look(&mut self) -> io::Result<()> {
        // Before the living: a process that is reaped in between is then missed once, not counted twice.
        let charged = system::usage_of_children()?.cpu;
        let processes = self.processes();
        self.remember(&processes);
        let living: u64 = processes.iter().map(|p| p.own + p.reaped).sum();
        self.raise_cpu(charged + self.time(living));
        self.measure_memory(&processes);
        Ok(())
    }

    /// Takes the final figures, when all of them have been reaped.
    pub(in crate::launcher) fn settle(&mut self) -> io::Result<()> {
        let charged = system::usage_of_children()?.cpu;
        self.raise_cpu(charged);
        Ok(())
    }

    /// Kills all that can be found now. More may have been started meanwhile.
    pub(in crate::launcher) fn kill(&mut self) -> io::Result<()> {
        self.kill_groups()?;
        let processes = self.processes();
        self.remember(&processes);
        for process in processes.iter().filter(|process| !process.zombie) {
            let is_still = || read_process(process.pid).is_some_and(|p| p.start == process.start);
            system::kill_pinned(process.pid, is_still)?;
        }
        Ok(())
    }

    /// Kills the process groups of our children, without looking further.
    ///
    /// A chain whose every link starts the next and ends outruns any walk over single processes, but not the death
    /// of its group. A group of a child of ours, ended or not, keeps its number until we reap the child.
    fn kill_groups(&self) -> io::Result<()> {
        let own = read_process(self.launcher).map(|launcher| launcher.group);
        let groups: BTreeSet<Pid> = children_of(self.launcher)
            .into_iter()
            .take(MOST)
            .filter_map(read_process)
            .map(|process| process.group)
            .filter(|group| *group > 1 && Some(*group) != own)
            .collect();
        groups.into_iter().try_for_each(system::kill_group)
    }

    fn time(&self, ticks: u64) -> Duration {
        self.tick
            .saturating_mul(ticks.try_into().unwrap_or(u32::MAX))
    }

    /// Keeps what each process used, for those that the kernel will charge to nobody.
    fn remember(&mut self, processes: &[Process]) {
        for process in processes {
            let ticks = self.seen.entry((process.pid, process.start)).or_default();
            *ticks = process.own.max(*ticks);
        }
    }

    fn raise_cpu(&mut self, cpu: Duration) {
        let seen = self.seen.values().sum();
        self.cpu = self.cpu.max(cpu).max(self.time(seen));
    }

    fn measure_memory(&mut self, processes: &[Process]) {
        let bytes = |process: &Process| process.pages * self.page;
        let largest = processes.iter().map(bytes).max().unwrap_or(0);
        self.memory = self.memory.max(largest);
        let mut together: u64 = processes.iter().map(bytes).sum();
        if processes.len() > 1 && together > self.memory {
            // Pages that a fork shares must not count twice; asking is slow, so only when it matters.
            together = processes
                .iter()
                .map(|process| proportional(process.pid).unwrap_or_else(|| bytes(process)))
                .sum();
        }
        // Twice in a row, because a vfork shows one memory in two processes for a moment.
        self.memory = self.memory.max(together.min(self.previous));
        self.previous = together;
    }

    fn processes(&self) -> Vec<Process> {
        match self.source {
            Source::Children => self.by_children(),
            Source::Parents => self.by_parents(),
            Source::Nothing => Vec::new(),
        }
    }

    fn by_children(&self) -> Vec<Process> {
        let mut found = Vec::new();
        // A process that gets a new parent during the walk can show up twice.
        let mut known = HashSet::new();
        let mut open = vec![self.launcher];
        while let Some(parent) = open.pop() {
            for pid in children_of(parent) {
                // Else a chain of processes could be followed for ever.
                if found.len() == MOST {
                    return found;
                }
                if known.insert(pid)
                    && let Some(process) = read_process(pid)
                {
                    found.push(process);
                    open.push(pid);
                }
            }
        }
        found
    }

    fn by_parents(&self) -> Vec<Process> {
        let mut rest: Vec<Process> = numbers_in("/proc")
            .into_iter()
            .filter_map(read_process)
            .collect();
        let mut found: Vec<Process> = Vec::new();
        let mut parents = HashSet::from([self.launcher]);
        loop {
            let (children, others): (Vec<_>, Vec<_>) = rest
                .into_iter()
                .partition(|process| parents.contains(&process.parent));
            if children.is_empty() {
                return found;
            }
            parents = children.iter().map(|process| process.pid).collect();
            found.extend(children);
            rest = others;
        }
    }
}

/// The children of all threads of a process; none when it is gone.
fn children_of(pid: Pid) -> Vec<Pid> {
    numbers_in(&format!("/proc/{pid}/task"))
        .into_iter()
        .filter_map(|task| fs::read_to_string(format!("/proc/{pid}/task/{task}/children")).ok())
        .flat_map(|list| {
            let pids: Vec<Pid> = list
                .split_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .collect();
            pids
        })
        .collect()
}

/// The entries of a folder whose names are numbers.
fn numbers_in(folder: &str) -> Vec<Pid> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect()
}

/// Reads `/proc/<pid>/stat`; nothing when it is gone.
fn read_process(pid: Pid) -> Option<Process> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse_process(pid, &stat)
}

fn parse_process(pid: Pid, stat: &[u8]) -> Option<Process> {
    // The second field is the name, chosen by the program, in parentheses: it may hold anything.
    let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
    let text = str::from_utf8(&stat[after..]).ok()?;
    let fields: Vec<&str> = text.split_whitespace().collect();
    // Numbered from 1 in proc(5), where the first field here is the third.
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    Some(Process {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        start: field(22)?,
        zombie: matches!(*fields.first()?, "Z" | "X"),
        own: field(14)? + field(15)?,
        reaped: field(16)? + field(17)?,
        pages: field(24)?,
    })
}

/// Resident memory of a process, in bytes, where a page that is shared counts by its share.
fn proportional(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_cannot_forge_its_figures_by_its_name() {
        let stat =
            b"7 (a) R 1 (b)) S 3 7 7 0 -1 4194560 100 0 0 0 12 5 30 4 20 0 1 0 6667 2703360 225 \
            18446744073709551615 0 0";
        assert_eq!(
            parse_process(7, stat),
            Some(Process {
                pid: 7,
                parent: 3,
                group: 7,
                start: 6667,
                zombie: false,
                own: 17,
                reaped: 34,
                pages: 225,
            })
        );
    }

    #[test]
    fn both_ways_of_finding_descendants_agree() {
        let mut child = std::process::Command::new("sleep")
            .arg("600")
            .spawn()
            .unwrap();
        let tree = Tree::new();
        let start_of = |processes: Vec<Process>| {
            processes
                .into_iter()
                .find(|process| process.pid == child.id() as Pid)
                .map(|process| (process.pid, process.parent, process.start))
        };
        // The kernel's list of children can miss one while another ends, as those of the test beside this one do:
        // the launcher looks again and again, and so does this.
        let children = (0..1000).find_map(|_| start_of(tree.by_children()));
        let parents = start_of(tree.by_parents());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(children.is_some());
        assert_eq!(children, parents);
    }
}
