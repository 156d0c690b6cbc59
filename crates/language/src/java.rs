//! Java, by the JDK.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

use crate::code::{any_phrase, code};
use crate::encoding::to_utf8;
use crate::java_classes::{Classes, classes};
use crate::plan_files::{PlanFiles, PlanPath};
use crate::search::Questions;
use crate::strip::Family;
use crate::{Command, Language, NotInstalled, Plan, Toolchain, advice, files, search};

/// Java 17 or newer.
pub(crate) struct Java;

/// Oldest version that is accepted.
const OLDEST: u32 = 17;

/// Options of the compiler.
const FLAGS: [&str; 3] = ["-encoding", "UTF-8", "-proc:none"];

/// Options of the compiler's own Java machine: it lives for half a second, so it should start fast.
const COMPILER_MACHINE: [&str; 5] = [
    "-J-XX:+UseSerialGC",
    "-J-XX:TieredStopAtLevel=1",
    "-J-Xshare:auto",
    "-J-XX:-UsePerfData",
    "-J-Xmx512m",
];

/// Options of the Java machine that runs a program. One collector thread, so that CPU time is the program's;
/// a stack as deep as a native program's.
const MACHINE: [&str; 4] = [
    "-XX:+UseSerialGC",
    "-Xss64m",
    "-Xshare:auto",
    "-XX:-UsePerfData",
];

/// The folder of what the compiler writes.
const CLASSES: &str = "classes";

/// The smallest heap with which the machine starts without complaint.
const SMALLEST_HEAP_MIB: u64 = 8;

static FOUND: OnceLock<Result<Toolchain, NotInstalled>> = OnceLock::new();

fn find(path: &OsStr) -> Result<Toolchain, NotInstalled> {
    let mut missing = "javac".to_owned();
    let mut questions = Questions::default();
    for candidate in search::candidates(path, "javac") {
        // The candidate may be a link or a shim; the machine itself knows its home and its version.
        let Some(answer) = questions.ask(&candidate, &["-J-XshowSettings:properties", "-version"])
        else {
            // Before Java 9 this option is not understood.
            if let Some(old) = questions.ask(&candidate, &["-version"]) {
                missing = too_old(search::version(&old).unwrap_or("an unknown version"));
            }
            continue;
        };
        let (Some(home), Some(version)) = (
            property(&answer, "java.home"),
            property(&answer, "java.version"),
        ) else {
            continue;
        };
        if search::numbers(version)[0] < OLDEST {
            missing = too_old(version);
            continue;
        }
        let home = search::real(Path::new(home));
        let programs = vec![home.join("bin/javac"), home.join("bin/java")];
        if let Some(absent) = programs.iter().find(|program| !program.is_file()) {
            missing = absent.display().to_string();
            continue;
        }
        return Ok(Toolchain {
            language: LanguageId::Java,
            version: format!("javac {version}"),
            flags: FLAGS.map(str::to_owned).to_vec(),
            readable: search::outside_system(settings(&home).into_iter().chain([home.clone()])),
            programs,
        });
    }
    Err(NotInstalled {
        language: LanguageId::Java,
        program: missing,
        install: "apt-get install default-jdk-headless".to_owned(),
        broken: questions.broken(),
    })
}

fn too_old(version: &str) -> String {
    format!("javac {OLDEST} or newer, found {version}")
}

/// A line `name = value` of `-XshowSettings:properties`.
fn property<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    answer.lines().find_map(|line| {
        let value = line.trim_start().strip_prefix(name)?.trim_start();
        Some(value.strip_prefix('=')?.trim())
    })
}

/// The folders outside the JDK where a distribution keeps the machine's settings; without them it does not
/// start (`jvm.cfg`).
fn settings(home: &Path) -> Vec<PathBuf> {
    [
        "lib/jvm.cfg",
        "conf/logging.properties",
        "conf/security/java.security",
    ]
    .iter()
    .map(|file| home.join(file))
    .filter_map(|file| fs::canonicalize(file).ok())
    .filter(|file| !file.starts_with(home))
    .filter_map(|file| file.parent().map(Path::to_owned))
    .collect()
}

