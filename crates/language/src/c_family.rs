//! What C and C++ have in common.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

use crate::code::{any_phrase, code, find_phrase, has_phrase, last_parameter_is_used, tokens};
use crate::encoding::{as_bytes, to_utf8};
use crate::plan_files::PlanFiles;
use crate::recognise::is_cpp;
use crate::search::Questions;
use crate::strip::{Family, Strings, strip};
use crate::{Command, Language, NotInstalled, OpenedFiles, Plan, Toolchain, advice, files, search};

/// Headers of other systems and of compilers of the last century.
const FOREIGN: [&str; 12] = [
    "conio.h",
    "windows.h",
    "graphics.h",
    "easyx.h",
    "dos.h",
    "bios.h",
    "process.h",
    "io.h",
    "direct.h",
    "tchar.h",
    "stdafx.h",
    "iostream.h",
];

/// One of the two languages: its compiler, and what it says of failures.
pub(crate) struct Dialect {
    pub(crate) language: LanguageId,
    /// Names to look for, the preferred one first.
    pub(crate) names: [&'static str; 3],
    /// The oldest version of GCC that knows the standard.
    pub(crate) oldest: u32,
    pub(crate) package: &'static str,
    pub(crate) flags: [&'static str; 5],
    /// The word for `-x`, whatever the files are called.
    pub(crate) word: &'static str,
    /// Extensions of files that are compiled.
    pub(crate) extensions: &'static [&'static str],
    /// Causes of a failed build, from the compiler's messages.
    pub(crate) explain_build: fn(&str, &[SourceFile]) -> Vec<Text>,
    /// Causes of a failed run, from its standard error.
    pub(crate) explain_run: fn(&str, End) -> Vec<Text>,
    /// Whether a failed run says that it ran out of memory.
    pub(crate) ran_out_of_memory: fn(&str) -> bool,
    /// The compiler, once it was looked for.
    pub(crate) found: OnceLock<Result<Toolchain, NotInstalled>>,
}

impl Dialect {
    /// Looks for the compiler in the folders of `path`.
    pub(crate) fn look_in(&self, path: &OsStr) -> Result<Toolchain, NotInstalled> {
        let mut missing = self.names[0].to_owned();
        let mut questions = Questions::default();
        for name in self.names {
            for candidate in search::candidates(path, name) {
                let Some((label, version)) = identify(&mut questions, &candidate, self.names[0])
                else {
                    continue;
                };
                if label == self.names[0] && search::numbers(&version)[0] < self.oldest {
                    missing = format!("{label} {} or newer, found {version}", self.oldest);
                    continue;
                }
                let program = own_name(&candidate, self.names[0]);
                return Ok(Toolchain {
                    language: self.language,
                    version: format!("{label} {version}"),
                    flags: self.flags.map(str::to_owned).to_vec(),
                    readable: search::outside_system(search::prefix(&program)),
                    programs: vec![program],
                });
            }
        }
        Err(NotInstalled {
            language: self.language,
            program: missing,
            install: format!("apt-get install {}", self.package),
            broken: questions.broken(),
        })
    }

    fn hint(&self, sources: &[SourceFile], hints: &mut Vec<Text>) {
        let mut has_main = false;
        for source in sources {
            let code = code(source, Family::C);
            let tokens = tokens(&code);
            has_main |= ["main", "wmain", "_tmain", "WinMain"]
                .iter()
                .any(|main| tokens.contains(main));
            if has_phrase(&tokens, "void main") {
                advice::push(hints, advice::void_main());
            }
            for header in includes(source) {
                if FOREIGN.contains(&header.to_lowercase().as_str()) {
                    advice::push(hints, missing_header(&header));
                }
            }
            if let Some(text) = windows_command(source) {
                advice::push(hints, text);
            }
            if self.language == LanguageId::Cpp && source.extension() == "c" && is_cpp(source) {
                let name = files::shown(source.name());
                let text = Text::new(
                    format!("`{name}` is C++ and was compiled as C++; name it `.cpp`."),
                    format!("`{name}` 的内容是 C++，已按 C++ 编译；请把扩展名改为 `.cpp`。"),
                );
                advice::push(hints, text);
            }
        }
        if !has_main {
            hints.push(advice::no_main("main"));
        }
    }
}

impl Language for Dialect {
    fn id(&self) -> LanguageId {
        self.language
    }

