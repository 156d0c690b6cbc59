//! The sandbox's own limits and intervals. [`crate::Request`] has the configurable ones.

use std::time::Duration;

// Waiting for launchers.

/// How long a launcher may take to create its namespaces and try every layer: mounts are slow on a busy machine.
pub(crate) const MAX_LAUNCHER_START: Duration = Duration::from_secs(60);
/// How much longer than the run's wall limit a launcher may take to answer: it copies files and kills remaining
/// processes.
pub(crate) const MAX_LAUNCHER_DELAY: Duration = Duration::from_secs(120);
/// How long a dismissed launcher may take to end: it may first have to kill a run and remove control groups.
pub(crate) const MAX_LAUNCHER_END: Duration = Duration::from_secs(30);
/// How often a gate is asked whether to end its program.
pub(crate) const CANCEL_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum size of a message, without its descriptors: several times as much as the kernel accepts as arguments and
/// environment of a program. The first four bytes of any line of text, taken as a size, are more.
pub(crate) const MAX_MESSAGE_BYTES: usize = 64 << 20;

// Ending processes.

/// How long processes may take to die of SIGKILL: only a hung device takes this long.
pub(crate) const MAX_DEATH: Duration = Duration::from_secs(20);
/// Interval between rounds of killing descendants, without a control group that kills all at once.
pub(crate) const KILL_INTERVAL: Duration = Duration::from_micros(500);
/// How long the members of a control group may take to die before its folder is left to the next launcher: 200
/// processes take 10 ms.
pub(crate) const MAX_GROUP_REMOVAL: Duration = Duration::from_secs(1);
/// Attempts to remove a folder into which a program that is being killed may still write.
pub(crate) const MAX_REMOVAL_ATTEMPTS: usize = 5;

// Limits of every program.

/// Open files of a program.
pub(crate) const MAX_OPEN_FILES: u64 = 256;
/// Pending signals and timers of a program: kernel memory that no other limit covers.
pub(crate) const MAX_SIGNALS: u64 = 256;
/// Limit on a user's processes and threads if not all of them are the run's: a safeguard against fork bombs.
pub(crate) const MAX_TASKS_OF_USER: u64 = 8192;
/// Seconds of CPU time beyond the limit after which the kernel itself kills a process.
pub(crate) const CPU_BACKSTOP_SECONDS: u64 = 2;

// What the machine must allow for these limits to be set.

/// Seconds of CPU time of a process: no problem may ask for so many.
pub(crate) const LEAST_HARD_CPU_SECONDS: u64 = 3600;
/// Size of a file: no problem may ask for so much.
pub(crate) const LEAST_HARD_FILE: u64 = 4 << 30;

// Watching a run.

/// Shortest and longest time between two readings of the CPU clock and of memory events.
pub(crate) const MIN_WATCH_INTERVAL: Duration = Duration::from_millis(1);
pub(crate) const MAX_WATCH_INTERVAL: Duration = Duration::from_millis(100);
/// Size of the buffer between a program's pipe and the output file.
pub(crate) const CHUNK_BYTES: usize = 64 * 1024;
/// Output moved between two readings of the clock.
pub(crate) const MAX_PUMPED_BYTES: u64 = 1 << 20;

// Files of a run.

/// Files and folders that a run may create in its scratch tmpfs.
pub(crate) const SCRATCH_INODES: u64 = 8192;
/// Names that are copied back if the wanted file is missing: enough for a message.
pub(crate) const MAX_RETURNED_NAMES: usize = 100;
/// Depth of the folders that are copied back.
pub(crate) const MAX_RETURNED_DEPTH: usize = 32;
/// Size of the root file system: most of its files are empty, and the run time of compiled programs takes some 6 MiB.
pub(crate) const ROOT_BYTES: u64 = 64 << 20;
/// Files and folders in the root file system.
pub(crate) const ROOT_INODES: u64 = 4096;
/// Pages that may remain charged to a control group before a run. More, such as page cache or a tmpfs that is being
/// removed, would appear in the next peak.
pub(crate) const MAX_STALE_BYTES: u64 = 512 << 10;
/// Unused user ids that level `basic` needs to change users: an id must not be reused while files of its earlier run
/// may remain.
pub(crate) const MIN_USER_IDS: usize = 4096;
