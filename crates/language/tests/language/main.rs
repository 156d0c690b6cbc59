//! Tests languages with the compilers and interpreters on this machine. Languages that are not installed are skipped
//! with a message.

mod advice;
mod hostile;
mod neighbours;
mod programs;
mod statements;
mod support;
