//! Programming languages: recognition, compiling, running, advice.

mod language;

pub use language::{Command, Language, NotInstalled, Plan, Toolchain};
