//! Pascal, by Free Pascal.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

use crate::code::{code, has_phrase, tokens};
use crate::encoding::as_bytes;
use crate::plan_files::PlanFiles;
use crate::search::Questions;
use crate::strip::Family;
use crate::{Command, Language, NotInstalled, OpenedFiles, Plan, Toolchain, advice, files, search};

/// Free Pascal.
pub(crate) struct Pascal;

/// The dialect with `result`, classes and exceptions, and with integers of 32 bits: it accepts most programs
/// that were written for Free Pascal, Delphi or Lazarus. The dialect without a flag has 16-bit integers and no
/// `result`. `-Sgic` (`goto`, `inline`, `+=`) is what the configuration file of the package sets.
const FLAGS: [&str; 5] = ["-Mobjfpc", "-Sgic", "-O2", "-Xs", "-dONLINE_JUDGE"];

static FOUND: OnceLock<Result<Toolchain, NotInstalled>> = OnceLock::new();

fn find(path: &OsStr) -> Result<Toolchain, NotInstalled> {
    let mut questions = Questions::default();
    for driver in search::candidates(path, "fpc") {
        let Some(version) = questions.ask(&driver, &["-iV"]) else {
            continue;
        };
        let Some(version) = search::version(&version) else {
            continue;
        };
        // `fpc` only chooses the compiler for a processor and starts it.
        let compiler = questions
            .ask(&driver, &["-PB"])
            .map(|answer| search::real(Path::new(answer.trim())))
            .filter(|compiler| compiler.is_absolute() && compiler.is_file());
        let program = compiler.clone().unwrap_or_else(|| search::real(&driver));
        let mut flags = FLAGS.map(str::to_owned).to_vec();
        let mut folders: Vec<PathBuf> = search::prefix(&program).into_iter().collect();
        match compiler.and_then(|compiler| units(&mut questions, &driver, &compiler)) {
            // With the units named, the configuration file in /etc is not needed, and a sandbox need not show it.
            Some(units) => {
                flags.push("-n".to_owned());
                flags.push(format!("-Fu{}/*", units.display()));
                folders.push(units);
                flags.extend(
                    startup_files(&mut questions).map(|folder| format!("-Fl{}", folder.display())),
                );
            }
            None => folders.push(PathBuf::from("/etc")),
        }
        return Ok(Toolchain {
            language: LanguageId::Pascal,
            version: format!("fpc {version}"),
            flags,
            readable: search::outside_system(folders),
            programs: vec![program],
        });
    }
    Err(NotInstalled {
        language: LanguageId::Pascal,
        program: "fpc".to_owned(),
        install: "apt-get install fp-compiler".to_owned(),
        broken: questions.broken(),
    })
}

/// The folder of the units that came with the compiler.
fn units(questions: &mut Questions, driver: &Path, compiler: &Path) -> Option<PathBuf> {
    let mut ask = |what| Some(questions.ask(driver, &[what])?.trim().to_owned());
    let target = format!("{}-{}", ask("-iTP")?, ask("-iTO")?);
    let folder = compiler.parent()?.join("units").join(target);
    folder.is_dir().then_some(folder)
}

/// The folder of `crtbegin.o`, which units that use the C library need (`cmem`, `cthreads`).
fn startup_files(questions: &mut Questions) -> Option<PathBuf> {
    let answer = questions.ask(Path::new("/usr/bin/gcc"), &["-print-file-name=crtbegin.o"])?;
    let file = search::real(Path::new(answer.trim()));
    file.is_absolute()
        .then(|| file.parent().map(Path::to_owned))?
}

impl Language for Pascal {
    fn id(&self) -> LanguageId {
        LanguageId::Pascal
    }

    fn find(&self) -> Result<Toolchain, NotInstalled> {
        FOUND.get_or_init(|| find(&search::path())).clone()
    }

    fn plan(&self, sources: &[SourceFile], toolchain: &Toolchain, build: &Path) -> Plan {
        let (mut files, sources) = PlanFiles::new(sources);
        let units = files::main_sources(
            sources,
            LanguageId::Pascal.extensions(),
            LanguageId::Pascal.header_extensions(),
        );
        let programs: Vec<&&SourceFile> =
            units.iter().filter(|source| is_program(source)).collect();
        let root = programs
            .first()
            .or(units.first().as_ref())
            .map(|source| **source);
        let mut entry = "main.pas".to_owned();
        for source in sources {
            let is_root = root.is_some_and(|root| root.path == source.path);
            // No other file needs the name of the program, and names of students are no identifiers.
            let plain = files::join(files::folder(&source.path), "main.pas");
            let is_free = || {
                !sources
                    .iter()
                    .any(|other| other.path.eq_ignore_ascii_case(&plain))
            };
            let wanted = if is_root && is_free() {
                &plain
            } else {
                &source.path
            };
            let path = files.place(wanted, as_bytes(&source.bytes).into_owned());
            if is_root {
                entry = path.to_string();
            }
        }
        let executable = files.executable();
        let (files, mut hints) = files.finish();
        if programs.len() > 1 {
            hints.push(advice::chosen(root.map_or("", SourceFile::name)));
        }
        if programs.is_empty() {
            hints.push(no_program());
        }

        let paths = || files.iter().map(|(path, _)| &**path);
        let mut arguments = toolchain.flags.clone();
        // Errors, warnings and notes, without the banner.
        arguments.extend(["-l-", "-vewn"].map(str::to_owned));
        arguments.extend(files::folder_options("-Fu", paths()));
        arguments.extend(files::folder_options("-Fi", paths()));
        arguments.extend(["-FU.".to_owned(), format!("-o./{executable}")]);
        arguments.push(files::argument(&entry));
        Plan {
            files,
            steps: vec![Command {
                program: toolchain.programs[0].clone(),
                arguments: arguments.into_iter().map(OsString::from).collect(),
                environment: search::build_environment(toolchain, build),
            }],
            entry: executable,
            hints,
        }
    }

