//! Work that is done at most once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::{iter, thread};

use super::*;
use crate::Fault;
use crate::constants::MAX_KEPT_BYTES;
use crate::lab::{Key, Lab, Task, Trace};

/// Work that counts how often it is done, and does it in its own way.
struct Counted<F> {
    name: &'static str,
    times: AtomicUsize,
    work: F,
}

impl<F> Counted<F> {
    fn new(name: &'static str, work: F) -> Self {
        Self {
            name,
            times: AtomicUsize::new(0),
            work,
        }
    }
}

/// A result that says how large it is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sized(u64);

impl<F: Fn(Lab<'_>, usize) -> Result<Sized, Fault>> Task for Counted<F> {
    type Out = Sized;

    fn key(&self) -> Key {
        Key::of("test", [self.name.as_bytes()])
    }

    fn run(&self, lab: Lab<'_>) -> Result<Sized, Fault> {
        let time = self.times.fetch_add(1, Ordering::SeqCst) + 1;
        (self.work)(lab, time)
    }

    fn size(result: &Sized) -> Option<usize> {
        usize::try_from(result.0).ok()
    }
}

fn judge() -> Judge {
    Setup::new(&Arc::default(), None).judge()
}

fn other(what: &str) -> Fault {
    Fault::Other(what.to_owned())
}

fn shown(result: Result<Sized, Fault>) -> String {
    result.map_or_else(|fault| fault.chain(), |it| it.0.to_string())
}

#[test]
fn work_is_done_once_for_all_who_ask_and_once_more_if_it_fails() {
    let judge = judge();
    let once = Counted::new("once", |_: Lab<'_>, time| Ok(Sized(time as u64)));
    thread::scope(|scope| {
        let asked = iter::repeat_with(|| scope.spawn(|| shown(judge.lab().get(&once))));
        let asked: Vec<_> = asked.take(8).collect();
        for it in asked {
            assert_eq!(it.join().unwrap(), "1");
        }
    });
    let shaky = Counted::new("shaky", |_: Lab<'_>, time| match time {
        1 => Err(other("first")),
        time => Ok(Sized(time as u64)),
    });
    let broken = Counted::new("broken", |_: Lab<'_>, time| {
        Err(other(&format!("failure {time}")))
    });
    for _ in 0..3 {
        assert_eq!(shown(judge.lab().get(&shaky)), "2");
        assert_eq!(shown(judge.lab().get(&broken)), "failure 2");
    }
    judge.lab().forget(&once);
    assert_eq!(shown(judge.lab().get(&once)), "2");
    judge.memo.forget_all();
    assert_eq!(shown(judge.lab().get(&once)), "3");
    assert_eq!(shown(judge.lab().get(&broken)), "failure 4");
}

#[test]
fn who_waits_hears_a_request_to_stop_and_the_end_of_a_search() {
    let judge = judge();
    let (begun, begins) = mpsc::channel();
    let (end, ended) = mpsc::channel();
    let ended = Mutex::new(ended);
    let slow = Counted::new("slow", |_: Lab<'_>, _| {
        begun.send(()).unwrap();
        ended.lock().unwrap().recv().unwrap();
        Ok(Sized(1))
    });
    thread::scope(|scope| {
        let first = scope.spawn(|| shown(judge.lab().get(&slow)));
        begins.recv().unwrap();
        let search = judge.lab().until(std::time::Instant::now());
        assert_eq!(shown(search.get(&slow)), Fault::Stopped.chain());
        judge.stop().request();
        assert_eq!(shown(judge.lab().get(&slow)), Fault::Stopped.chain());
        end.send(()).unwrap();
        // What was begun is not lost.
        assert_eq!(first.join().unwrap(), "1");
    });
    assert_eq!(shown(judge.lab().get(&slow)), "1");
}

#[test]
fn work_that_panics_is_done_by_the_next_who_asks() {
    let judge = judge();
    let bug = Counted::new("bug", |_: Lab<'_>, time| {
        assert!(time > 1, "a bug");
        Ok(Sized(time as u64))
    });
    thread::scope(|scope| {
        let first = scope.spawn(|| shown(judge.lab().get(&bug)));
        assert!(first.join().is_err());
    });
    assert_eq!(shown(judge.lab().get(&bug)), "2");
}

#[test]
fn what_is_kept_has_a_limit_and_a_search_forgets_half_of_it() {
    let judge = judge();
    let lab = judge.lab();
    let large = |name, size| Counted::new(name, move |_: Lab<'_>, _| Ok(Sized(size)));
    let (half, rest) = (
        large("half", MAX_KEPT_BYTES / 2),
        large("rest", MAX_KEPT_BYTES / 2),
    );
    assert_eq!(lab.get(&half).unwrap(), Sized(MAX_KEPT_BYTES / 2));
    // Each counts more than its bytes.
    assert_eq!(
        shown(lab.get(&rest)),
        "the generated inputs and the reference's answers are larger than 1 GiB together"
    );
    judge.memo.forget_if_full();
    assert_eq!(lab.get(&rest).unwrap(), Sized(MAX_KEPT_BYTES / 2));
    lab.forget(&rest);
    let small = large("small", 1);
    lab.get(&small).unwrap();
    judge.memo.forget_if_full();
    lab.get(&small).unwrap();
    let times = [half, rest, small].map(|it| it.times.into_inner());
    assert_eq!(times, [1, 2, 1]);
}

#[test]
fn whoever_asks_for_work_depends_on_all_that_it_read() {
    let judge = judge();
    let inner = Counted::new("inner", |lab: Lab<'_>, _| {
        lab.note(LanguageId::Python);
        Ok(Sized(1))
    });
    let outer = Counted::new("outer", |lab: Lab<'_>, _| {
        lab.note(LanguageId::C);
        lab.get(&inner)
    });
    for _ in 0..2 {
        let trace = Trace::default();
        judge.lab().noting(&trace).get(&outer).unwrap();
        let all = [LanguageId::C, LanguageId::Python];
        assert_eq!(trace.languages(), all.into());
    }
    assert_eq!(outer.times.into_inner() + inner.times.into_inner(), 2);
}
