//! Time in which a run waited for a processor and none of its processes ran.

use std::fs;
use std::time::Duration;

use crate::system::Pid;

/// Parses the kernel's `full avg10=… avg60=… avg300=… total=…`, the total in microseconds: the time in which some task
/// of a control group was ready to run but none ran (`Documentation/accounting/psi.rst`). `None` before Linux 5.13.
pub(crate) fn full_total(text: &str) -> Option<Duration> {
    let full = text.lines().find_map(|line| line.strip_prefix("full "))?;
    let total = full
        .split_whitespace()
        .find_map(|field| field.strip_prefix("total="))?;
    Some(Duration::from_micros(total.parse().ok()?))
}

/// A lower bound of the same for these processes and their descendants. `None` if the kernel does not count it, or the
/// processes have ended.
pub(crate) fn of_tree(mut processes: Vec<Pid>) -> Option<Duration> {
    let (mut tasks, mut next) = (Vec::new(), 0);
    while let Some(pid) = processes.get(next) {
        for task in fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
            let read = |file: &str| fs::read_to_string(task.path().join(file)).unwrap_or_default();
            let children = read("children");
            processes.extend(children.split_whitespace().flat_map(str::parse::<Pid>));
            tasks.extend(times(&read("schedstat")));
        }
        next += 1;
    }
    waited(&tasks)
}

/// CPU time and waiting time of a task: the first two numbers of its `schedstat`, in nanoseconds.
fn times(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text.split_whitespace().map(str::parse);
    let (ran, waited) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    // A kernel that does not count reports zeros.
    (ran > 0).then_some((ran, waited))
}

/// How long a run has waited, from CPU time and waiting time of each task. Waiting for another task of the same run
/// does not count: programs must not excuse themselves.
fn waited(tasks: &[(u64, u64)]) -> Option<Duration> {
    let all: u64 = tasks.iter().map(|(ran, _)| ran).sum();
    let for_others = tasks
        .iter()
        .map(|(ran, waited)| waited.saturating_sub(all - ran));
    for_others.max().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_of_all_tasks_is_parsed() {
        let text = "some avg10=99.59 avg60=99.16 avg300=84.19 total=3705132401\n\
                    full avg10=0.00 avg60=0.00 avg300=0.00 total=1250\n";
        assert_eq!(full_total(text), Some(Duration::from_micros(1250)));
        for text in ["", "some total=1\n", "full avg10=0.00\n", "full total=x\n"] {
            assert_eq!(full_total(text), None, "{text:?}");
        }
    }

    #[test]
    fn waiting_for_tasks_of_the_same_run_does_not_count() {
        let ms = |millis: u64| millis * 1_000_000;
        // CPU time and waiting of each task, and the waiting for others.
        for (tasks, expected) in [
            (&[(100, 900)][..], Some(900)),
            (&[(500, 500), (500, 500)], Some(0)),
            (&[(100, 700), (200, 900)], Some(800)),
            (&[], None),
        ] {
            let tasks: Vec<_> = tasks.iter().map(|it| (ms(it.0), ms(it.1))).collect();
            assert_eq!(
                waited(&tasks),
                expected.map(Duration::from_millis),
                "{tasks:?}"
            );
        }
        assert_eq!(times("98965 71955 1\n"), Some((98965, 71955)));
        assert_eq!(times("0 0 0\n"), None);
    }
}
