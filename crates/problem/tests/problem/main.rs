//! Problem files: what is read from them, which mistakes are reported, and the pages that follow from them.
#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod arbitrary;
mod common;
mod good;
mod mistakes;
mod own_values;
mod pieces;
mod reference_page;
mod rendering;
mod samples;
mod schema;
mod statements;
