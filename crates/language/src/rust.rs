//! What is wrong with the modules and crates of a Rust submission: only one crate is compiled, without dependencies.

use grader_model::{Excerpt, SourceFile, Text};

use crate::lexer::source_text;
use crate::pattern::{captures, push, quote};

/// Advice on modules and crates that rustc did not find.
pub(crate) fn missing_modules(messages: &str, sources: &[SourceFile]) -> Vec<Text> {
    const CRATES: [&str; 5] = [
        "use of undeclared crate or module `{}`",
        "use of unresolved module or unlinked crate `{}`",
        "can't find crate for `{}`",
        "maybe a missing crate `{}`",
        "you might be missing crate `{}`",
    ];
    let mut list = Vec::new();
    for line in messages.lines() {
        if let Some(name) = CRATES.iter().find_map(|pattern| captures(pattern, line)) {
            push(&mut list, missing_crate(name[0], sources));
        } else if let Some(name) = captures("file not found for module `{}`", line) {
            push(&mut list, missing_module(name[0], sources));
        }
    }
    list
}

fn missing_crate(name: &str, sources: &[SourceFile]) -> Text {
    let library = sources.iter().find(|source| source.name() == "lib.rs");
    let shown = quote(name);
    match library.filter(|_| is_own_package(name, sources)) {
        Some(library) => {
            let path = Excerpt::new(library.path.as_bytes());
            Text::new(
                format!(
                    "If `{shown}` is your own `{path}`: only one crate is compiled here, so make it a module of \
                     `main.rs`, with `mod lib;` and `use lib::…` instead of `use {shown}::…`."
                ),
                format!(
                    "如果 `{shown}` 就是你自己的 `{path}`：这里只编译一个 crate，请把它改成 `main.rs` 的模块：写 `mod lib;`，并用 \
                     `use lib::…` 代替 `use {shown}::…`。"
                ),
            )
        }
        None => Text::new(
            format!(
                "`{shown}` is neither in the standard library nor in the files that were submitted. Crates are not \
                 available here: only `std`."
            ),
            format!(
                "`{shown}` 不在标准库里，也不在提交的文件里。这里不能使用第三方 crate，只能用 `std`。"
            ),
        ),
    }
}

/// Whether a crate of this name is the student's own, as far as `Cargo.toml` tells; without one nobody knows what the
/// package is called.
fn is_own_package(name: &str, sources: &[SourceFile]) -> bool {
    let manifest = sources.iter().find(|source| source.name() == "Cargo.toml");
    manifest.is_none_or(|manifest| {
        source_text(manifest).lines().any(|line| {
            let value = line
                .trim()
                .strip_prefix("name")
                .and_then(|rest| rest.trim().strip_prefix('='));
            value.is_some_and(|it| it.trim().trim_matches(['"', '\'']).replace('-', "_") == name)
        })
    })
}

/// A module whose file is not where the compiler looks for it.
fn missing_module(name: &str, sources: &[SourceFile]) -> Text {
    let (file, folder) = (format!("{name}.rs"), format!("{name}/mod.rs"));
    let find = |is: &dyn Fn(&SourceFile) -> bool| {
        let found = sources.iter().find(|source| is(source))?;
        Some(Excerpt::new(found.path.as_bytes()))
    };
    let elsewhere = find(&|source| source.name() == file || source.path.ends_with(&folder));
    let library = find(&|source| source.name() == "lib.rs");
    let name = quote(name);
    match (elsewhere, library) {
        (Some(path), _) => Text::new(
            format!(
                "`{path}` was submitted, but `mod {name};` does not look there: the file of a module lies beside \
                 `main.rs`, or in the folder of the module that declares it."
            ),
            format!(
                "`{path}` 已经提交，但 `mod {name};` 不会到那里去找：模块的文件要放在 `main.rs` 旁边，或放在声明它的模块的文件夹里。"
            ),
        ),
        (None, Some(path)) => Text::new(
            format!(
                "No file `{name}.rs` was submitted. If the module is your `{path}`, write `mod lib;` and `lib::…` \
                 instead."
            ),
            format!(
                "没有提交 `{name}.rs`。如果这个模块就是 `{path}`，请改写成 `mod lib;` 和 `lib::…`。"
            ),
        ),
        (None, None) => Text::new(
            format!("The file of the module `{name}` was not submitted."),
            format!("没有提交模块 `{name}` 对应的文件。"),
        ),
    }
}
