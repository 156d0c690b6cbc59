//! The judge's own limits and intervals. Problem files have the configurable ones; those that decide a verdict, or whether
//! there is a flag, are next to their rule in [`crate::decide`].

use std::time::Duration;

use grader_model::{Bytes, CpuTime, WallTime};

// Jobs and waiting.

/// Jobs that a worker interleaves, so that its core is rarely idle.
pub(crate) const ACTIVE_JOBS_PER_WORKER: usize = 4;
/// Additional jobs per worker that may wait for another second of the clock.
pub(crate) const WAITING_JOBS_PER_WORKER: usize = 28;
/// Limit on waiting messages: if the listener is slow, workers wait, so that memory does not grow.
pub(crate) const MAX_WAITING_MESSAGES: usize = 32;
/// How often a waiting thread checks for a request to stop.
pub(crate) const STOP_POLL: Duration = Duration::from_millis(50);
/// How much later than a program we may learn of a signal that was sent to both.
pub(crate) const MAX_SIGNAL_DELAY: Duration = Duration::from_millis(500);
/// The longest wait for the clock's next second; reached only if the clock is set back meanwhile.
pub(crate) const MAX_CLOCK_WAIT: Duration = Duration::from_secs(2);

// Builds.

/// Memory limit of a compiler.
pub(crate) const COMPILER_MEMORY: Bytes = Bytes(2 << 30);
/// Limit on a compiler's processes and threads.
pub(crate) const COMPILER_PROCESSES: u32 = 64;
/// Size of a compiler's file system in memory, temporary files included.
pub(crate) const COMPILER_SCRATCH: Bytes = Bytes(512 << 20);
/// Largest file that a compiler may write.
pub(crate) const MAX_COMPILER_FILE: Bytes = Bytes(256 << 20);
/// Limit on a compiler's messages: far more than anybody reads, and little for the disk.
pub(crate) const MAX_COMPILER_OUTPUT: Bytes = Bytes(8 << 20);
/// Bytes of a compiler's messages that are searched for known mistakes.
pub(crate) const MAX_COMPILER_SEARCHED_BYTES: u64 = 256 << 10;
/// Bytes of a compiler's messages that a result keeps.
pub(crate) const MAX_COMPILER_SHOWN_BYTES: usize = 16 << 10;
/// Limit on the files and folders of a submission: half of what a run's file system in memory may contain.
pub(crate) const MAX_SOURCE_NAMES: usize = 4096;
/// A compiler that used less than this fraction (1/n) of its wall time was idle: no machine is that busy.
pub(crate) const COMPILER_IDLE_FACTOR: u32 = 20;
/// Bytes written to test whether the disk is full.
pub(crate) const DISK_TEST_BYTES: usize = 1 << 20;
/// Compilations of Java before the archive of its compiler is written, which takes as long as two of them.
pub(crate) const COMPILED_BEFORE_ARCHIVE: usize = 3;
/// Compilations with `<bits/stdc++.h>` before that is precompiled, which takes as long as two of them and 120 MB of disk.
pub(crate) const COMPILED_BEFORE_HEADER: usize = 3;

// The cache of authors' programs.

/// Limit on the cache of authors' programs.
pub(crate) const MAX_CACHE_BYTES: u64 = 512 << 20;
/// Largest entry of that cache; it is read as a whole.
pub(crate) const MAX_CACHE_ENTRY_BYTES: u64 = 16 << 20;

// Runs of submissions.

/// Scratch space for files other than the input and the answer.
pub(crate) const RUN_SPARE_SCRATCH: Bytes = Bytes(16 << 20);
/// What the smallest file takes there.
pub(crate) const PAGE_BYTES: usize = 4096;
/// Larger answers are read and checked one at a time, so that memory use does not grow with the number of workers.
pub(crate) const LARGE_ANSWER_BYTES: u64 = 16 << 20;
/// Bytes of standard error that are read.
pub(crate) const MAX_STDERR_BYTES: u64 = 64 << 10;
/// Bytes of standard error that are shown.
pub(crate) const MAX_STDERR_SHOWN_BYTES: usize = 2 << 10;
/// Largest report of a harness.
pub(crate) const MAX_REPORT_BYTES: u64 = 4 << 20;
/// Most XML nodes of a report, ten of which a test needs at most.
pub(crate) const MAX_REPORT_NODES: u32 = 100_000;
/// Maximum number of namespaces that it declares: the parser's time grows with the cube of those that are nested.
pub(crate) const MAX_REPORT_NAMESPACES: usize = 500;
/// Failed tests that a case of several tests shows.
pub(crate) const MAX_FAILED_TESTS_SHOWN: usize = 5;
/// Bytes of a case's input that a result keeps.
pub(crate) const MAX_STORED_INPUT_BYTES: usize = 1 << 10;
/// Longest input shown in a command line.
pub(crate) const MAX_TYPED_INPUT_BYTES: usize = 240;

