//! One count: what the command line asks for, as a plan that is driven to its end.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use super::arguments::{CheckpointArguments, Way};
use super::attendant::{Attendant, Keeper};
use super::interrupt::{self, Heed};
use crate::Error;
use crate::checkpoint::{Checkpoint, CheckpointError, CheckpointFile};
use crate::driver::{Tally, Unwatched, drive};
use crate::error::Kept;
use crate::host::Simd;
use crate::method::{self, Choice, Method};
use crate::progress::ProgressLine;

/// The fewest queens for which a count may take long enough to be looked after.
const LONG: u32 = 14;

/// Counts all solutions for `n` queens.
pub(super) fn all(n: u32, way: &Way, kept: Option<&CheckpointArguments>) -> Result<u64, Error> {
    let simd = way.simd.unwrap_or_else(Simd::widest);
    let file = kept
        .and_then(|kept| kept.path.as_deref())
        .map(CheckpointFile::open)
        .transpose()?;
    let saved = match &file {
        Some(file) => file.load()?,
        None => None,
    };
    let Choice { method, reason } = choose(n, simd, way.method, saved.as_ref());
    if n < method.least() {
        return Err(Error::TooFew { method, n });
    }
    if file.is_some() && !method.has_parts() {
        return Err(Error::InOneGo { method });
    }

    check_memory(n, method)?;
    let plan = method.plan(n, simd);
    let parts = plan.parts();
    let tally = match (saved, &file) {
        (Some(saved), Some(file)) => {
            saved
                .expect(n, method, parts)
                .map_err(|fault| CheckpointError::Content {
                    path: file.named().to_owned(),
                    fault,
                })?;
            saved.tally
        }
        _ => Tally::default(),
    };
    if way.explain {
        explain(n, way, method, simd, parts, reason);
    }

    let shown = n >= LONG && io::stderr().is_terminal();
    if !method.has_parts() || !(shown || file.is_some()) {
        // Nothing would be left behind by a Ctrl-C, so it need not be heeded.
        let tally = drive(&*plan, way.threads, tally, &mut Unwatched);
        return Ok(plan.total(tally.sum()));
    }

    let every = kept.map_or(Duration::ZERO, |kept| Duration::from_secs(kept.every));
    let keeper = file
        .map(|file| {
            let checkpoint = Checkpoint {
                n,
                method,
                parts,
                tally: tally.clone(),
            };
            Keeper::new(file, checkpoint, every)
        })
        .transpose()?;
    interrupt::leave_cleanly();
    let heed = keeper.as_ref().map(|_| Heed::new());
    let start = Instant::now();
    let mut attendant = Attendant {
        clock: &|| start.elapsed(),
        requested: &|| heed.is_some() && interrupt::requested(),
        terminal: &mut io::stderr(),
        line: shown.then(|| ProgressLine::new(parts, tally.parts())),
        keeper,
    };
    let tally = drive(&*plan, way.threads, tally, &mut attendant);
    attendant.clear();
    let saved = attendant
        .keeper
        .map(|mut keeper| (keeper.path(), keeper.save(&tally)));
    drop(heed);
    let counted = tally.parts();
    match saved {
        Some((path, saved)) if counted < parts => {
            let kept = match saved {
                Ok(()) => Kept::In(path),
                Err(error) => Kept::Not(error),
            };
            return Err(Error::Interrupted {
                counted,
                parts,
                kept,
            });
        }
        // The number is known all the same.
        Some((_, Err(error))) => _ = writeln!(io::stderr(), "count: {error}"),
        Some((_, Ok(()))) | None => {}
    }
    Ok(plan.total(tally.sum()))
}

/// The method that is asked for; or else that of the checkpoint, or else the best.
fn choose(n: u32, simd: Simd, asked: Option<Method>, saved: Option<&Checkpoint>) -> Choice {
    match (asked, saved) {
        (Some(method), _) => Choice {
            method,
            reason: "it is asked for",
        },
        (None, Some(saved)) if saved.n == n => Choice {
            method: saved.method,
            reason: "the checkpoint was begun with it",
        },
        (None, _) => method::choose(n, simd),
    }
}

/// Says how it is counted, and why so; whether anybody reads it is of no account.
fn explain(n: u32, way: &Way, method: Method, simd: Simd, parts: usize, reason: &str) {
    let name = method.name();
    let vectors = match (method.has_parts(), way.simd) {
        (false, _) => format!("vectors: none, because {name} works on one board at a time"),
        (true, Some(_)) => format!("vectors: {}, because it is asked for", simd.name()),
        (true, None) => {
            format!(
                "vectors: {}, because it is the widest of this processor",
                simd.name()
            )
        }
    };
    _ = write!(
        io::stderr(),
        "count: n = {n}: {name}, because {reason}\n\
         count: {vectors}\n\
         count: threads: {}, parts: {parts}\n",
        way.threads.get().min(parts)
    );
}

/// Checks that the memory for the count can be had: the count itself would end in a crash.
///
/// A system that gives more than it has is not seen through; a limit for the process is.
fn check_memory(n: u32, method: Method) -> Result<(), Error> {
    let bytes = method.memory(n);
    let had =
        usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    if had {
        Ok(())
    } else {
        Err(Error::Memory {
            n,
            method,
            megabytes: bytes / 1_000_000,
        })
    }
}
