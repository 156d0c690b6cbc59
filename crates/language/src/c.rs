//! C, by GCC.

use std::path::Path;
use std::sync::OnceLock;

use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

use crate::c_family::{self, Compiler};
use crate::{Command, Language, NotInstalled, Plan, Toolchain, search};

/// GNU dialect of C17.
pub(crate) struct C;

/// The dialect that compiles the most student programs: C89 refuses half of them. `ONLINE_JUDGE` is what
/// programs test before they open files in place of standard input.
const COMPILER: Compiler = Compiler {
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
    dialect: "c",
    extensions: &["c"],
};

static FOUND: OnceLock<Result<Toolchain, NotInstalled>> = OnceLock::new();

impl Language for C {
    fn id(&self) -> LanguageId {
        LanguageId::C
    }

    fn find(&self) -> Result<Toolchain, NotInstalled> {
        FOUND.get_or_init(|| COMPILER.find(&search::path())).clone()
    }

    fn plan(&self, sources: &[SourceFile], toolchain: &Toolchain, build: &Path) -> Plan {
        COMPILER.plan(sources, toolchain, build)
    }

    fn command(&self, plan: &Plan, _: &Toolchain, build: &Path, _: Bytes) -> Command {
        c_family::run(plan, build)
    }

    fn explain_build(&self, messages: &[u8], _: &[SourceFile]) -> Vec<Text> {
        c_family::explain_build(&String::from_utf8_lossy(messages))
    }

    fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text> {
        c_family::explain_run(&String::from_utf8_lossy(stderr), end)
    }

    fn ran_out_of_memory(&self, _: &[u8]) -> bool {
        // A null pointer from `malloc` says nothing by itself.
        false
    }

    fn reads_stdin(&self, sources: &[SourceFile]) -> bool {
        c_family::reads_stdin(sources)
    }

    fn reads_arguments(&self, sources: &[SourceFile]) -> bool {
        c_family::reads_arguments(sources)
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        assert_eq!(
            COMPILER.find(OsStr::new("/nowhere")).unwrap_err(),
            NotInstalled {
                language: LanguageId::C,
                program: "gcc".to_owned(),
                install: "apt-get install gcc libc6-dev".to_owned(),
                broken: None,
            }
        );
    }
}
