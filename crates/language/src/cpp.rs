//! C++, by GCC.

use std::path::Path;
use std::sync::OnceLock;

use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

use crate::c_family::{self, Compiler};
use crate::{Command, Language, NotInstalled, Plan, Toolchain, advice, search};

/// GNU dialect of C++20.
pub(crate) struct Cpp;

const COMPILER: Compiler = Compiler {
    language: LanguageId::Cpp,
    names: ["g++", "c++", "clang++"],
    oldest: 10,
    package: "g++",
    flags: [
        "-std=gnu++20",
        "-O2",
        "-Wall",
        "-Wno-unused-result",
        "-DONLINE_JUDGE",
    ],
    dialect: "c++",
    extensions: &["cpp", "cc", "cxx", "c++", "cp", "c"],
};

static FOUND: OnceLock<Result<Toolchain, NotInstalled>> = OnceLock::new();

impl Language for Cpp {
    fn id(&self) -> LanguageId {
        LanguageId::Cpp
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
        let messages = &String::from_utf8_lossy(messages);
        let mut advice = c_family::explain_build(messages);
        if messages.contains("error: invalid conversion from \u{2018}void*\u{2019}") {
            advice.push(Text::new(
                "C++ does not convert `void *` by itself. If the program is C, name the file `.c`.",
                "C++ 不会自动转换 `void *`。如果这是 C 程序，请把文件扩展名改为 `.c`。",
            ));
        }
        if messages.contains("reference to \u{2018}") && messages.contains("is ambiguous") {
            advice.push(Text::new(
                "A name of the program is also a name of the standard library (`using namespace std`): give \
                 it another name.",
                "程序里的名字和标准库重名了（因为 `using namespace std`）：请换一个名字。",
            ));
        }
        advice
    }

    fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text> {
        let stderr = &String::from_utf8_lossy(stderr);
        let Some(name) = advice::between(
            stderr,
            "terminate called after throwing an instance of '",
            "'",
        ) else {
            return c_family::explain_run(stderr, end);
        };
        let what = stderr
            .lines()
            .find_map(|line| line.trim_start().strip_prefix("what():"))
            .unwrap_or_default();
        let mut list = vec![advice::exception(name, what, None)];
        if name == "std::out_of_range" {
            list.push(advice::index_out_of_range());
        } else if name == "std::invalid_argument" {
            list.push(advice::not_a_number());
        } else if name == "std::logic_error" && what.contains("null") {
            // A string made of `argv[1]` when there is no argument.
            list.push(Text::new(
                "A string was made of a null pointer; is a command-line argument missing?",
                "用空指针构造了字符串；是不是缺少命令行参数？",
            ));
        }
        list
    }

    fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let stderr = String::from_utf8_lossy(stderr);
        stderr.contains("throwing an instance of 'std::bad_alloc'")
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
            COMPILER.find(OsStr::new("")).unwrap_err(),
            NotInstalled {
                language: LanguageId::Cpp,
                program: "g++".to_owned(),
                install: "apt-get install g++".to_owned(),
                broken: None,
            }
        );
    }
}
