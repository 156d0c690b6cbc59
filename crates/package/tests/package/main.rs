//! What packages of other judges are read as, and what an export writes: without the sandbox, by the crate's public functions.
#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod cms;
mod common;
mod exported;
mod formats;
mod fps;
mod groups;
mod library_checker;
mod meaning;
mod pair_formats;
mod plain;
mod round_trip;
mod settings;
mod snapshots;
mod times;
mod untrusted;
