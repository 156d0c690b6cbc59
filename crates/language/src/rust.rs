//! Rust, by rustc alone: one crate, no dependencies.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grader_model::{Bytes, End, LanguageId, SourceFile, Text};

use crate::code::{any_phrase, code, has_phrase, tokens};
use crate::encoding::{for_rust, to_utf8};
use crate::plan_files::PlanFiles;
use crate::search::Questions;
use crate::strip::Family;
use crate::{Command, Language, NotInstalled, OpenedFiles, Plan, Toolchain, advice, files, search};

/// Rust, edition 2021.
pub(crate) struct Rust;

const FLAGS: [&str; 6] = [
    "--edition",
    "2021",
    "-C",
    "opt-level=2",
    "-C",
    "debuginfo=0",
];

static FOUND: OnceLock<Result<Toolchain, NotInstalled>> = OnceLock::new();

fn missing(program: &str, install: &str, broken: Option<String>) -> NotInstalled {
    NotInstalled {
        language: LanguageId::Rust,
        program: program.to_owned(),
        install: install.to_owned(),
        broken,
    }
}

fn find(path: &OsStr) -> Result<Toolchain, NotInstalled> {
    let mut questions = Questions::default();
    for candidate in search::candidates(path, "rustc") {
        // The first rustc may be a proxy of rustup, which needs its own home to know what it stands for.
        let Some(sysroot) = questions.ask(&candidate, &["--print", "sysroot"]) else {
            continue;
        };
        let sysroot = PathBuf::from(sysroot.lines().next().unwrap_or_default());
        let own = sysroot.join("bin").join("rustc");
        let program = search::real(if own.is_file() { &own } else { &candidate });
        let Some(banner) = questions.ask(&program, &["--version"]) else {
            continue;
        };
        let Some(version) = search::version(&banner) else {
            continue;
        };
        let linker = ["cc", "gcc", "clang"]
            .iter()
            .find_map(|name| search::candidates(path, name).into_iter().next())
            .ok_or_else(|| {
                missing(
                    "cc (the linker of rustc)",
                    "apt-get install gcc libc6-dev",
                    None,
                )
            })?;
        let linker = search::real(&linker);
        let folders = [sysroot].into_iter().chain(search::prefix(&linker));
        return Ok(Toolchain {
            language: LanguageId::Rust,
            version: format!("rustc {version}"),
            flags: FLAGS.map(str::to_owned).to_vec(),
            readable: search::outside_system(folders),
            programs: vec![program, linker],
        });
    }
    Err(missing(
        "rustc",
        "apt-get install rustc",
        questions.broken(),
    ))
}

impl Language for Rust {
    fn id(&self) -> LanguageId {
        LanguageId::Rust
    }

    fn find(&self) -> Result<Toolchain, NotInstalled> {
        FOUND.get_or_init(|| find(&search::path())).clone()
    }