    fn find(&self) -> Result<Toolchain, NotInstalled> {
        self.found
            .get_or_init(|| self.look_in(&search::path()))
            .clone()
    }

    /// All files that are to be compiled go to one command; the others are only written.
    fn plan(&self, sources: &[SourceFile], toolchain: &Toolchain, build: &Path) -> Plan {
        let (mut files, sources) = PlanFiles::new(sources);
        let mut compiled = Vec::new();
        let mut folders = Vec::new();
        if let [source] = sources {
            let name = format!("main.{}", self.extensions[0]);
            let path = files.place(&name, as_bytes(&source.bytes).into_owned());
            compiled.push(files::argument(&path));
        } else {
            let included: BTreeSet<String> =
                code_files(sources).flat_map(quoted_includes).collect();
            let mut units =
                files::main_sources(sources, self.extensions, self.language.header_extensions());
            let includes_itself = units.iter().all(|unit| included.contains(unit.name()));
            if !includes_itself {
                units.retain(|unit| !included.contains(unit.name()));
            }
            let units: BTreeSet<&str> = units.iter().map(|unit| unit.path.as_str()).collect();
            for source in sources {
                let path = files.place(&source.path, as_bytes(&source.bytes).into_owned());
                if units.contains(source.path.as_str()) {
                    compiled.push(files::argument(&path));
                }
            }
            let headers = files.paths().filter(|path| is_header(path));
            // After the system's own: `-I` would let a student's `math.h` replace the system's in every file.
            folders = files::folder_options("-idirafter", headers);
        }
        let entry = files.executable();
        let (files, mut hints) = files.finish();
        self.hint(sources, &mut hints);

        let mut arguments = toolchain.flags.clone();
        arguments.extend(folders);
        arguments.extend(["-x".to_owned(), self.word.to_owned()]);
        arguments.extend(compiled);
        arguments.extend(["-x", "none", "-lm", "-o"].map(str::to_owned));
        arguments.push(files::argument(&entry));
        Plan {
            files,
            steps: vec![Command {
                program: toolchain.programs[0].clone(),
                arguments: arguments.into_iter().map(OsString::from).collect(),
                environment: search::build_environment(toolchain, build),
            }],
            entry,
            hints,
        }
    }

    fn command(&self, plan: &Plan, _: &Toolchain, build: &Path, _: Bytes) -> Command {
        run(plan, build)
    }

    fn explain_build(&self, messages: &[u8], sources: &[SourceFile]) -> Vec<Text> {
        (self.explain_build)(&String::from_utf8_lossy(messages), sources)
    }

    fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text> {
        (self.explain_run)(&String::from_utf8_lossy(stderr), end)
    }

    fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        (self.ran_out_of_memory)(&String::from_utf8_lossy(stderr))
    }

    fn missing_file(&self, _: &[u8], sources: &[SourceFile]) -> Option<String> {
        // A program that has its input from elsewhere may well do without the file.
        let needs_file = any_phrase(sources, Family::C, &["freopen"])
            || !(self.reads_stdin(sources) || self.reads_arguments(sources));
        let OpenedFiles { read, written } = self.opened_files(sources);
        read.into_iter()
            .find(|name| needs_file && !written.contains(name))
    }

    fn opened_files(&self, sources: &[SourceFile]) -> OpenedFiles {
        OpenedFiles::find(sources, Family::C)
    }

    fn reads_stdin(&self, sources: &[SourceFile]) -> bool {
        const READERS: [&str; 11] = [
            "scanf",
            "wscanf",
            "getchar",
            "getchar_unlocked",
            "gets",
            "gets_s",
            "cin",
            "wcin",
            "stdin",
            "STDIN_FILENO",
            "read(0",
        ];
        sources.iter().any(|source| {
            let with_strings = strip(&to_utf8(&source.bytes), Family::C, Strings::Keep);
            with_strings.contains("\"/dev/stdin\"") || {
                let code = code(source, Family::C);
                let tokens = tokens(&code);
                READERS.iter().any(|reader| has_phrase(&tokens, reader))
            }
        })
    }

    fn reads_arguments(&self, sources: &[SourceFile]) -> bool {
        sources.iter().any(|source| {
            let code = code(source, Family::C);
            let tokens = tokens(&code);
            find_phrase(&tokens, "main(").is_some_and(|at| last_parameter_is_used(&tokens[at..]))
                || tokens.contains(&"__argv")
        })
    }
}

