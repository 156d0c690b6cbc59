//! Classes and files as they are submitted.
#![expect(clippy::unwrap_used, reason = "a panic is the report")]

mod archives;
mod build;
mod cases;
mod class;
mod downloads;
mod files;
mod harness;
mod lazy;
mod merged;
mod package;
mod packed;
mod unread;