    fn plan(&self, sources: &[SourceFile], toolchain: &Toolchain, build: &Path) -> Plan {
        let (mut files, sources) = PlanFiles::new(sources);
        let mut needs_crates = false;
        let units = files::main_sources(
            sources,
            LanguageId::Rust.extensions(),
            &["toml", "lock", "md"],
        );
        let (root, certain) = root(&units);
        let mut entry = "main.rs".to_owned();
        for source in sources {
            let is_root = root.is_some_and(|root| root.path == source.path);
            let wanted = match (is_root, units.len()) {
                (true, 1) => "main.rs",
                _ => &source.path,
            };
            needs_crates |=
                source.name() == "Cargo.toml" && has_dependencies(&to_utf8(&source.bytes));
            let bytes = if is_root || source.extension() == "rs" {
                for_rust(&source.bytes)
            } else {
                source.bytes.to_vec()
            };
            let path = files.place(wanted, bytes);
            if is_root {
                entry = path.to_string();
            }
        }
        let executable = files.executable();
        let (files, mut hints) = files.finish();
        if needs_crates {
            hints.push(no_crates(None));
        }
        if !certain {
            hints.push(advice::chosen(&entry));
        }
        if root.is_some_and(|root| !has_main(root)) {
            hints.push(advice::no_main("fn main"));
        }

        let mut arguments: Vec<OsString> = toolchain.flags.iter().map(OsString::from).collect();
        let mut linker = OsString::from("linker=");
        linker.push(
            toolchain
                .programs
                .get(1)
                .map_or(OsStr::new("cc"), |it| it.as_os_str()),
        );
        arguments.extend(["-C".into(), linker]);
        // The name of a file need not be the name of a crate: `queens-1.rs`, `皇后 8.rs`.
        arguments.extend(["--crate-type", "bin", "--crate-name", "program"].map(Into::into));
        arguments.extend([
            "-o".into(),
            files::argument(&executable).into(),
            files::argument(&entry).into(),
        ]);
        Plan {
            files,
            steps: vec![Command {
                program: toolchain.programs[0].clone(),
                arguments,
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
        if messages.contains("error[E0601]") {
            list.push(advice::no_main("fn main"));
        }
        for (start, end) in [
            ("use of undeclared crate or module `", "`"),
            ("use of unresolved module or unlinked crate `", "`"),
            ("can't find crate for `", "`"),
            ("maybe a missing crate `", "`"),
            ("you might be missing crate `", "`"),
        ] {
            for name in advice::all_between(messages, start, end) {
                let text = own_library(name, sources).unwrap_or_else(|| no_crates(Some(name)));
                advice::push(&mut list, text);
            }
        }
        for name in advice::all_between(messages, "error[E0583]: file not found for module `", "`")
        {
            list.push(missing_module(name, sources));
        }
        if messages.contains("error[E0554]") {
            list.push(Text::new(
                "`#![feature(…)]` needs the nightly compiler; here is the stable one.",
                "`#![feature(…)]` 只有 nightly 编译器才支持，这里用的是稳定版。",
            ));
        }
        list
    }

    fn explain_run(&self, stderr: &[u8], end: End) -> Vec<Text> {
        let stderr = &String::from_utf8_lossy(stderr);
        if stderr.contains("has overflowed its stack") {
            return vec![advice::deep_recursion()];
        }
        let Some((place, message)) = panic_message(stderr) else {
            let status = match end {
                End::Exited(0) | End::Signalled(_) => None,
                End::Exited(status) => Some(ended_with(status, stderr)),
            };
            return advice::signal(end).into_iter().chain(status).collect();
        };
        let (place, shown) = (advice::quote(place), advice::quote(message));
        let mut list = vec![Text::new(
            format!("The program panicked at {place}: {shown}"),
            format!("程序在 {place} 处 panic：{shown}"),
        )];
        if message.contains("ParseIntError") || message.contains("ParseFloatError") {
            list.push(advice::not_a_number());
        } else if message.contains("index out of bounds") || message.contains("out of range") {
            list.push(advice::index_out_of_range());
        } else if message.contains("`Option::unwrap()` on a `None` value") {
            list.push(Text::new(
                "`unwrap` found nothing: input or a command-line argument may be missing.",
                "`unwrap` 时没有值：可能是缺少输入数据或命令行参数。",
            ));
        }
        list
    }

    fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let stderr = String::from_utf8_lossy(stderr);
        advice::between(&stderr, "memory allocation of ", " bytes failed").is_some()
    }

    fn missing_file(&self, stderr: &[u8], sources: &[SourceFile]) -> Option<String> {
        let is_missing = String::from_utf8_lossy(stderr).contains("kind: NotFound");
        let OpenedFiles { read, .. } = self.opened_files(sources);
        read.into_iter().next().filter(|_| is_missing)
    }

    fn opened_files(&self, sources: &[SourceFile]) -> OpenedFiles {
        OpenedFiles::find(sources, Family::Rust)
    }

    fn reads_stdin(&self, sources: &[SourceFile]) -> bool {
        any_phrase(sources, Family::Rust, &["stdin", "read_line", "StdinLock"])
            || sources
                .iter()
                .any(|source| to_utf8(&source.bytes).contains("\"/dev/stdin\""))
    }

    fn reads_arguments(&self, sources: &[SourceFile]) -> bool {
        any_phrase(sources, Family::Rust, &["env::args", "args()", "args_os()"])
    }
}

fn has_main(source: &SourceFile) -> bool {
    let code = code(source, Family::Rust);
    has_phrase(&tokens(&code), "fn main")
}

/// The file from which the crate starts, and whether there was no other choice.
fn root<'a>(units: &[&'a SourceFile]) -> (Option<&'a SourceFile>, bool) {
    let named = |wanted: &str| {
        units
            .iter()
            .filter(|source| source.path == wanted || source.path.ends_with(&format!("/{wanted}")))
            .min_by_key(|source| source.path.len())
    };
    if let Some(source) = named("src/main.rs").or_else(|| named("main.rs")) {
        return (Some(source), true);
    }
    let mains: Vec<&&SourceFile> = units.iter().filter(|source| has_main(source)).collect();
    let root = mains
        .first()
        .or(units.first().as_ref())
        .map(|source| **source);
    (root, mains.len() <= 1)
}

