//! Programming languages: recognition, compiling, running, advice.
//!
//! [`Languages`] are an assignment's languages: the built-in ones, with those that it adds or changes. They
//! [recognise](Languages::recognise) the language of a submission. A [`Language`] can [find](Language::find) its
//! compiler, [plan](Language::plan) a build and create the [command](Language::command) of a run. Most of this is data:
//! `languages.toml` defines how each language is compiled and run, `advice.toml` what its messages mean.
//!
//! Nothing here runs a student's program or compiles a student's source; the judge does that, in the sandbox. Only
//! [`Language::find`] starts processes: installed compilers, to get their versions.
//!
//! Two rules hold for all languages:
//!
//! * No shell. Arguments are vectors, and a file gets a plain name or a leading `./`, so that it cannot be taken for an
//!   option or a response file.
//! * A student's text is escaped before it enters a [`Text`](grader_model::Text).

mod about_included;
mod advice;
mod build_command;
mod constants;
mod copies;
mod data;
mod definition;
mod definitions;
mod encoding;
mod error_place;
mod facts;
mod failure;
mod first_error;
mod full_width;
mod highlight;
mod includes;
mod java;
mod java_packages;
mod language;
mod layout;
mod lexer;
mod libraries;
mod outline;
mod plan;
mod preprocessor;
mod probe;
mod python;
mod recognise;
mod source;
mod start;
mod syntax;
mod toolchain;
mod undefined;

pub use about_included::{AuthorsError, BuiltFiles, OwnMessages};
pub use advice::FailedRun;
pub use build_command::{compilers_with, is_build_file, missing_tool, unstartable};
pub use definition::{BuildCommand, Changes, Definition, DiagnosticBuilds, Probe, Startup};
pub use encoding::Encoding;
pub use facts::SourceFacts;
pub use first_error::{CompilerError, first_error, first_error_line};
pub use highlight::{Piece, highlight};
pub use language::{Language, Languages, scripted};
pub use lexer::{Token, TokenKind, find_tokens, position, tokens};
pub use outline::Outline;
pub use plan::{Command, Plan};
pub use source::{ProgramSources, SourceText, source_text};
pub use syntax::Syntax;
pub use toolchain::{NotInstalled, Toolchain, find_tool};
pub use undefined::{Edit, Finding, Place, Suspect, Warning, Weight, reports, warnings};
