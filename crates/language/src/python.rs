//! Python 3, by CPython.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

use crate::code::{any_phrase, code, has_phrase, tokens};
use crate::encoding::{for_python, to_utf8};
use crate::plan_files::PlanFiles;
use crate::search::Questions;
use crate::strip::Family;
use crate::{Command, Language, NotInstalled, Plan, Toolchain, advice, files, search};

/// Python 3.
pub(crate) struct Python;

/// No byte code beside the sources, no variables and no packages of the user, UTF-8 whatever the locale. `-I`
/// would also hide the modules beside the script; `-S` would hide `exit`.
const FLAGS: [&str; 5] = ["-B", "-E", "-s", "-X", "utf8"];

/// Oldest version that is accepted.
const OLDEST: [u32; 2] = [3, 8];

/// For the syntax check. Nothing of a student's may run while it is built, with a compiler's limits: without `-I`
/// a script called `traceback.py` would be imported in the place of the library's.
const CHECK_FLAGS: [&str; 4] = ["-I", "-B", "-X", "utf8"];

/// Asks a candidate where its interpreter is. The candidate may be a shim of a version manager, or belong to a virtual
/// environment. Programs get the interpreter that an environment was made from, and only its standard library: so it
/// does not matter whether they can see the folder of the environment.
const WHERE: &str = "\
import os, platform, sys
base = getattr(sys, 'base_prefix', sys.prefix)
executable = os.path.realpath(getattr(sys, '_base_executable', None) or sys.executable)
if base != sys.prefix and executable.startswith(os.path.realpath(sys.prefix) + os.sep):
    executable = os.path.join(base, 'bin', 'python%d.%d' % sys.version_info[:2])
print(executable)
print(platform.python_version())
print(base)
";

/// Reads every file as the interpreter would, and says only what a student needs to know.
const SYNTAX_CHECK: &str = "\
import sys, traceback
failed = 0
for name in sys.argv[1:]:
    try:
        with open(name, 'rb') as file:
            compile(file.read(), name, 'exec', dont_inherit=True)
    except Exception as error:
        failed = 1
        sys.stderr.writelines(traceback.format_exception_only(type(error), error))
sys.exit(failed)
";

static FOUND: OnceLock<Result<Toolchain, NotInstalled>> = OnceLock::new();

fn find(path: &OsStr) -> Result<Toolchain, NotInstalled> {
    let mut missing = "python3".to_owned();
    let mut questions = Questions::default();
    for name in ["python3", "python"] {
        for candidate in search::candidates(path, name) {
            let Some(answer) = questions.ask(&candidate, &["-c", WHERE]) else {
                continue;
            };
            let lines: Vec<&str> = answer.lines().collect();
            let [executable, version, base, ..] = lines[..] else {
                continue;
            };
            if search::numbers(version) < OLDEST {
                missing = format!(
                    "python3 {}.{} or newer, found {version}",
                    OLDEST[0], OLDEST[1]
                );
                continue;
            }
            let program = search::real(Path::new(executable));
            return Ok(Toolchain {
                language: LanguageId::Python,
                version: format!("Python {version}"),
                flags: FLAGS.map(str::to_owned).to_vec(),
                readable: search::outside_system([PathBuf::from(base)]),
                programs: vec![program],
            });
        }
    }
    Err(NotInstalled {
        language: LanguageId::Python,
        program: missing,
        install: "apt-get install python3".to_owned(),
        broken: questions.broken(),
    })
}

impl Language for Python {
    fn id(&self) -> LanguageId {
        LanguageId::Python
    }

    fn find(&self) -> Result<Toolchain, NotInstalled> {
        FOUND.get_or_init(|| find(&search::path())).clone()
    }

