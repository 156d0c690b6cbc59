//! Advice, held against what the compilers and interpreters of this machine really say.

#![cfg(unix)]

mod builds;
mod runs;
#[path = "../support/mod.rs"]
mod support;

use grader_language::language;
use grader_model::LanguageId;
use support::build;

/// The advice on a build that fails.
#[track_caller]
pub(crate) fn build_fails(id: LanguageId, name: &str, text: &str, advice: &[&str]) {
    if let Some(built) = build(id, &[(name, text.as_bytes())]) {
        let found = built.build_advice();
        assert_eq!(found, advice, "{}", built.messages());
    }
}

/// The advice on a run that fails.
#[track_caller]
pub(crate) fn run_fails(id: LanguageId, text: &str, stdin: &str, advice: &[&str]) {
    let name = format!("a.{}", id.extensions()[0]);
    if let Some(built) = build(id, &[(&name, text.as_bytes())]) {
        let ran = built.run(&[], stdin);
        let found = built.run_advice(&[], stdin);
        assert_eq!(found, advice, "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

/// Whether a program that takes all the memory it can get is known for it.
#[track_caller]
pub(crate) fn runs_out_of_memory(id: LanguageId, text: &str) {
    let name = format!("a.{}", id.extensions()[0]);
    if let Some(built) = build(id, &[(&name, text.as_bytes())]) {
        let ran = built.run(&[], "");
        assert!(!ran.end.is_success());
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert!(language(id).ran_out_of_memory(&ran.stderr), "{stderr}");
    }
    assert!(!language(id).ran_out_of_memory(b"all is well"));
}
