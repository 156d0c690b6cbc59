//! The ledger: the results of every run of a class in one `SQLite` file.
//!
//! # Theory of operation
//!
//! One file holds the runs of any number of classes and assignments. One process writes it at a time: it holds a lock
//! on a file beside it ([`Ledger::open`]), so that two graders cannot judge one class at once, and the second one says
//! who is at work. Any number of processes read it meanwhile ([`Reader::open`]).
//!
//! [`Ledger::begin`] begins a run, or goes on with the last one of the same class and assignment if that was killed or
//! interrupted. The [`Run`] is the judge's [`grader_judge::ResultCache`]; its [`Run::sink`] takes the events of the run, of
//! which it keeps what no job says: the assignment, the machine, who was there, what lay unused. Both are one run, and
//! [`Reader::results`] gives back what the events of it fold to.
//!
//! **Durability.** Each job is one transaction: it is there whole or not at all. When
//! [`grader_judge::ResultCache::store`] returns, the job survives the death of this process; if it was judged in this run
//! it also survives the machine's (`synchronous=FULL`). A reused result is not worth a flush of the disk of its own: it
//! would be reused again.
//!
//! **Nothing twice.** Everything of some size (a result, a key) is content: stored once under its BLAKE3 hash, compressed
//! with zlib, and checked against the hash whenever it is read. A run in which nothing changed adds about 100 bytes for
//! each job.
//!
//! **What it does not do.** It decides nothing: whether an earlier result may be taken, the judge decides. It deletes
//! nothing: a ledger is kept as long as the points matter, and removed with `rm`. See [`Run`] for how large it gets. What
//! it holds is taken for points, so that one that others may write is not opened for writing.
//!
//! **Schema.** The version of the schema is in `user_version`, and `application_id` says that the file is ours. The
//! file can be read with `sqlite3`; content is zlib where `content.packed` is 1, and JSON below that.

mod begin;
mod content;
mod error;
mod history;
mod ledger;
mod lock;
mod results;
mod run;
mod schema;
mod sink;

pub use begin::BeginRun;
pub use error::{LedgerError, LedgerFault};
pub use ledger::{Ledger, Reader};
pub use lock::Holder;
pub use run::Run;
pub use sink::RunSink;