/// Whether a `Cargo.toml` names crates that the program is linked with.
fn has_dependencies(manifest: &str) -> bool {
    let mut inside = false;
    manifest.lines().map(str::trim).any(|line| {
        if line.starts_with('[') {
            let table = line.trim_matches(['[', ']']).trim();
            inside = table == "dependencies";
            return table.starts_with("dependencies.");
        }
        inside && !line.is_empty() && !line.starts_with('#')
    })
}

fn no_crates(name: Option<&str>) -> Text {
    match name {
        Some(name) => {
            let name = advice::quote(name);
            Text::new(
                format!(
                    "`{name}` is neither in the standard library nor in the files that were handed in. Crates \
                     are not available here: only `std`."
                ),
                format!(
                    "`{name}` 不在标准库里，也不在提交的文件里。这里不能使用第三方 crate，只能用 `std`。"
                ),
            )
        }
        None => Text::new(
            "`Cargo.toml` names dependencies. Crates are not available here: only `std`.",
            "`Cargo.toml` 里写了依赖。这里不能使用第三方 crate，只能用 `std`。",
        ),
    }
}

/// A crate that is the library of the student's own package. Only one crate is compiled here.
fn own_library(name: &str, sources: &[SourceFile]) -> Option<Text> {
    let library = sources.iter().find(|source| source.name() == "lib.rs")?;
    let manifest = sources
        .iter()
        .find(|source| source.name() == "Cargo.toml")
        .map(|source| to_utf8(&source.bytes));
    // Without a manifest nobody knows what the package is called.
    let is_own = manifest.is_none_or(|manifest| {
        let mut names = manifest
            .lines()
            .filter_map(|line| line.trim().strip_prefix("name")?.trim().strip_prefix('='))
            .map(|value| value.trim().trim_matches(['"', '\'']).replace('-', "_"));
        names.any(|own| own == name)
    });
    let (name, path) = (advice::quote(name), files::shown(&library.path));
    is_own.then(|| {
        Text::new(
            format!(
                "If `{name}` is your own `{path}`: only one crate is compiled here, so make it a module of `main.rs`, with \
                 `mod lib;` and `use lib::…` instead of `use {name}::…`."
            ),
            format!(
                "如果 `{name}` 就是你自己的 `{path}`：这里只编译一个 crate，请把它改成 `main.rs` 的模块：写 `mod lib;`，并用 \
                 `use lib::…` 代替 `use {name}::…`。"
            ),
        )
    })
}