impl Language for Java {
    fn id(&self) -> LanguageId {
        LanguageId::Java
    }

    fn find(&self) -> Result<Toolchain, NotInstalled> {
        FOUND.get_or_init(|| find(&search::path())).clone()
    }

    fn plan(&self, sources: &[SourceFile], toolchain: &Toolchain, build: &Path) -> Plan {
        let (mut files, sources) = PlanFiles::new(sources);
        let units = files::main_sources(sources, LanguageId::Java.extensions(), &[]);
        files.reserve(CLASSES);
        let mut compiled = Vec::new();
        let mut mains: Vec<(String, &SourceFile)> = Vec::new();
        for source in sources {
            if !units.iter().any(|unit| unit.path == source.path) {
                files.place(&source.path, source.bytes.to_vec());
                continue;
            }
            let classes = classes(&code(source, Family::Java));
            // Of two files with the same class the second gets another folder, and the compiler says so.
            let path = files.place(
                &file_path(&classes, source),
                to_utf8(&source.bytes).into_owned().into_bytes(),
            );
            compiled.push(files::argument(&path));
            mains.extend(classes.launched().map(|main| (main, source)));
        }
        let named_main =
            |(main, _): &&(String, &SourceFile)| main.rsplit('.').next() == Some("Main");
        let main = mains.iter().find(named_main).or(mains.first());
        let (files, mut hints) = files.finish();
        match main {
            None => hints.push(advice::no_main("public static void main(String[] args)")),
            Some((_, source)) if mains.len() > 1 => hints.push(advice::chosen(source.name())),
            Some(_) => {}
        }
        let output = format!("./{CLASSES}");
        let mut arguments: Vec<&str> = COMPILER_MACHINE.to_vec();
        arguments.extend(toolchain.flags.iter().map(String::as_str));
        arguments.extend(["-d", &output]);
        arguments.extend(compiled.iter().map(String::as_str));
        Plan {
            steps: vec![Command {
                program: toolchain.programs[0].clone(),
                arguments: arguments.into_iter().map(OsString::from).collect(),
                environment: search::build_environment(toolchain, build),
            }],
            entry: main.map_or_else(|| "Main".to_owned(), |(main, _)| main.clone()),
            hints,
            files,
        }
    }

    fn command(&self, plan: &Plan, toolchain: &Toolchain, build: &Path, memory: Bytes) -> Command {
        let heap = (memory.0 >> 20).max(SMALLEST_HEAP_MIB);
        let mut arguments: Vec<OsString> = MACHINE.iter().map(OsString::from).collect();
        arguments.push(format!("-Xmx{heap}m").into());
        arguments.extend(["-cp".into(), build.join(CLASSES).into()]);
        arguments.push((&plan.entry).into());
        Command {
            program: toolchain
                .programs
                .get(1)
                .unwrap_or(&toolchain.programs[0])
                .clone(),
            arguments,
            environment: Vec::new(),
        }
    }

    fn overhead(&self) -> Bytes {
        // A machine that has done nothing has 36 MiB resident, and a full heap comes with 34 MiB besides; the
        // rest is for a deep stack (at most 64 MiB) and compiled code.
        Bytes(128 << 20)
    }

    fn reserves_memory(&self) -> bool {
        true
    }

    fn threads(&self) -> u32 {
        // 14 on two processors and 16 on 64; the machine starts more compilers while it is busy.
        32
    }

