//! The ledger: the results of every run of a class, and the sources that were judged, in one `SQLite` file.
//!
//! # Theory of operation
//!
//! One file holds the runs of any number of classes and assignments. One process writes it at a time, under a lock on a
//! file beside it ([`Ledger::open`]). Any number of processes read it meanwhile ([`Reader::open`]).
//!
//! [`Ledger::begin`] begins a run, or resumes the last one of the same class and assignment if that was killed or
//! interrupted. The [`Run`] is the judge's [`grader_judge::ResultCache`], which stores jobs, and a sink of events, which
//! stores what no job reports: the machine, the students, the reference times. [`Reader::results`] returns what the events
//! fold to.
//!
//! **Durability.** Each job is one transaction. When [`grader_judge::ResultCache::store`] returns, the job survives the
//! death of this process, and a power failure too unless it was reused from an earlier run. If something cannot be
//! written, the run reports that once, takes what comes later, and stays unfinished, so that the next one resumes it.
//!
//! **Content.** Results, keys and sources are stored once under their BLAKE3 hash, compressed, and checked against the hash
//! when they are read. What rows say beside it has a hash in each row (`row_hash.rs`), checked as well. So a result that is reused, and a source that two students submit, take a row of about 150 bytes.
//! Nothing makes a ledger smaller again; remove it with `rm`.
//!
//! [`Ledger::remember_filled`] keeps the grades that went into gradebooks, and [`Ledger::add_counterexamples`] inputs on which
//! programs fail.
//!
//! [`Ledger::adopt_runs`] knows a class again that was unpacked or moved since; [`Reader::classes`] lists the classes.
//!
//! **Shards.** Several machines grade shards of a class, each with a ledger of its own; [`merge`] joins them.
//!
//! **Trust.** Whether an earlier result may be reused is the judge's decision. What the ledger holds counts as points, so
//! one that others may write is not opened. In the folder of a class that a group shares (`sharing.rs`), it is the group's.
//!
//! **Format.** `schema.sql`, with JSON of the types in `grader-model`. `user_version` holds its number, and `application_id`
//! marks the file as a ledger. Whoever opens a ledger of an earlier format for writing upgrades it (`upgrade.rs`), after a copy
//! beside it; whoever only reads it reads an upgraded copy, and the file stays as it is. A ledger of a later format is refused,
//! with the version of the grader that it takes. The file can be queried with `sqlite3`.
//!
//! **JSON.** Within a format, a key that is new has a default, and one that went is read and dropped: no stored type may have
//! `deny_unknown_fields`. A key that changes its meaning and a word that is new in an enum need a new format, because an older
//! grader would read them wrongly or not at all. `tests/fixtures` has ledgers that earlier graders wrote.

mod content;
mod counterexamples;
mod database;
mod error;
mod file;
mod filled;
mod format;
mod ledger;
mod lock;
mod merge;
mod moved;
mod reader;
mod row_hash;
mod sharing;
mod sink;
mod store;
mod upgrade;

pub use counterexamples::Counterexamples;
pub use error::{Holder, LedgerError, LedgerFault};
pub use filled::FilledGrades;
pub use ledger::{Ledger, Report, Run, Trouble};
pub use merge::{MergeError, Merged, merge};
pub use moved::{Members, StoredClass, Submissions};
pub use reader::{KnownStudents, Reader};
pub use sharing::{Sharing, create, create_private_folder};
pub use store::BeginRun;