    fn command(&self, plan: &Plan, _: &Toolchain, build: &Path, _: Bytes) -> Command {
        crate::c_family::run(plan, build)
    }

    fn explain_build(&self, messages: &[u8], sources: &[SourceFile]) -> Vec<Text> {
        let messages = &String::from_utf8_lossy(messages);
        let mut list = Vec::new();
        for name in advice::all_between(messages, "Can't find unit ", " used by") {
            let lower = name.to_lowercase();
            list.push(match lower.as_str() {
                "windows" | "wincrt" | "graph" | "wingraph" => advice::foreign(name),
                "forms" | "dialogs" | "stdctrls" | "controls" | "graphics" | "interfaces" => {
                    window(name)
                }
                _ => no_unit(name),
            });
        }
        if messages
            .to_uppercase()
            .contains("DUPLICATE IDENTIFIER \"RESULT\"")
        {
            list.push(Text::new(
                "`result` is the value of the function itself: give your variable another name.",
                "`result` 在函数里就是返回值本身：请给你的变量换一个名字。",
            ));
        }
        if messages.contains("\"BEGIN\" expected but \"end of file\" found")
            || (messages.contains("Unexpected end of file") && !sources.iter().any(is_program))
        {
            list.push(no_program());
        } else if messages.contains("Unexpected end of file")
            || messages.contains("\";\" expected but \".\" found")
        {
            list.push(Text::new(
                "The file ends too early: an `end` is missing, or the last one has no full stop (`end.`).",
                "文件提前结束了：可能少写了 `end`，或者最后的 `end` 后面缺少句点（`end.`）。",
            ));
        }
        list
    }

    fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text> {
        let stderr = &String::from_utf8_lossy(stderr);
        if let Some(number) = advice::between(stderr, "Runtime error ", " at ") {
            return vec![runtime_error(number)];
        }
        if stderr.contains("An unhandled exception occurred at ") {
            let mut lines = stderr
                .lines()
                .skip_while(|line| !line.starts_with("An unhandled"));
            let (name, detail) = lines
                .nth(1)
                .and_then(|line| line.split_once(": "))
                .unwrap_or(("Exception", ""));
            return vec![advice::exception(name, detail, None)];
        }
        if let Some(text) = advice::signal(end) {
            return vec![text];
        }
        match end {
            End::Exited(0) | End::Signalled(_) => Vec::new(),
            End::Exited(status) => vec![Text::new(
                format!(
                    "The program ended itself with exit status {status} (`halt`); only 0 means success."
                ),
                format!("程序自己以退出码 {status} 结束（`halt`），只有 0 才表示成功。"),
            )],
        }
    }

    fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let stderr = String::from_utf8_lossy(stderr);
        stderr.contains("Runtime error 203 ") || stderr.contains("EOutOfMemory")
    }

    fn missing_file(&self, stderr: &[u8], sources: &[SourceFile]) -> Option<String> {
        let is_missing = String::from_utf8_lossy(stderr).contains("Runtime error 2 at ");
        let OpenedFiles { read, .. } = self.opened_files(sources);
        read.into_iter().next().filter(|_| is_missing)
    }

    fn opened_files(&self, sources: &[SourceFile]) -> OpenedFiles {
        OpenedFiles::find(sources, Family::Pascal)
    }

    fn reads_stdin(&self, sources: &[SourceFile]) -> bool {
        sources.iter().any(|source| {
            let code = code(source, Family::Pascal).to_lowercase();
            let tokens = tokens(&code);
            // `readln;` alone only waits for a key.
            tokens.windows(3).any(|window| {
                matches!(window[0], "read" | "readln") && window[1] == "(" && window[2] != ")"
            })
        })
    }

    fn reads_arguments(&self, sources: &[SourceFile]) -> bool {
        sources.iter().any(|source| {
            let code = code(source, Family::Pascal).to_lowercase();
            let tokens = tokens(&code);
            tokens.contains(&"paramstr") || tokens.contains(&"paramcount")
        })
    }
}

