//! Languages against the compilers and interpreters of this machine. What is not installed is skipped, and says so.

mod advice;
mod hostile;
mod programs;
mod support;