// References.

/// CPU time limit of a reference for one case.
pub(crate) const MAX_REFERENCE_CPU: CpuTime = CpuTime(Duration::from_secs(600));
/// Memory limit of a reference.
pub(crate) const REFERENCE_MEMORY: Bytes = Bytes(4 << 30);
/// Limit on a reference's processes and threads.
pub(crate) const REFERENCE_PROCESSES: u32 = 64;
/// Bytes of standard error that are shown if a reference fails.
pub(crate) const MAX_REFERENCE_STDERR_BYTES: usize = 2 << 10;
/// Shorter times vary most, so they are measured [`SHORT_REFERENCE_RUNS`] times.
pub(crate) const SHORT_REFERENCE: CpuTime = CpuTime(Duration::from_millis(50));
/// Runs of a fast reference; the smallest time counts.
pub(crate) const SHORT_REFERENCE_RUNS: u32 = 3;

// The author's other programs.

/// CPU time limit for building an author's program.
pub(crate) const AUTHOR_COMPILE_TIME: CpuTime = CpuTime(Duration::from_secs(60));
/// Wall time in addition to three times the CPU time, for a busy machine.
pub(crate) const AUTHOR_SPARE_WALL: Duration = Duration::from_secs(30);
/// Runs of a program in one sandbox.
pub(crate) const MAX_RUNS_TOGETHER: usize = 256;
/// CPU time of all runs in one sandbox.
pub(crate) const MAX_TOGETHER: Duration = Duration::from_secs(4);
/// Larger inputs are for runs of their own.
pub(crate) const MAX_TOGETHER_INPUT_BYTES: usize = 16 << 10;
/// Limit on what an author's program writes to standard output, to standard error, and to each file.
pub(crate) const MAX_AUTHOR_OUTPUT: Bytes = Bytes(8 << 20);
/// Limit on what a generator prints.
pub(crate) const MAX_GENERATED_INPUT: Bytes = Bytes(64 << 20);
/// Limit on all generated inputs and reference answers together, which stay in memory.
pub(crate) const MAX_KEPT_BYTES: u64 = 1 << 30;
/// Memory of each of them beside its bytes.
pub(crate) const ENTRY_BYTES: usize = 512;
/// Longest input of a later pass.
pub(crate) const MAX_NEXT_INPUT_BYTES: u64 = grader_problem::MAX_NEXT_INPUT.0;
/// Bytes of a checker's message that are read.
pub(crate) const MAX_MESSAGE_READ_BYTES: u64 = 4 << 10;
/// Bytes of a line of a checker's message that are shown.
pub(crate) const MAX_MESSAGE_LINE_BYTES: usize = 200;
/// Lines of a checker's message that are shown after its first.
pub(crate) const MAX_MESSAGE_LINES: usize = 20;
/// Bytes of a validator's message that are shown.
pub(crate) const MAX_VALIDATOR_MESSAGE_BYTES: usize = 200;
/// Bytes of a program's or compiler's output that a fault quotes.
pub(crate) const MAX_FAULT_BYTES: usize = 500;
/// Longest output that `verify` feeds to a checker.
pub(crate) const MAX_PROBE_BYTES: u64 = 4 << 20;
/// Inputs and answers that `verify --fuzz` breaks for each program, the shortest.
pub(crate) const MAX_FUZZED_TEXTS: usize = 16;
/// Bytes of a broken input or answer that are shown.
pub(crate) const MAX_FUZZED_SHOWN_BYTES: usize = 60;
/// Programs that are tried before the author's part is said not to work.
pub(crate) const MAX_TRIED_PROGRAMS: usize = 2;
/// Of shorter texts, those that differ in where the white space is are one input if the answer is the same.
pub(crate) const MAX_COMPARED_WORDS_BYTES: usize = 256;
/// More digits than any type holds, and than Python converts.
pub(crate) const HUGE_DIGITS: usize = 5000;