    fn plan(&self, sources: &[SourceFile], toolchain: &Toolchain, build: &Path) -> Plan {
        let (mut files, sources) = PlanFiles::new(sources);
        let scripts = files::main_sources(sources, LanguageId::Python.extensions(), &[]);
        let (root, certain) = root(&scripts);
        let mut entry = "main.py".to_owned();
        let mut checked = Vec::new();
        for source in sources {
            if !scripts.iter().any(|script| script.path == source.path) {
                files.place(&source.path, source.bytes.to_vec());
                continue;
            }
            // A lone script called `random.py` would hide the module of that name from itself.
            let wanted = match scripts.len() {
                1 => "main.py",
                _ => &source.path,
            };
            let path = files.place(wanted, for_python(&source.bytes).into_owned());
            if root.is_some_and(|root| root.path == source.path) {
                entry = path.to_string();
            }
            checked.push(files::argument(&path));
        }
        let (files, mut hints) = files.finish();
        if !certain {
            hints.push(advice::chosen(&entry));
        }
        let mut arguments: Vec<OsString> = CHECK_FLAGS.map(OsString::from).to_vec();
        arguments.extend(["-c", SYNTAX_CHECK].map(OsString::from));
        arguments.extend(checked.into_iter().map(OsString::from));
        Plan {
            files,
            steps: vec![Command {
                program: toolchain.programs[0].clone(),
                arguments,
                environment: search::build_environment(toolchain, build),
            }],
            entry,
            hints,
        }
    }

    fn command(&self, plan: &Plan, toolchain: &Toolchain, build: &Path, _: Bytes) -> Command {
        let mut arguments: Vec<OsString> = toolchain.flags.iter().map(OsString::from).collect();
        arguments.push(build.join(&plan.entry).into());
        Command {
            program: toolchain.programs[0].clone(),
            arguments,
            environment: Vec::new(),
        }
    }

    fn overhead(&self) -> Bytes {
        // An interpreter that has started and done nothing has 9 to 14 MiB resident.
        Bytes(16 << 20)
    }

    fn explain_build(&self, messages: &[u8], sources: &[SourceFile]) -> Vec<Text> {
        let messages = &String::from_utf8_lossy(messages);
        let mut list = Vec::new();
        let certain = [
            "Missing parentheses in call to 'print'",
            "Missing parentheses in call to 'exec'",
            "multiple exception types must be parenthesized",
        ];
        let likely = || {
            messages.contains("invalid syntax")
                && any_phrase(sources, Family::Python, &["raw_input", "xrange"])
        };
        if certain.iter().any(|sign| messages.contains(sign)) || likely() {
            list.push(python2());
        }
        if messages.contains("TabError") {
            list.push(Text::new(
                "Tabs and spaces are mixed in the indentation: use one of them only.",
                "缩进里混用了 Tab 和空格：请只用其中一种。",
            ));
        }
        let invalid = "invalid character '";
        if let Some(sign) = advice::between(messages, invalid, "'") {
            let sign = advice::quote(sign);
            list.push(Text::new(
                format!("`{sign}` is a full-width sign; the program needs the half-width one."),
                format!("`{sign}` 是全角（中文）符号，程序里要用半角（英文）符号。"),
            ));
        }
        list
    }

    fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text> {
        let stderr = &String::from_utf8_lossy(stderr);
        let Some((name, detail)) = exception(stderr) else {
            return advice::signal(end)
                .into_iter()
                .chain(ended_with(end))
                .collect();
        };
        if name == "ModuleNotFoundError"
            && let Some(module) = advice::between(detail, "No module named '", "'")
        {
            let module = advice::quote(module);
            return vec![Text::new(
                format!(
                    "There is no module `{module}` here: only the standard library of Python is available."
                ),
                format!("这里没有模块 `{module}`：只能使用 Python 标准库。"),
            )];
        }
        let mut list = vec![advice::exception(name, detail, line(stderr))];
        match name {
            "EOFError" => list.push(advice::end_of_input()),
            "IndexError" => list.push(advice::index_out_of_range()),
            "RecursionError" => list.push(Text::new(
                "Python allows about 1000 nested calls; a deeper recursion needs `sys.setrecursionlimit`.",
                "Python 默认只允许约 1000 层递归；需要更深时请用 `sys.setrecursionlimit`。",
            )),
            "ValueError" if detail.starts_with("invalid literal for int()")
                || detail.starts_with("could not convert string to float") =>
            {
                list.push(advice::not_a_number());
            }
            "NameError" if ["raw_input", "xrange", "unichr"].iter().any(|old| detail.contains(old)) => {
                list.push(python2());
            }
            _ => {}
        }
        list
    }

    fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let stderr = String::from_utf8_lossy(stderr);
        exception(&stderr).is_some_and(|(name, _)| name == "MemoryError")
            || stderr.lines().any(|line| line.trim_end() == "MemoryError")
    }

    fn missing_file(&self, stderr: &[u8], _: &[SourceFile]) -> Option<String> {
        let stderr = String::from_utf8_lossy(stderr);
        let (_, detail) = exception(&stderr).filter(|(name, _)| *name == "FileNotFoundError")?;
        advice::between(detail, "No such file or directory: '", "'").map(str::to_owned)
    }

    fn reads_stdin(&self, sources: &[SourceFile]) -> bool {
        any_phrase(
            sources,
            Family::Python,
            &["input(", "raw_input(", "stdin", "open(0", "fileinput"],
        ) || sources
            .iter()
            .any(|source| to_utf8(&source.bytes).contains("/dev/stdin"))
    }

    fn reads_arguments(&self, sources: &[SourceFile]) -> bool {
        any_phrase(
            sources,
            Family::Python,
            &["sys.argv", "argv[", "argparse", "import argv"],
        )
    }
}

/// The script to start, and whether there was no other choice: a file by one of the two usual names, else the
/// one that no other imports.
fn root<'a>(scripts: &[&'a SourceFile]) -> (Option<&'a SourceFile>, bool) {
    for wanted in ["main.py", "__main__.py"] {
        let named = scripts
            .iter()
            .filter(|script| script.name().eq_ignore_ascii_case(wanted));
        if let Some(script) = named.min_by_key(|script| script.path.matches('/').count()) {
            return (Some(script), true);
        }
    }
    let codes: Vec<String> = scripts
        .iter()
        .map(|script| code(script, Family::Python))
        .collect();
    let imports: Vec<BTreeSet<&str>> = codes.iter().map(|code| imported(code)).collect();
    let mut free: Vec<usize> = (0..scripts.len())
        .filter(|&index| {
            let stem = files::stem(&scripts[index].path);
            stem != "__init__"
                && !imports
                    .iter()
                    .enumerate()
                    .any(|(other, names)| other != index && names.contains(stem))
        })
        .collect();
    // A script that imports others is the program; one beside it that imports nothing is an attempt or a test.
    let importing: Vec<usize> = free
        .iter()
        .copied()
        .filter(|&index| {
            scripts
                .iter()
                .any(|script| imports[index].contains(files::stem(&script.path)))
        })
        .collect();
    if importing.len() == 1 {
        free = importing;
    }
    let guarded = free
        .iter()
        .find(|&&index| has_phrase(&tokens(&codes[index]), "if __name__"));
    let chosen = guarded.or(free.first()).copied().unwrap_or(0);
    (scripts.get(chosen).copied(), free.len() <= 1)
}

/// The names behind `import` and `from`, and their parts.
fn imported(code: &str) -> BTreeSet<&str> {
    code.lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with("import ") || line.starts_with("from "))
        .flat_map(tokens)
        .collect()
}

