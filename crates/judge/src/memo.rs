//! Results of work by its key.

use std::any::Any;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use grader_model::{Bytes, LanguageId};

use crate::Fault;
use crate::constants::{ENTRY_BYTES, MAX_KEPT_BYTES};
use crate::hash::hash_bytes;
use crate::lock::{locked, wait};

/// A hash of all that some work reads, and of what kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(blake3::Hash);

impl Key {
    /// The key of work of a kind that reads these parts.
    pub(crate) fn of<'p>(kind: &'p str, parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        Self(hash_bytes([kind.as_bytes()].into_iter().chain(parts)))
    }
}

/// Results, up to a number of bytes.
#[derive(Default)]
pub(crate) struct Memo {
    cells: Mutex<HashMap<Key, Arc<Cell>>>,
    /// Bytes of all results that a search may forget.
    bytes: AtomicU64,
}

/// Some work, and those who wait for it.
#[derive(Default)]
struct Cell {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    Unknown,
    Running,
    Known(Result<Done, Fault>),
}

/// The result of some work.
#[derive(Clone)]
pub(crate) struct Done {
    /// Of the type that its task has, whose kind is a part of the key.
    result: Arc<dyn Any + Send + Sync>,
    /// Its bytes, if a search may forget it.
    size: Option<u64>,
    /// The languages of the author's programs that it needed.
    pub(crate) languages: BTreeSet<LanguageId>,
}

impl Done {
    pub(crate) fn new(
        result: impl Any + Send + Sync,
        size: Option<usize>,
        languages: BTreeSet<LanguageId>,
    ) -> Self {
        Self {
            result: Arc::new(result),
            size: size.map(|it| (it + ENTRY_BYTES) as u64),
            languages,
        }
    }

    /// The result, of the type that its work has.
    pub(crate) fn result<T: Clone + 'static>(&self) -> T {
        let result = self.result.downcast_ref::<T>();
        result.expect("a key names the kind of its work").clone()
    }
}

/// Whoever waits is woken even if the work panics.
struct Running<'a>(&'a Cell);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = locked(&self.0.state);
        if matches!(*state, State::Running) {
            *state = State::Unknown;
        }
        self.0.changed.notify_all();
    }
}

impl Memo {
    /// The result with this key. If it is not known, does the work, once more if it fails, so that a transient fault does not
    /// become a judge error. A failure is kept, too. Whoever waits for another's work stops as soon as they must.
    pub(crate) fn get(
        &self,
        key: Key,
        must_stop: impl Fn() -> bool,
        work: impl Fn() -> Result<Done, Fault>,
    ) -> Result<Done, Fault> {
        let cell = locked(&self.cells).entry(key).or_default().clone();
        let mut state = locked(&cell.state);
        loop {
            match &*state {
                State::Known(known) => return known.as_ref().cloned().map_err(Fault::copy),
                _ if must_stop() => return Err(Fault::Stopped),
                State::Running => state = wait(&cell.changed, state),
                State::Unknown => break,
            }
        }
        *state = State::Running;
        drop(state);
        let running = Running(&cell);
        let done = match work() {
            Err(_) if must_stop() => Err(Fault::Stopped),
            Err(_) => work(),
            done => done,
        };
        if matches!(done, Err(Fault::Stopped)) {
            return done;
        }
        let done = done.and_then(|done| self.count(done));
        let copy = done.as_ref().cloned().map_err(Fault::copy);
        *locked(&cell.state) = State::Known(done);
        drop(running);
        copy
    }

    /// Whether some work is done or in progress.
    pub(crate) fn has(&self, key: &Key) -> bool {
        locked(&self.cells).contains_key(key)
    }

    /// Keeps a result, unless there is one.
    pub(crate) fn keep(&self, key: Key, done: Done) -> Result<(), Fault> {
        let cell = locked(&self.cells).entry(key).or_default().clone();
        let mut state = locked(&cell.state);
        if matches!(*state, State::Unknown) {
            *state = State::Known(Ok(self.count(done)?));
        }
        Ok(())
    }

    /// Counts the bytes of a result.
    ///
    /// # Errors
    /// If all that is kept becomes too large; this result does not count then.
    fn count(&self, done: Done) -> Result<Done, Fault> {
        let size = done.size.unwrap_or_default();
        if self.bytes.fetch_add(size, Ordering::Relaxed) + size > MAX_KEPT_BYTES {
            self.bytes.fetch_sub(size, Ordering::Relaxed);
            let max = Bytes(MAX_KEPT_BYTES);
            return Err(Fault::Other(format!(
                "the generated inputs and the reference's answers are larger than {max} together"
            )));
        }
        Ok(done)
    }

    /// Forgets a result.
    pub(crate) fn forget(&self, key: &Key) {
        if let Some(cell) = locked(&self.cells).remove(key) {
            self.discount(&cell);
        }
    }

    /// Forgets everything, while nothing is in progress.
    pub(crate) fn forget_all(&self) {
        locked(&self.cells).clear();
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Whether what may be forgotten takes half of the memory that it may take.
    pub(crate) fn is_half_full(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) > MAX_KEPT_BYTES / 2
    }

    /// Forgets what a search may forget if that takes half of the memory that it may take.
    pub(crate) fn forget_if_full(&self) {
        if self.is_half_full() {
            locked(&self.cells).retain(|_, cell| !self.discount(cell));
        }
    }

    /// No longer counts what a search may forget. Returns whether this is such a result; so is a failure.
    fn discount(&self, cell: &Cell) -> bool {
        let size = match &*locked(&cell.state) {
            State::Known(Ok(done)) => done.size,
            State::Known(Err(_)) => Some(0),
            State::Running | State::Unknown => None,
        };
        self.bytes
            .fetch_sub(size.unwrap_or_default(), Ordering::Relaxed);
        size.is_some()
    }
}