/// A module whose file is not where the compiler looks for it.
fn missing_module(name: &str, sources: &[SourceFile]) -> Text {
    let find = |is: &dyn Fn(&SourceFile) -> bool| {
        let found = sources.iter().find(|source| is(source))?;
        Some(files::shown(&found.path))
    };
    let (file, folder) = (format!("{name}.rs"), format!("{name}/mod.rs"));
    let elsewhere = find(&|source| source.name() == file || source.path.ends_with(&folder));
    let library = find(&|source| source.name() == "lib.rs");
    let name = advice::quote(name);
    if let Some(path) = elsewhere {
        return Text::new(
            format!(
                "`{path}` was handed in, but `mod {name};` does not look there: the file of a module lies beside \
                 `main.rs`, or in the folder of the module that declares it."
            ),
            format!(
                "`{path}` 已经提交，但 `mod {name};` 不会到那里去找：模块的文件要放在 `main.rs` 旁边，或放在声明它的模块的\
                 文件夹里。"
            ),
        );
    }
    if let Some(path) = library {
        return Text::new(
            format!(
                "No file `{name}.rs` was handed in. If the module is your `{path}`, write `mod lib;` and `lib::…` \
                 instead."
            ),
            format!(
                "没有提交 `{name}.rs`。如果这个模块就是 `{path}`，请改写成 `mod lib;` 和 `lib::…`。"
            ),
        );
    }
    Text::new(
        format!("The file of the module `{name}` was not handed in."),
        format!("没有提交模块 `{name}` 对应的文件。"),
    )
}

/// Place and message of the first panic.
fn panic_message(stderr: &str) -> Option<(&str, &str)> {
    let mut lines = stderr.lines();
    let line = lines.find(|line| line.starts_with("thread '") && line.contains(" panicked at "))?;
    let (_, rest) = line.split_once(" panicked at ")?;
    match rest.strip_suffix(':') {
        Some(place) => Some((place, lines.next().unwrap_or_default())),
        // Before Rust 1.73 the message came first, in quotes.
        None => rest
            .rsplit_once(", ")
            .map(|(message, place)| (place, message.trim_matches('\''))),
    }
}

/// `main` returned an error, or the program called `exit`.
fn ended_with(status: i32, stderr: &str) -> Text {
    match stderr.lines().find_map(|line| line.strip_prefix("Error: ")) {
        Some(error) => {
            let error = advice::quote(error);
            Text::new(
                format!("`main` returned an error: {error}"),
                format!("`main` 返回了错误：{error}"),
            )
        }
        None => Text::new(
            format!("The program ended itself with exit status {status}; only 0 means success."),
            format!("程序自己以退出码 {status} 结束，只有 0 才表示成功。"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_compiler_is_named_with_the_way_to_get_it() {
        assert_eq!(
            find(OsStr::new("/nowhere")).unwrap_err(),
            missing("rustc", "apt-get install rustc", None)
        );
    }

    #[test]
    fn dependencies_of_other_kinds_do_not_matter() {
        assert!(has_dependencies(
            "[package]\nname='x'\n[dependencies]\nrand = '0.8'\n"
        ));
        assert!(has_dependencies("[dependencies.rand]\nversion = '0.8'\n"));
        assert!(!has_dependencies(
            "[dependencies]\n# rand = '0.8'\n\n[dev-dependencies]\nx = '1'\n"
        ));
    }

    #[test]
    fn the_root_is_the_file_with_main() {
        let file = |path: &str, text: &str| SourceFile::new(path, text.as_bytes());
        let (a, b) = (
            file("a.rs", "pub fn f() {}"),
            file("b.rs", "mod a; fn main() {}"),
        );
        let (c, d) = (file("src/main.rs", ""), file("x/y.rs", "fn main() {}"));
        let path = |units: &[&SourceFile]| {
            let (root, certain) = root(units);
            (root.map(|it| it.path.clone()), certain)
        };
        assert_eq!(path(&[&a, &b]), (Some("b.rs".to_owned()), true));
        assert_eq!(path(&[&a, &b, &c]), (Some("src/main.rs".to_owned()), true));
        assert_eq!(path(&[&b, &d]), (Some("b.rs".to_owned()), false));
    }

    #[test]
    fn panics_of_old_and_new_compilers_are_read() {
        let new = "\nthread 'main' (7) panicked at main.rs:3:5:\nindex out of bounds\nnote: x\n";
        assert_eq!(
            panic_message(new),
            Some(("main.rs:3:5", "index out of bounds"))
        );
        let old = "thread 'main' panicked at 'attempt, bad', main.rs:3:5\nnote";
        assert_eq!(panic_message(old), Some(("main.rs:3:5", "attempt, bad")));
    }
}
