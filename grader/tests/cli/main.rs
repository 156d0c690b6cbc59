//! The command line, from outside: what is written, where, and with which exit status.

mod broken;
mod class;
mod harness;
mod hostile;
mod language;
mod options;
mod testing;
mod verdicts;
mod verification;