/// The command that runs the program that was built.
pub(crate) fn run(plan: &Plan, build: &Path) -> Command {
    Command {
        program: build.join(&plan.entry),
        arguments: Vec::new(),
        environment: Vec::new(),
    }
}

/// Causes of a failed build that do not depend on the dialect.
pub(crate) fn explain_build(messages: &str, sources: &[SourceFile]) -> Vec<Text> {
    // What a compiler says behind a missing `;` follows from it.
    if let Some(text) = missing_semicolon(messages) {
        return vec![text];
    }
    let mut advice = Vec::new();
    for header in advice::all_between(messages, "fatal error: ", ": No such file") {
        advice::push(&mut advice, missing_header(header));
    }
    let undeclared = undeclared(messages);
    if messages.contains("undefined reference to `main'") {
        advice::push(&mut advice, advice::no_main("main"));
    } else if messages.contains("multiple definition of `main'") {
        let names: Vec<&str> = with_main(sources).map(SourceFile::name).collect();
        advice::push(&mut advice, advice::many_mains(&names));
    } else {
        for name in undefined(messages) {
            if undeclared.contains(&name) {
                continue;
            }
            let name = advice::quote(name);
            advice.push(Text::new(
                format!(
                    "`{name}` is declared and called, but no file that was handed in defines it. Is a file \
                     missing, or is the name misspelt?"
                ),
                format!("`{name}` 有声明、有调用，但提交的文件里没有它的定义。是不是漏交了文件，或者名字拼错了？"),
            ));
        }
    }
    if messages.contains("'::main' must return 'int'")
        || messages.contains("\u{2018}::main\u{2019} must return \u{2018}int\u{2019}")
    {
        advice::push(&mut advice, advice::void_main());
    }
    for name in undeclared {
        let name = advice::quote(name);
        advice.push(match name.as_str() {
            "getch" | "getche" | "clrscr" | "gotoxy" | "kbhit" | "_getch" | "Sleep" => {
                advice::foreign(&name)
            }
            _ => Text::new(
                format!(
                    "`{name}` is not declared: an `#include` is missing, or the name is misspelt."
                ),
                format!("`{name}` 没有声明：可能漏写了 `#include`，也可能是名字拼错了。"),
            ),
        });
    }
    advice
}

/// The sources with a function `main`.
fn with_main(sources: &[SourceFile]) -> impl Iterator<Item = &SourceFile> {
    code_files(sources).filter(|source| has_phrase(&tokens(&code(source, Family::C)), "main("))
}

/// The first error: where it is (`main.c:4`), and what it is.
fn first_error(messages: &str) -> Option<(&str, &str)> {
    let (place, what) = messages
        .lines()
        .find_map(|line| line.split_once(": error: "))?;
    let (line, _column) = place.rsplit_once(':')?;
    Some((line, what))
}

/// A missing `;`, if that is the first error.
fn missing_semicolon(messages: &str) -> Option<Text> {
    let (place, what) = first_error(messages)?;
    let (_, line) = place.rsplit_once(':')?;
    line.parse::<u32>().ok()?;
    let what = what.replace(['\u{2018}', '\u{2019}'], "'");
    // Before a brace it is no statement without its end, but a misspelt `while`.
    let in_line = what.starts_with("expected ';' before ") && !what.contains("before '{'")
        || what.starts_with("expected ';' after ") && what.ends_with(" definition");
    if in_line {
        return Some(Text::new(
            format!(
                "The compiler expected a `;` in line {line}: it is missing at the end of a statement, or an operator \
                 is missing."
            ),
            format!(
                "编译器认为第 {line} 行缺少分号 `;`：可能是语句末尾漏了分号，也可能是漏了运算符。"
            ),
        ));
    }
    let next = advice::between(&what, "expected ',' or ';' before '", "'")?;
    let next = advice::quote(next);
    Some(Text::new(
        format!(
            "The compiler expected a `;` before `{next}` in line {line}: look at the end of the line above."
        ),
        format!("编译器认为第 {line} 行的 `{next}` 之前缺少分号 `;`：请检查上一行的末尾。"),
    ))
}

/// The functions that are called and defined nowhere.
fn undefined(messages: &str) -> Vec<&str> {
    advice::all_between(messages, "undefined reference to `", "'")
}

