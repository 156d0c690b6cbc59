//! The page for students in a kit: how to test, and what that needs.

use std::collections::BTreeSet;
use std::path::Path;

use grader_language::{Language, SourceText};
use grader_model::{Points, ProblemId, SourceFile};
use grader_problem::{CaseRef, Problem, ReferenceProgram};

/// Frameworks by what sources that use them contain, with their Debian packages.
const FRAMEWORKS: [(&str, &str); 4] = [
    ("pytest", "python3-pytest"),
    ("org.junit.", "junit5"),
    ("gtest/gtest.h", "libgtest-dev"),
    ("catch2/", "catch2"),
];

/// What a kit needs of a student's machine.
#[derive(Default)]
pub(crate) struct Needs {
    /// The languages that students choose from, with their Debian packages.
    languages: Vec<(String, String)>,
    /// Whether some problem takes all languages.
    any_language: bool,
    /// Debian packages of what judges them.
    packages: BTreeSet<String>,
}

impl Needs {
    /// Adds what a problem needs, of which only public subtasks are left. If it `is_searched`, students run its reference, too.
    pub(crate) fn add(&mut self, problem: &Problem, is_searched: bool) {
        let accepted = &problem.submission.languages;
        let all: Vec<&Language> = problem.languages.iter().map(|it| &**it).collect();
        self.any_language |= accepted.len() >= all.len();
        let accepted = all.iter().filter(|it| accepted.contains(&it.id));
        for language in accepted.filter(|it| it.is_of_programs()) {
            let definition = &language.definition;
            let needed = (definition.name.clone(), definition.package.clone());
            if !self.languages.contains(&needed) {
                self.languages.push(needed);
            }
        }
        self.packages
            .extend(frameworks(&problem.submission.include));
        let mut known = BTreeSet::new();
        let programs = CaseRef::all(problem).flat_map(|it| it.case.programs());
        let programs = programs.map(|it| &it.program);
        for program in programs.filter(|it| is_searched || it.role.reads_outputs()) {
            if known.insert(program.id) {
                self.program(program.language.as_deref(), &program.sources);
            }
        }
        let reference = problem.reference.as_ref().map(|it| &it.program);
        if let (Some(ReferenceProgram::Sources(sources)), true) = (reference, is_searched) {
            let language = problem.languages.recognise(&SourceText::all(sources));
            self.program(language.map(|it| &**it), sources);
        }
    }

    /// Adds what a program of the author needs.
    fn program(&mut self, language: Option<&Language>, sources: &[SourceFile]) {
        self.packages.extend(frameworks(sources));
        let packages = language.map(|it| it.definition.package.clone());
        self.packages.extend(packages.filter(|it| !it.is_empty()));
    }

    /// The lines on compilers and interpreters, English and Chinese.
    fn lines(&self) -> [String; 2] {
        let [mut en, mut zh] = [String::new(), String::new()];
        let mut add = |name: &str, zh_name: &str, packages: &str| {
            en.extend([format!("   - {name}: `sudo apt install {packages}`\n")]);
            zh.extend([format!("   - {zh_name}：`sudo apt install {packages}`\n")]);
        };
        let languages = self.languages.iter().filter(|_| !self.any_language);
        for (name, packages) in languages.filter(|it| !it.1.is_empty()) {
            add(name, name, packages);
        }
        let packages: Vec<&str> = self.packages.iter().map(String::as_str).collect();
        if !packages.is_empty() {
            add("for the tests", "评测程序", &packages.join(" "));
        }
        [en, zh]
    }
}

/// The packages of the frameworks that these files use.
fn frameworks(files: &[SourceFile]) -> Vec<String> {
    let texts = files.iter().map(|it| String::from_utf8_lossy(&it.bytes));
    let texts: Vec<_> = texts.collect();
    let is_used = |mark: &str| texts.iter().any(|it| it.contains(mark));
    let used = FRAMEWORKS.iter().filter(|it| is_used(it.0));
    used.map(|it| it.1.to_owned()).collect()
}

