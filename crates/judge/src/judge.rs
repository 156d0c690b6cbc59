//! The judge.

use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use grader_language::{Command, Token};
use grader_model::{Isolation, ReferenceTime, SourceFile};
use grader_sandbox::{Core, Runner};

use crate::after_some::AfterSome;
use crate::author_cache::AuthorCache;
use crate::batch_size::BatchSize;
use crate::cache::ResultCache;
use crate::constants::{COMPILED_BEFORE_ARCHIVE, COMPILED_BEFORE_HEADER, LARGE_ANSWER_BYTES};
use crate::lock::locked;
use crate::memo::Memo;
use crate::places::Places;
use crate::precompiled::PrecompiledHeader;
use crate::run_lock::RunLock;
use crate::workspace::{RunFolder, SpareFolders};
use crate::{Fault, Part, Scratch, Stop};

/// Returns the command for a reference built into the grader, without the case's arguments.
pub type BuiltinCommand = dyn Fn(&str) -> Command + Send + Sync;

/// The name under which shared cores are reported as a missing isolation layer.
const OWN_CORES: &str = "own-cores";

/// Configuration of a [`Judge`].
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Settings {
    /// Runs programs.
    pub runner: Arc<dyn Runner>,
    /// The references built into the grader.
    pub builtin: Arc<BuiltinCommand>,
    /// Number of programs that run in parallel, at least 1.
    pub workers: usize,
    /// Whether a worker interleaves submissions: while one runs, another compiles, and the next run is prepared. If
    /// false, a worker judges one at a time.
    pub overlaps: bool,
    /// Whether to skip cases that cannot change the points, for a student who waits: those after the first failure in a
    /// subtask that needs all of its cases.
    pub stops_early: bool,
    /// Whether programs are searched for undefined behaviour, as far as their problem wants it.
    pub explains_undefined: bool,
    /// The core of each worker's programs and compilers. If there are fewer cores than workers, nothing is pinned.
    pub cores: Vec<Core>,
    /// Whether another grader uses some of these cores; reported in the results.
    pub shares_cores: bool,
    /// The request to stop.
    pub stop: Stop,
    /// Stores the results of jobs and finds those of earlier runs, if results are stored.
    pub cache: Option<Arc<dyn ResultCache>>,
    /// What earlier runs built: the programs of problems' authors, samples included, or those that a search needs.
    pub author_cache: Option<AuthorCache>,
    /// Whether references, generators, validators and checkers are built again, whatever earlier runs built: what they decide may
    /// change points later.
    pub fresh_authors: bool,
    /// Where programs are kept that are built, for searches. Nothing of it is used here.
    pub kept_builds: Option<AuthorCache>,
    /// The part of the class to judge. The rest comes from the cache.
    pub part: Part,
    /// Hash of the grader's executable: results from a different build are not reused. Used only with a cache.
    pub grader: String,
}

/// Judges submissions. See the crate's theory of operation.
pub struct Judge {
    pub(crate) settings: Settings,
    spare: SpareFolders,
    scratch: Scratch,
    /// Locked by the thread that has a large answer in memory, unless it runs exclusively.
    large: Mutex<()>,
    pub(crate) run_lock: RunLock,
    /// See [`crate::javac_archive`].
    pub(crate) java_archive: AfterSome<PathBuf>,
    pub(crate) precompiled_header: AfterSome<PrecompiledHeader>,
    /// The places of each worker.
    pub(crate) places: Vec<Places>,
    /// Work that was done.
    pub(crate) memo: Memo,
    /// Measurements of references that have not been reported yet.
    pub(crate) measured: Mutex<Vec<ReferenceTime>>,
    /// The runs of references in a search.
    pub(crate) reference_batches: BatchSize,
}

/// Permission to keep an answer, or a source's tokens, in memory; only one large one at a time. A thread that runs
/// exclusively must not wait for it: the holder may be waiting for a core.
pub(crate) type LargeAnswer<'a> = Option<MutexGuard<'a, ()>>;

/// Memory per token; a token may be a single byte of a source.
const TOKEN_BYTES: u64 = size_of::<Token<'_>>() as u64;

impl Judge {
    /// A judge that works in an existing temporary folder.
    pub fn with_scratch(settings: Settings, scratch: Scratch) -> Self {
        settings.runner.guard(scratch.path());
        let workers = settings.workers.max(1);
        let places = || Places::new(settings.overlaps);
        Self {
            run_lock: RunLock::new(workers),
            places: std::iter::repeat_with(places).take(workers).collect(),
            settings,
            java_archive: AfterSome::new(COMPILED_BEFORE_ARCHIVE),
            precompiled_header: AfterSome::new(COMPILED_BEFORE_HEADER),
            spare: SpareFolders::default(),
            scratch,
            large: Mutex::new(()),
            memo: Memo::default(),
            measured: Mutex::default(),
            reference_batches: BatchSize::default(),
        }
    }

    /// Its temporary folder, for code that must end the process without dropping the judge.
    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }

    /// A folder for a run.
    pub(crate) fn run_folder(&self) -> Result<RunFolder<'_>, Fault> {
        self.spare.take(self.folder(), self.runner())
    }

    pub(crate) fn runner(&self) -> &dyn Runner {
        self.settings.runner.as_ref()
    }

    /// The isolation of programs, including whether other graders disturb their times.
    pub(crate) fn isolation(&self) -> Isolation {
        let mut isolation = self.runner().isolation();
        if self.settings.shares_cores {
            isolation.missing.push(OWN_CORES.to_owned());
        }
        isolation
    }

    pub(crate) fn builtin(&self, name: &str) -> Command {
        (self.settings.builtin)(name)
    }

    /// Waits for permission to keep an answer of this many bytes in memory.
    pub(crate) fn large_answer(&self, bytes: u64) -> LargeAnswer<'_> {
        (bytes > LARGE_ANSWER_BYTES).then(|| locked(&self.large))
    }

    /// How many programs run at a time, at least 1.
    pub fn workers(&self) -> usize {
        self.settings.workers.max(1)
    }

    /// Waits for permission to keep the tokens of these sources in memory.
    pub(crate) fn large_source(&self, sources: &[SourceFile]) -> LargeAnswer<'_> {
        let bytes: u64 = sources.iter().map(|it| it.bytes.len() as u64).sum();
        self.large_answer(bytes * TOKEN_BYTES)
    }

    /// What an earlier grader noted under these words, if it is still there. Nothing of it may change points.
    pub fn noted(&self, words: &[&str]) -> Option<Vec<u8>> {
        let cache = self.settings.author_cache.as_ref()?;
        cache.find(&cache.key(words.iter().map(|it| it.as_bytes())))
    }

    /// Notes something for a later grader, if possible.
    pub fn note(&self, words: &[&str], content: &[u8]) {
        if let Some(cache) = &self.settings.author_cache {
            cache.keep(&cache.key(words.iter().map(|it| it.as_bytes())), content);
        }
    }

    /// Takes the measurements of references that have not been reported yet.
    pub(crate) fn take_measured(&self) -> Vec<ReferenceTime> {
        mem::take(&mut *locked(&self.measured))
    }

    pub(crate) const fn stop(&self) -> &Stop {
        &self.settings.stop
    }

    /// # Errors
    /// [`Fault::Stopped`] if somebody asks to stop.
    pub(crate) fn check_stop(&self) -> Result<(), Fault> {
        if self.stop().is_requested() {
            return Err(Fault::Stopped);
        }
        Ok(())
    }
}