/// The functions that are not declared, where that is why the build fails: where the line is the first that is
/// wrong, or nobody defines them. C only warns of the others, and most of them the library has.
fn undeclared(messages: &str) -> Vec<&str> {
    let undefined = undefined(messages);
    let wrong = first_error(messages).map(|(place, _)| place);
    let mut names = Vec::new();
    for line in messages.lines() {
        let Some(name) = implicit(line) else {
            continue;
        };
        let is_cause = line.contains(": error: ")
            || undefined.contains(&name)
            || wrong.is_some_and(|place| {
                line.strip_prefix(place)
                    .is_some_and(|rest| rest.starts_with(':'))
            });
        if is_cause && names.len() < 5 && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The function of which a line says that it is not declared.
fn implicit(line: &str) -> Option<&str> {
    advice::between(
        line,
        "implicit declaration of function \u{2018}",
        "\u{2019}",
    )
    .or_else(|| advice::between(line, "implicit declaration of function '", "'"))
}

/// Causes of a failed run that do not depend on the dialect.
pub(crate) fn explain_run(stderr: &str, end: End) -> Vec<Text> {
    let mut advice = Vec::new();
    if let Some(line) = stderr.lines().find(|line| line.contains("Assertion `")) {
        let line = advice::quote(line);
        advice.push(Text::new(
            format!("An `assert` of the program failed: {line}"),
            format!("程序里的 `assert` 不成立：{line}"),
        ));
    } else if stderr.contains("stack smashing detected") {
        advice.push(Text::new(
            "The program wrote behind the end of an array that is a local variable.",
            "程序写出了局部数组的末尾（数组越界）。",
        ));
    } else if [
        "double free",
        "free(): ",
        "munmap_chunk(): ",
        "malloc(): ",
        "corrupted ",
    ]
    .iter()
    .any(|sign| stderr.contains(sign))
    {
        advice.push(Text::new(
            "The program damaged its own heap: memory freed twice, or written behind the end of an array.",
            "程序破坏了自己的堆内存：重复释放，或者写出了数组的末尾。",
        ));
    } else {
        advice.extend(advice::signal(end));
    }
    advice.extend(advice::exit_status(end));
    advice
}

/// `system("cls")` and its like: they compile, and do nothing here.
fn windows_command(source: &SourceFile) -> Option<Text> {
    let text = strip(&to_utf8(&source.bytes), Family::C, Strings::Keep);
    let calls = text.split("system").skip(1).filter_map(|rest| {
        let call = rest
            .trim_start()
            .strip_prefix('(')?
            .trim_start()
            .strip_prefix('"')?;
        call.split('"').next()
    });
    let command = calls.map(str::trim).find(|call| {
        ["cls", "pause", "color", "title", "mode"]
            .iter()
            .any(|word| call.to_lowercase().split(' ').next() == Some(word))
    })?;
    let command = advice::quote(command);
    Some(Text::new(
        format!("`system(\"{command}\")` is for Windows and does nothing here; leave it out."),
        format!("`system(\"{command}\")` 是 Windows 的命令，在这里不起作用，请去掉。"),
    ))
}

fn missing_header(header: &str) -> Text {
    let lower = header.to_lowercase();
    if lower == "iostream.h" {
        return Text::new(
            "`iostream.h` is from before the standard: write `#include <iostream>` and `using namespace std;`.",
            "`iostream.h` 是标准之前的写法：请写 `#include <iostream>` 和 `using namespace std;`。",
        );
    }
    if FOREIGN.contains(&lower.as_str()) {
        return advice::foreign(header);
    }
    let name = advice::quote(header);
    if lower.starts_with("bits/") {
        return Text::new(
            format!(
                "There is no `{name}`; the header that includes everything is `bits/stdc++.h`."
            ),
            format!("没有 `{name}` 这个头文件；包含全部标准库的是 `bits/stdc++.h`。"),
        );
    }
    Text::new(
        format!("There is no header `{name}` here. If it is your own, hand it in too."),
        format!("这里没有头文件 `{name}`。如果是你自己写的，请一并提交。"),
    )
}

fn is_header(path: &str) -> bool {
    LanguageId::is_header_name(path.rsplit('/').next().unwrap_or(path))
}

/// The names behind `#include`, without their folders where the form is `"…"`.
/// The files that hold code: a readme beside them may quote an `#include` too.
fn code_files(sources: &[SourceFile]) -> impl Iterator<Item = &SourceFile> {
    sources.iter().filter(|source| {
        let name = source.name();
        LanguageId::of_file_name(name).is_some() || LanguageId::is_header_name(name)
    })
}

fn quoted_includes(source: &SourceFile) -> Vec<String> {
    include_lines(source)
        .filter_map(|rest| {
            let path = rest.strip_prefix('"')?.split('"').next()?.to_owned();
            Some(path.rsplit(['/', '\\']).next()?.to_owned())
        })
        .collect()
}

/// The names behind `#include`, of both forms.
pub(crate) fn includes(source: &SourceFile) -> Vec<String> {
    include_lines(source)
        .filter_map(|rest| {
            let name = rest.strip_prefix(['<', '"'])?.split(['>', '"']).next()?;
            Some(name.trim().to_owned())
        })
        .collect()
}

fn include_lines(source: &SourceFile) -> impl Iterator<Item = String> {
    let text = strip(&to_utf8(&source.bytes), Family::C, Strings::Keep);
    let lines: Vec<String> = text
        .split(['\n', '\r'])
        .filter_map(|line| {
            let rest = line
                .trim()
                .strip_prefix('#')?
                .trim_start()
                .strip_prefix("include")?;
            Some(rest.trim().to_owned())
        })
        .collect();
    lines.into_iter()
}

/// Asks a compiler what it is: GCC, under the name `name`, or Clang.
fn identify(questions: &mut Questions, program: &Path, name: &str) -> Option<(String, String)> {
    let banner = questions.ask(program, &["--version"])?;
    if banner.contains("clang") {
        let version = search::version(&banner)?.to_owned();
        return Some(("clang".to_owned(), version));
    }
    let answer = questions.ask(program, &["-dumpfullversion", "-dumpversion"])?;
    Some((name.to_owned(), search::version(&answer)?.to_owned()))
}

/// The real path of a compiler, unless it acts by the name under which it is called (`clang++`).
fn own_name(candidate: &Path, name: &str) -> PathBuf {
    let real = search::real(candidate);
    let acts_alike = real
        .file_name()
        .is_some_and(|file| file.to_string_lossy().contains(name));
    if acts_alike {
        real
    } else {
        candidate.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::C;

    fn source(text: &str) -> [SourceFile; 1] {
        [SourceFile::new("a.c", text.as_bytes())]
    }

    #[test]
    fn input_is_told_from_words_that_look_like_it() {
        assert!(C.reads_stdin(&source("int main(){ int n; scanf(\"%d\",&n); }")));
        assert!(C.reads_stdin(&source("int main(){ freopen(\"/dev/stdin\",\"r\",f); }")));
        assert!(C.reads_stdin(&source("int main(){ read(0, b, 9); }")));
        assert!(!C.reads_stdin(&source(
            "// scanf\nint main(){ puts(\"cin\"); fscanf(f, x); read(n); }"
        )));
    }

    #[test]
    fn arguments_are_told_from_a_parameter_that_nobody_uses() {
        assert!(C.reads_arguments(&source("int main(int c, char**v){ return atoi(v[1]); }")));
        assert!(!C.reads_arguments(&source(
            "int main(int argc, char**argv){ return 0; } // argv"
        )));
        assert!(!C.reads_arguments(&source("int main(){ return 0; }")));
    }

    #[test]
    fn commands_of_windows_are_found_in_code_only() {
        let found = |text: &str| windows_command(&source(text)[0]).map(|text| text.en);
        assert_eq!(
            found("int main(){ system ( \"Pause > nul\"); }").as_deref(),
            Some("`system(\"Pause > nul\")` is for Windows and does nothing here; leave it out.")
        );
        assert_eq!(
            found("// system(\"cls\")\nint main(){ system(x); system(\"ls\"); }"),
            None
        );
    }

    #[test]
    fn includes_are_found_in_any_form_but_not_in_comments() {
        let source =
            &source("#include <a.h>\r\n # include \"d/b.h\" // x\n/*\n#include <c.h>\n*/")[0];
        assert_eq!(includes(source), ["a.h", "d/b.h"]);
        assert_eq!(quoted_includes(source), ["b.h"]);
    }
}