/// The page. `grader`: where students get it. `hidden`: problems with their points in hidden cases, and all their points.
pub(crate) fn readme(
    grader: Option<&str>,
    needs: &Needs,
    hidden: &[(ProblemId, Points, Points)],
) -> String {
    let [get, zh_get] = getting(grader);
    let [tools, zh_tools] = needs.lines();
    let (on, zh_on) = if tools.is_empty() {
        (".", "。")
    } else {
        (", on Debian and Ubuntu:", "，在 Debian、Ubuntu 上：")
    };
    let mut en = format!(
        "\n## What you need\n\n\
         1. Linux. On Windows, run `wsl --install -d Debian` in PowerShell as administrator, restart, and go on in Debian. On a Mac, go\n   \
         on in a Linux virtual machine: `brew install lima`, `limactl start --name=grader --mount-writable template:debian`, then\n   \
         `limactl shell grader`.\n\
         2. `grader`: {get}\n   \
         Then open a new terminal: `grader` must be in a folder of `PATH`, such as `~/.local/bin`.\n\
         3. The compiler or interpreter of your language{on}\n{tools}\n\
         `grader doctor` says what is missing, and how to install it.\n"
    );
    let mut zh = format!(
        "\n## 准备\n\n\
         1. Linux。Windows：以管理员身份打开 PowerShell，运行 `wsl --install -d Debian`，重启后在 Debian 中继续。Mac：先运行\n   \
         `brew install lima`、`limactl start --name=grader --mount-writable template:debian` 和 `limactl shell grader`，\n   \
         再在这个 Linux 虚拟机中继续。\n\
         2. `grader`：{zh_get}\n   \
         然后打开新的终端；`grader` 须在 `PATH` 的某个文件夹中，例如 `~/.local/bin`。\n\
         3. 所用语言的编译器或解释器{zh_on}\n{zh_tools}\n\
         `grader doctor` 会指出还缺什么、怎样安装。\n"
    );
    if !hidden.is_empty() {
        en += "\nThe other points are in hidden cases, which run when your work is graded:\n\n";
        zh += "\n其余分数在隐藏的测试点中，正式评测时才会运行：\n\n";
    }
    for (id, hidden, all) in hidden {
        en.extend([format!("- `{id}`: {hidden} of {all} points\n")]);
        zh.extend([format!("- `{id}`：{all} 分中的 {hidden} 分\n")]);
    }
    let text = include_str!("README.md");
    text.replace("{en}\n", &en).replace("{zh}\n", &zh)
}

/// How to get `grader`, English and Chinese.
fn getting(grader: Option<&str>) -> [String; 2] {
    let pipx = "`sudo apt update && sudo apt install pipx && pipx ensurepath`";
    let is_wheel = |it: &&str| {
        let extension = Path::new(it).extension();
        extension.is_some_and(|it| it.eq_ignore_ascii_case("whl"))
    };
    if let Some(wheel) = grader.filter(is_wheel) {
        let commands = ["pipx install", "uv tool install"].map(|it| format!("`{it} {wheel}`"));
        return [
            format!("{pipx}, then {}", commands.join(" or ")),
            format!("{pipx}，然后 {}", commands.join(" 或 ")),
        ];
    }
    let (en, zh) = match grader {
        Some(grader) => (grader.to_owned(), grader.to_owned()),
        None => (
            "from your instructor.".to_owned(),
            "由教师提供。".to_owned(),
        ),
    };
    [
        format!(
            "{en}\n   If it is a file that ends in `x86_64.whl` (on ARM: `aarch64.whl`): {pipx},\n   \
             then `pipx install ./FILE` (or, with uv, `uv tool install ./FILE`).\n   \
             If it ends in `linux.tar.gz`: `mkdir -p ~/.local && tar -xzf FILE -C ~/.local --strip-components=1`."
        ),
        format!(
            "{zh}\n   如果拿到的是以 `x86_64.whl`（ARM 为 `aarch64.whl`）结尾的文件：先运行 {pipx}，\n   \
             再运行 `pipx install ./文件名`（装有 uv 的也可以用 `uv tool install ./文件名`）。\n   \
             如果以 `linux.tar.gz` 结尾：`mkdir -p ~/.local && tar -xzf 文件名 -C ~/.local --strip-components=1`。"
        ),
    ]
}
