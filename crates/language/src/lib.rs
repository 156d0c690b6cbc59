//! Programming languages: recognition, compiling, running, advice.
//!
//! [`recognise`] says which language a submission is in, [`language`] gives the [`Language`] that knows how to
//! [find](Language::find) its compiler, [plan](Language::plan) a build and make the [command](Language::command) of a run.
//! Most of it is data: `languages.toml` says how each language is compiled and run, `advice.toml` what its messages mean.
//! An assignment adds languages or changes them with [`define`].
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
mod definition;
mod encoding;
mod failure;
mod first_error;
mod highlight;
mod java;
mod language;
mod layout;
mod lexer;
mod plan;
mod recognise;
mod source;
mod syntax;
mod toolchain;

pub use definition::{Changes, Definition, Startup};
pub use encoding::Encoding;
pub use first_error::{CompilerError, first_error};
pub use highlight::{Piece, highlight};
pub use language::{
    Language, code_files, define, is_header_name, is_known, language, languages, of_file_name,
};
pub use lexer::{Token, TokenKind, find_tokens, position, source_text, tokens};
pub use plan::{Command, Plan};
pub use recognise::recognise;
pub use source::OpenedFiles;
pub use syntax::Syntax;
pub use toolchain::{NotInstalled, Toolchain};