/// Whether a file is a program and not a unit: it ends with `begin … end.` and does not begin with `unit`.
fn is_program(source: &SourceFile) -> bool {
    let code = code(source, Family::Pascal).to_lowercase();
    let tokens = tokens(&code);
    match tokens.first() {
        Some(&"program") => true,
        Some(&("unit" | "library")) | None => false,
        Some(_) => tokens.contains(&"begin") && has_phrase(&tokens, "end."),
    }
}

fn no_program() -> Text {
    Text::new(
        "There is no main program (`begin … end.`): this task wants a whole program that reads its input and \
         prints the answer.",
        "没有找到主程序（`begin … end.`）：本题要求提交完整的程序，自己读入数据、自己输出答案。",
    )
}

fn no_unit(name: &str) -> Text {
    let name = advice::quote(name);
    Text::new(
        format!("There is no unit `{name}` here. If it is your own, hand it in too."),
        format!("这里没有单元 `{name}`。如果是你自己写的，请一并提交。"),
    )
}

fn window(name: &str) -> Text {
    let name = advice::quote(name);
    Text::new(
        format!("The unit `{name}` makes windows; this task wants a console program."),
        format!("单元 `{name}` 是用来做窗口界面的；本题要求的是控制台程序。"),
    )
}

/// What a number of Free Pascal's run-time library means.
fn runtime_error(number: &str) -> Text {
    let (en, zh) = match number {
        "2" => ("a file that is opened does not exist", "要打开的文件不存在"),
        "3" => ("a folder does not exist", "目录不存在"),
        "5" => ("access to a file is denied", "没有访问文件的权限"),
        "100" => ("reading behind the end of a file", "读到了文件末尾之后"),
        "101" => ("a file could not be written", "写文件失败"),
        "102" => ("a file variable without `assign`", "文件变量没有 `assign`"),
        "103" => ("a file that is not open", "文件没有打开"),
        "104" => (
            "a file that is not open for reading",
            "文件没有以读方式打开",
        ),
        "105" => (
            "a file that is not open for writing",
            "文件没有以写方式打开",
        ),
        "106" => (
            "the input is no number where one is read",
            "读数时遇到了不是数的内容",
        ),
        "200" => ("division by zero", "除以零"),
        "201" => ("an index or a value out of its range", "下标或数值超出范围"),
        "202" => (
            "stack overflow; the recursion may have no end",
            "栈溢出，递归可能没有出口",
        ),
        "203" => ("not enough memory", "内存不够"),
        "204" => (
            "an invalid pointer, or memory freed twice",
            "指针无效，或内存被重复释放",
        ),
        "205" => ("a real number became too large", "实数运算上溢"),
        "206" => ("a real number became too small", "实数运算下溢"),
        "207" => (
            "an invalid operation with real numbers, such as the root of a negative one",
            "非法的实数运算，例如对负数开方",
        ),
        "210" | "219" => (
            "an object that is not what the program takes it for",
            "对象的类型不对，或对象没有初始化",
        ),
        "215" => ("a whole number became too large", "整数运算溢出"),
        "216" => (
            "access to memory that is not its own: an index outside its array, a `nil` pointer, or recursion without end",
            "访问了不属于它的内存：数组下标越界、空指针 `nil`，或递归没有出口",
        ),
        "217" => ("an exception that nobody caught", "异常没有被捕获"),
        "227" => ("an assertion failed", "断言（assert）不成立"),
        _ => (
            "see the manual of Free Pascal",
            "含义请查阅 Free Pascal 手册",
        ),
    };
    let number = advice::quote(number);
    Text::new(
        format!("Runtime error {number}: {en}."),
        format!("运行时错误 {number}：{zh}。"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> [SourceFile; 1] {
        [SourceFile::new("a.pas", text.as_bytes())]
    }

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        assert_eq!(
            find(OsStr::new("/nowhere")).unwrap_err().to_string(),
            "not installed: fpc (pascal)"
        );
    }

    #[test]
    fn a_unit_is_no_program() {
        let is = |text: &str| is_program(&source(text)[0]);
        assert!(is("{x} Program p; begin end."));
        assert!(is("var n: integer; BEGIN END."));
        assert!(!is("unit u; interface implementation begin end."));
        assert!(!is("procedure x; begin end;"));
    }

    #[test]
    fn waiting_for_a_key_is_not_reading() {
        assert!(Pascal.reads_stdin(&source("begin ReadLn(n); end.")));
        assert!(!Pascal.reads_stdin(&source(
            "begin writeln('read(x)'); readln; readln() end. { read(n) }"
        )));
        assert!(Pascal.reads_arguments(&source("begin val(ParamStr(1), n) end.")));
        assert!(!Pascal.reads_arguments(&source("begin end.")));
    }
}
