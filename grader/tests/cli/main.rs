//! The command line, from outside: what is written, where, and with which exit status.
#![expect(
    clippy::unwrap_used,
    reason = "a panic in a test, and in what serves it, is its report"
)]
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod assigned;
mod authors;
mod authors_part;
mod broken;
mod bundle;
mod by_hand;
mod characters;
mod checkers;
mod claims;
mod class;
mod classes;
mod cores;
mod corrected;
mod course;
mod crossing;
mod data_files;
mod discovery;
mod docs;
mod documents;
mod explore;
mod export;
mod flags;
mod formats;
mod function;
mod fuzz;
mod harness;
mod hints;
mod hostile;
mod included;
mod interactive;
mod isolation;
mod killed;
mod kits;
mod lab;
mod languages;
mod layouts;
mod ledger;
mod machine_limits;
mod mischief;
mod options;
mod own_builds;
mod own_programs;
mod owners;
mod packages;
mod pages;
mod projects;
mod replay;
mod review;
mod rosters;
mod search_faults;
mod searched;
mod sections;
mod sentences;
mod shards;
mod shared;
mod similar;
mod sources;
mod standing;
mod stored;
mod strange_files;
mod streams;
mod stress;
mod teams;
mod term;
mod testing;
mod undefined;
mod unit_tests;
mod upgraded;
mod verdicts;
mod verification;
mod week;
