//! Programming languages: recognition, compiling, running, advice.
//!
//! [`recognise`] says which language a submission is in, [`language`] gives the [`Language`] that knows how
//! to [find](Language::find) its compiler, [plan](Language::plan) a build and make the
//! [command](Language::command) of a run. Nothing here starts a student's program or a compiler on a
//! student's source: that is the judge's work, in the sandbox. The one exception to "starts nothing" is
//! [`Language::find`], which asks installed compilers for their versions.
//!
//! Three rules hold for all six languages:
//!
//! * No shell. Arguments are vectors, and a file's name never stands where it could be read as an option or a
//!   response file: it gets a plain name, or `./` in front.
//! * Sources are not edited. Nothing is put in front of them, and line numbers stay what the student sees. Only
//!   the encoding changes, and only for compilers that refuse the student's: see [`plan`](Language::plan).
//! * What a student wrote enters a [`Text`](grader_model::Text) only escaped.

mod advice;
mod c;
mod c_family;
mod code;
mod cpp;
mod encoding;
mod files;
mod java;
mod java_classes;
mod language;
mod opened;
mod pascal;
mod plan_files;
mod python;
mod recognise;
mod registry;
mod rust;
mod search;
mod startup;
mod strip;
mod token;

pub use language::{Command, Language, NotInstalled, Plan, Toolchain};
pub use opened::OpenedFiles;
pub use plan_files::PlanPath;
pub use recognise::recognise;
pub use registry::language;
pub use startup::startup_program;
pub use token::{Token, TokenKind, find_tokens, position, source_text, tokens};