// Interaction.

/// Least wall time limit of a recorded run: enough to show which side waits.
pub(crate) const RECORDED_WALL: WallTime = WallTime(Duration::from_secs(2));
/// Its limit is also this many times the wall time of the run that it repeats, if that came to an end by itself.
pub(crate) const RECORDED_FACTOR: u32 = 4;
/// Bytes that a side may write after the other has exited, before it gets `SIGPIPE`.
pub(crate) const MAX_UNREAD_BYTES: u64 = 1 << 20;
/// Size of the relay's buffer.
pub(crate) const RELAY_CHUNK_BYTES: usize = 16 << 10;
/// Lines that a transcript keeps from the beginning of a run.
pub(crate) const TRANSCRIPT_HEAD_LINES: usize = 4;
/// Lines that a transcript keeps from the end of a run.
pub(crate) const TRANSCRIPT_TAIL_LINES: usize = 12;
/// Bytes that a transcript keeps per line: one more than is shown.
pub(crate) const MAX_TRANSCRIPT_LINE_BYTES: usize = 101;

// Undefined behaviour.

/// CPU time of all runs with sanitizers for one submission.
pub(crate) const MAX_SANITIZED_CPU: Duration = Duration::from_secs(10);
/// Their wall time: a program that sleeps uses no CPU time.
pub(crate) const MAX_SANITIZED_WALL: Duration = Duration::from_secs(60);
/// How long sanitizers may take to start, on top of three times the program's wall time.
pub(crate) const SANITIZER_START: Duration = Duration::from_secs(5);
/// Uses without a value that are tried, each in a build of its own.
pub(crate) const MAX_SUSPECTS: usize = 4;
/// Memory of sanitizers, on top of twice the program's.
pub(crate) const SANITIZER_MEMORY_BYTES: u64 = 512 << 20;
/// Failed cases that are tried until something is found. Staff who want more get all cases, in the time above.
pub(crate) const MAX_SANITIZED_CASES: usize = 4;
/// Findings that are reported.
pub(crate) const MAX_FINDINGS: usize = 3;

// Tools that make remarks.

/// CPU time of a tool on one submission.
pub(crate) const MAX_TOOL_TIME: CpuTime = CpuTime(Duration::from_secs(60));
/// Remarks that a result keeps.
pub(crate) const MAX_TOOL_REMARKS: usize = 100;
/// Bytes of a remark that are shown.
pub(crate) const MAX_TOOL_MESSAGE_BYTES: usize = 240;

// Messages and flags.

/// Remarks on replaced files: more nobody reads.
pub(crate) const MAX_REMARKS: usize = 8;
/// Limit on the places that a flag shows: a source may have a million.
pub(crate) const MAX_FLAG_PLACES: usize = 10;
/// Limit on the tokens, answers or cases that its sentence lists.
pub(crate) const MAX_FLAG_LISTED: usize = 6;
/// Bytes of a line of the source that it shows.
pub(crate) const MAX_FLAG_EXCERPT_BYTES: usize = 100;
/// Hexadecimal digits of the hash of a behaviour.
pub(crate) const BEHAVIOUR_DIGITS: usize = 8;
/// Hashes that the behaviour of a result had before: one for each version of the grader that changed them.
pub(crate) const MAX_FORMER_BEHAVIOURS: usize = 8;
/// Bytes of a failed case's output that count in a behaviour.
pub(crate) const MAX_PRINTED_BYTES: usize = 1 << 20;
/// Bytes of a compiler's or program's words in a message about the author's part.
pub(crate) const MAX_WORDS_BYTES: usize = 300;

// Same programs.

/// Shorter programs, below about a dozen lines, are the same only if their texts are: two students who know the usual
/// solution may well write the same short program.
pub(crate) const MIN_SIMILAR_TOKENS: usize = 80;

/// Signals that a program raises by crashing: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS.
pub(crate) const CRASHES: [i32; 7] = [4, 5, 6, 7, 8, 11, 31];
