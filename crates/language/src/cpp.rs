//! C++, by GCC.

use std::sync::OnceLock;

use grader_model::{End, LanguageId, SourceFile, Text};

use crate::advice;
use crate::c_family::{self, Dialect};

/// GNU dialect of C++20.
pub(crate) static CPP: Dialect = Dialect {
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
    word: "c++",
    extensions: &["cpp", "cc", "cxx", "c++", "cp", "c"],
    explain_build,
    explain_run,
    ran_out_of_memory: |stderr| stderr.contains("throwing an instance of 'std::bad_alloc'"),
    found: OnceLock::new(),
};

fn explain_build(messages: &str, sources: &[SourceFile]) -> Vec<Text> {
    let mut advice = c_family::explain_build(messages, sources);
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

fn explain_run(stderr: &str, end: End) -> Vec<Text> {
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

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;
    use crate::NotInstalled;

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        assert_eq!(
            CPP.look_in(OsStr::new("")).unwrap_err(),
            NotInstalled {
                language: LanguageId::Cpp,
                program: "g++".to_owned(),
                install: "apt-get install g++".to_owned(),
                broken: None,
            }
        );
    }
}