    fn explain_build(&self, messages: &[u8], _: &[SourceFile]) -> Vec<Text> {
        let messages = &String::from_utf8_lossy(messages);
        let mut list = Vec::new();
        let misnamed = "should be declared in a file named ";
        // Where the name is too long for a file, that has been said.
        if advice::all_between(messages, misnamed, ".java")
            .iter()
            .any(|name| name.len() <= PlanPath::LONGEST_PART)
        {
            list.push(Text::new(
                "A file may have one public class only, and two files must not have the same one.",
                "一个文件里只能有一个 public 类，两个文件也不能有同名的类。",
            ));
        }
        if messages.contains("unmappable character") {
            list.push(Text::new(
                "The file holds bytes that are no text: save it as UTF-8.",
                "文件里有无法识别的字节：请另存为 UTF-8 编码。",
            ));
        }
        for line in messages.lines() {
            if let Some((_, name)) = line.split_once("error: duplicate class: ") {
                advice::push(&mut list, duplicate(name));
            }
        }
        for line in messages
            .lines()
            .filter(|line| line.contains("error: package "))
        {
            if let Some(name) = advice::between(line, "error: package ", " does not exist") {
                let name = advice::quote(name);
                let text = Text::new(
                    format!(
                        "There is no package `{name}` here. Only what comes with the JDK is available; a file \
                         of your own has to be handed in too."
                    ),
                    format!(
                        "这里没有包 `{name}`。只能使用 JDK 自带的类；如果是你自己写的，请一并提交。"
                    ),
                );
                advice::push(&mut list, text);
            }
        }
        list
    }

    fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text> {
        let stderr = &String::from_utf8_lossy(stderr);
        if stderr.contains("Error: Main method not found")
            || stderr.contains("Could not find or load main class")
        {
            return vec![advice::no_main("public static void main(String[] args)")];
        }
        let Some((name, detail, line)) = exception(stderr) else {
            let status = match end {
                End::Exited(0) | End::Signalled(_) => None,
                End::Exited(status) => Some(Text::new(
                    format!(
                        "The program ended itself with exit status {status} (`System.exit`); only 0 means success."
                    ),
                    format!("程序自己以退出码 {status} 结束（`System.exit`），只有 0 才表示成功。"),
                )),
            };
            return advice::signal(end).into_iter().chain(status).collect();
        };
        let mut list = vec![advice::exception(name, detail, line)];
        match name.rsplit('.').next().unwrap_or(name) {
            "NoSuchElementException" => list.push(advice::end_of_input()),
            "InputMismatchException" | "NumberFormatException" => {
                list.push(if is_of_null(detail) {
                    advice::end_of_input()
                } else {
                    advice::not_a_number()
                });
            }
            "NullPointerException" if detail.contains(".readLine()\" is null") => {
                list.push(advice::end_of_input());
            }
            "ArrayIndexOutOfBoundsException"
            | "IndexOutOfBoundsException"
            | "StringIndexOutOfBoundsException" => {
                list.push(advice::index_out_of_range());
            }
            "StackOverflowError" => list.push(advice::deep_recursion()),
            "HeadlessException" => list.push(Text::new(
                "The program opens a window; this task wants a console program.",
                "程序要打开窗口；本题要求的是控制台程序。",
            )),
            _ => {}
        }
        list
    }

    fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        String::from_utf8_lossy(stderr).contains("java.lang.OutOfMemoryError")
    }

    fn missing_file(&self, stderr: &[u8], _: &[SourceFile]) -> Option<String> {
        let stderr = String::from_utf8_lossy(stderr);
        let (name, detail, _) = exception(&stderr)?;
        let file = match name {
            "java.io.FileNotFoundException" => {
                detail.strip_suffix(" (No such file or directory)")?
            }
            "java.nio.file.NoSuchFileException" => detail,
            _ => return None,
        };
        (!file.is_empty()).then(|| file.to_owned())
    }

    fn reads_stdin(&self, sources: &[SourceFile]) -> bool {
        any_phrase(
            sources,
            Family::Java,
            &["System.in", "System.console", "FileDescriptor.in"],
        ) || sources
            .iter()
            .any(|source| to_utf8(&source.bytes).contains("\"/dev/stdin\""))
    }

    fn reads_arguments(&self, sources: &[SourceFile]) -> bool {
        sources
            .iter()
            .any(|source| classes(&code(source, Family::Java)).uses_arguments)
    }
}