/// Name and message of the exception that ended the program: the last line that begins at the margin and
/// looks like one.
fn exception(stderr: &str) -> Option<(&str, &str)> {
    if !stderr.contains("Traceback (most recent call last)") && !stderr.contains("Error") {
        return None;
    }
    stderr.lines().rev().find_map(|line| {
        let line = line.trim_end();
        let (name, detail) = line
            .split_once(": ")
            .unwrap_or((line.trim_end_matches(':'), ""));
        let last = name.rsplit('.').next()?;
        let is_name = !last.is_empty()
            && last
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
        let known = [
            "Error",
            "Exception",
            "Interrupt",
            "Iteration",
            "Exit",
            "Warning",
        ];
        (is_name && known.iter().any(|end| last.ends_with(end))).then_some((name, detail))
    })
}

/// The line of the student's source that raised the exception: the innermost that is not in the library.
fn line(stderr: &str) -> Option<&str> {
    stderr
        .lines()
        .rev()
        .filter_map(|line| line.trim_start().strip_prefix("File \""))
        .filter(|rest| !rest.starts_with('<') && !rest.contains("/lib/python"))
        .find_map(|rest| {
            let (_, number) = rest.split_once("\", line ")?;
            number.split([',', ' ']).next()
        })
}

fn python2() -> Text {
    Text::new(
        "This is Python 2; here is Python 3: write `print(…)`, `input()` and `range`.",
        "这是 Python 2 的写法，这里是 Python 3：请写成 `print(…)`、`input()` 和 `range`。",
    )
}

fn ended_with(end: End) -> Option<Text> {
    match end {
        End::Exited(0) | End::Signalled(_) => None,
        End::Exited(status) => Some(Text::new(
            format!(
                "The program ended itself with exit status {status} (`exit`); only 0 means success."
            ),
            format!("程序自己以退出码 {status} 结束（`exit`），只有 0 才表示成功。"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        SourceFile::new(path, text.as_bytes())
    }

    #[test]
    fn a_missing_interpreter_is_named_with_the_way_to_get_it() {
        assert_eq!(
            find(OsStr::new("/nowhere")).unwrap_err().to_string(),
            "not installed: python3 (python)"
        );
    }

    #[cfg(unix)]
    #[test]
    fn an_interpreter_that_is_too_old_is_named_as_such() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let shim = folder.path().join("python");
        std::fs::write(
            &shim,
            "#!/bin/sh\nprintf '/usr/bin/python\\n2.7.18\\n/usr\\n'\n",
        )
        .unwrap();
        std::fs::set_permissions(&shim, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(
            find(folder.path().as_os_str()).unwrap_err().to_string(),
            "not installed: python3 3.8 or newer, found 2.7.18 (python)"
        );
    }

    #[test]
    fn the_script_that_no_other_imports_is_started() {
        let a = file("a.py", "def f(): pass");
        let b = file("皇后.py", "from a import f\n");
        let c = file("old.py", "print(1)");
        let main = file("src/main.py", "import a");
        let path = |scripts: &[&SourceFile]| {
            let (root, certain) = root(scripts);
            (root.map(|it| it.path.clone()), certain)
        };
        assert_eq!(path(&[&a, &b]), (Some("皇后.py".to_owned()), true));
        assert_eq!(path(&[&c, &a, &b]), (Some("皇后.py".to_owned()), true));
        assert_eq!(path(&[&a, &c]), (Some("a.py".to_owned()), false));
        assert_eq!(
            path(&[&a, &main, &b]),
            (Some("src/main.py".to_owned()), true)
        );
    }

    #[test]
    fn input_and_arguments_are_told_from_the_words() {
        let one = |text: &str| [file("a.py", text)];
        assert!(Python.reads_stdin(&one("n = int(input('n? '))")));
        assert!(Python.reads_stdin(&one("print(f\"{input()}\")")));
        assert!(!Python.reads_stdin(&one("# input()\nprint('input()')")));
        assert!(Python.reads_arguments(&one("import sys\nn = int(sys.argv[1])")));
        assert!(!Python.reads_arguments(&one("'''sys.argv'''")));
    }
}
