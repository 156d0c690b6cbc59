//! C, by GCC.

use std::sync::OnceLock;

use grader_model::LanguageId;

use crate::c_family::{Dialect, explain_build, explain_run};

/// GNU dialect of C17.
///
/// It is the dialect that compiles the most student programs: C89 refuses half of them. `ONLINE_JUDGE` is what
/// programs test before they open files in place of standard input.
pub(crate) static C: Dialect = Dialect {
    language: LanguageId::C,
    names: ["gcc", "cc", "clang"],
    oldest: 8,
    package: "gcc libc6-dev",
    flags: [
        "-std=gnu17",
        "-O2",
        "-Wall",
        "-Wno-unused-result",
        "-DONLINE_JUDGE",
    ],
    word: "c",
    extensions: &["c"],
    explain_build,
    explain_run,
    // A null pointer from `malloc` says nothing by itself.
    ran_out_of_memory: |_| false,
    found: OnceLock::new(),
};

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;
    use crate::NotInstalled;

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        assert_eq!(
            C.look_in(OsStr::new("/nowhere")).unwrap_err(),
            NotInstalled {
                language: LanguageId::C,
                program: "gcc".to_owned(),
                install: "apt-get install gcc libc6-dev".to_owned(),
                broken: None,
            }
        );
    }
}