/// Where a source is written: in the folder of its package, under the name of its class.
fn file_path(classes: &Classes, source: &SourceFile) -> String {
    let stem = classes.file_stem().map_or_else(
        || match source.name() {
            special @ ("package-info.java" | "module-info.java") => files::stem(special).to_owned(),
            _ => "Main".to_owned(),
        },
        str::to_owned,
    );
    files::join(&classes.folder(), &format!("{stem}.java"))
}

fn duplicate(name: &str) -> Text {
    let name = advice::quote(name);
    Text::new(
        format!("More than one file has a class `{name}`. Hand in the files of one program only."),
        format!("有不止一个文件定义了类 `{name}`。请只提交同一个程序的文件。"),
    )
}

/// Name, message and source line of the exception that ended the program: of its innermost cause, since those
/// round it only pass it on.
fn exception(stderr: &str) -> Option<(&str, &str, Option<&str>)> {
    const UNCAUGHT: &str = "Exception in thread \"";
    let begin = stderr.lines().position(|line| line.starts_with(UNCAUGHT))?;
    let mut lines = stderr.lines().skip(begin);
    // The first quote ends the name of the thread; a message may hold more of them.
    let (_, mut header) = lines.next()?.strip_prefix(UNCAUGHT)?.split_once("\" ")?;
    let mut line = None;
    let mut is_known = false;
    for text in lines {
        let cause = text.strip_prefix("Caused by: ");
        // One that goes round in a circle is given in brackets.
        if let Some(cause) = cause.filter(|cause| !cause.starts_with('[')) {
            header = cause;
            is_known = false;
        } else if let Some(frame) = text.strip_prefix("\tat ") {
            // A cause without a frame of its own shares those of what it caused.
            if !is_known && is_own(frame) {
                is_known = true;
                line = line_of(frame);
            }
        } else if text.starts_with(UNCAUGHT) {
            break;
        }
    }
    if header.is_empty() {
        return None;
    }
    let (name, detail) = header.split_once(": ").unwrap_or((header, ""));
    Some((name.trim_end_matches(':'), detail, line))
}

/// Whether a number was made of no text at all: that is what reading gives at the end of the input. The words
/// are those of several versions of Java.
fn is_of_null(detail: &str) -> bool {
    detail.starts_with("null")
        || detail.starts_with("Cannot parse null string")
        || detail.contains("because \"s\" is null")
}

/// Whether a frame is the student's, and not of Java itself.
fn is_own(frame: &str) -> bool {
    !["java.", "jdk.", "sun."]
        .iter()
        .any(|library| frame.starts_with(library))
}

/// The line of a frame: `Main.main(Main.java:5)`.
fn line_of(frame: &str) -> Option<&str> {
    let (_, number) = frame.strip_suffix(')')?.rsplit_once(':')?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        assert_eq!(
            find(OsStr::new("/nowhere")).unwrap_err(),
            NotInstalled {
                language: LanguageId::Java,
                program: "javac".to_owned(),
                install: "apt-get install default-jdk-headless".to_owned(),
                broken: None,
            }
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_compiler_that_is_too_old_is_named_as_such() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let javac = folder.path().join("javac");
        fs::write(
            &javac,
            "#!/bin/sh\nprintf '    java.home = /opt/jdk\\n    java.version = 11.0.2\\n' >&2\n",
        )
        .unwrap();
        fs::set_permissions(&javac, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(
            find(folder.path().as_os_str()).unwrap_err().to_string(),
            "not installed: javac 17 or newer, found 11.0.2 (java)"
        );
    }

    #[test]
    fn the_line_of_an_exception_is_the_student_s_own() {
        let trace = "Exception in thread \"main\" java.util.NoSuchElementException: No line found\n\
                     \tat java.base/java.util.Scanner.nextLine(Scanner.java:1651)\n\
                     \tat Main.main(Main.java:5)\n";
        assert_eq!(
            exception(trace),
            Some((
                "java.util.NoSuchElementException",
                "No line found",
                Some("5")
            ))
        );
        assert_eq!(exception("all is well"), None);
    }
}
