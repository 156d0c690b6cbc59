//! Programming languages: recognition, compiling, running, advice.
//!
//! [`Languages`] are those of an assignment: the built-in ones, and those that it adds or changes. They
//! [recognise](Languages::recognise) the language of a submission. A [`Language`] knows how to [find](Language::find) its
//! compiler, [plan](Language::plan) a build and make the [command](Language::command) of a run. Most of it is data:
//! `languages.toml` says how each language is compiled and run, `advice.toml` what its messages mean.
//!
//! Nothing here runs a student's program or compiles a student's source; the judge does, in the sandbox. Only
//! [`Language::find`] starts anything: installed compilers, for their versions.
//!
//! Two rules hold for all languages:
//!
//! * No shell. Arguments are vectors, and a file gets a plain name or `./` in front, so that it cannot be read as an
//!   option or a response file.
//! * What a student wrote is escaped before it enters a [`Text`](grader_model::Text).

mod advice;
mod constants;
mod definition;
mod encoding;
mod facts;
mod failure;
mod first_error;
mod highlight;
mod java;
mod language;
mod layout;
mod lexer;
mod plan;
mod probe;
mod recognise;
mod source;
mod syntax;
mod toolchain;

pub use definition::{Changes, Definition, Probe, Startup};
pub use encoding::Encoding;
pub use facts::SourceFacts;
pub use first_error::{CompilerError, first_error};
pub use highlight::{Piece, highlight};
pub use language::{Language, Languages};
pub use lexer::{Token, TokenKind, find_tokens, position, tokens};
pub use plan::{Command, Plan};
pub use source::{ProgramSources, SourceText, source_text};
pub use syntax::Syntax;
pub use toolchain::{NotInstalled, Toolchain};
