//! Why a file is not judged, or nothing can be read, in both languages.

use std::io;

use grader_lms::{Layout, listed};
use grader_model::{Bytes, LanguageId, ProblemId, Text, text};
use grader_problem::Problem;

/// Functions of the messages that only have to fill in names and numbers.
macro_rules! texts {
    ($($name:ident($($argument:ident: $type:ty),*): $en:literal, $zh:literal;)*) => {
        $(pub(crate) fn $name($($argument: $type),*) -> Text {
            text!($en, $zh)
        })*
    };
}

texts! {
    // Files and folders.
    link(): "a link, which is not followed", "符号链接，不读取它指向的内容";
    linked():
        "is a link, which is not followed: submit the file itself", "是符号链接，不读取它指向的内容：请提交文件本身";
    special(): "not a regular file", "不是普通文件";
    too_deep(most: usize): "lies more than {most} folders deep", "文件夹嵌套超过 {most} 层";
    too_many(most: usize):
        "holds more than {most} files; the rest was not looked at", "文件超过 {most} 个，其余未读取";
    project_too_large(size: Bytes, most: Bytes):
        "is too large with the files that it uses: {size}, at most {most}",
        "连同它用到的文件过大：{size}，上限为 {most}";
    too_large(size: Bytes, most: Bytes): "too large: {size}, at most {most}", "过大：{size}，上限为 {most}";

    // Names and contents.
    authors(): "a file of the assignment", "作业自带的文件";
    header(): "not used: no program includes it", "未采用：没有程序包含这个头文件";
    a_test(): "not used: a test", "未采用：这是测试代码";
    second_main(entry: &str):
        "not used: it has a `main` of its own, and the program starts in `{entry}`",
        "未采用：它有自己的 `main`，而程序从 `{entry}` 开始运行";
    main_beside_authors():
        "not used: it has a `main` of its own, and the task brings the `main`",
        "未采用：它有自己的 `main`，而本题的 `main` 由题目提供";
    same_definitions(other: &str):
        "and `{other}` define the same: only one of them can belong to the program; remove the other",
        "与 `{other}` 定义了相同的内容：程序只能包含其中一个，请删去另一个";
    version(other: &str):
        "not used: it defines what `{other}` defines, too", "未采用：它与 `{other}` 定义了相同的内容";
    no_part(entry: &str): "not used: `{entry}` does not need it", "未采用：`{entry}` 用不到它";
    too_many_of_name(name: &str, most: usize):
        "uses `{name}`, and more than {most} files have that name: submit only the files of one program",
        "用到了 `{name}`，而叫这个名字的文件超过 {most} 个：请只提交同一个程序的文件";
    no_start():
        "and the other files are no program: none has a `main`; submit the file in which it starts",
        "和其他文件不是完整的程序：都没有 `main`；请提交程序开始运行的那个文件";
    lacking(name: &str, other: &str):
        "needs `{name}`, which `{other}` has, but that file was left out: submit only the files of one program, or choose with `grader correct --file`",
        "用到了 `{name}`，它在未采用的 `{other}` 中：请只提交同一个程序的文件，或用 `grader correct --file` 指定";
    lacks(names: &str):
        "is not complete: {names} is missing; submit all files of the program",
        "不完整：缺少 {names}；请提交程序的全部文件";
    notebook(): "is a notebook: export it as `.py`", "是 Jupyter 笔记本：请导出为 `.py` 文件再提交";
    no_notebook():
        "is a notebook whose code cannot be read as Python: export it as `.py`",
        "是 Jupyter 笔记本，但无法从中读出 Python 代码：请导出为 `.py` 文件再提交";
    notebook_name(expected: &str):
        "is a notebook whose name fits no problem: export it as `{expected}`",
        "是 Jupyter 笔记本，文件名与任何题目都不对应：请导出为 `{expected}` 再提交";
    notebook_beside():
        "is a notebook, which is judged only if it is the only file: export it as `.py`",
        "是 Jupyter 笔记本，只有单独提交时才会评测：请导出为 `.py` 文件再提交";
    notebook_too_large(most: Bytes):
        "is a notebook of more than {most}: export it as `.py`",
        "是超过 {most} 的 Jupyter 笔记本：请导出为 `.py` 文件再提交";
    notebook_line(line: &str):
        "is a notebook with a line that works only in a notebook (`{line}`): remove it, and export the notebook as `.py`",
        "是 Jupyter 笔记本，其中一行只在笔记本里有效（`{line}`）：请去掉这一行，再导出为 `.py` 文件提交";
    notebook_judged(path: &str):
        "`{path}`: the code cells of the notebook are judged as one Python program, without other files; lines for the notebook (`%`, `!`) are left out",
        "`{path}`：笔记本里的代码单元格合并为一个 Python 程序单独评测；魔法命令（`%`）和 shell 命令行（`!`）已去掉";
    student_without_name():
        "each student has other values here, and it is not known who submitted this: name the student with `--student`",
        "本题每名学生的数值不同，而无法确定这是谁的作业：请用 `--student` 指定学生";
    team_without_name():
        "each team has other values here, and it is not certain which team this is: a table of teams (`--groups`) has to have all members in one",
        "本题各小组的数值不同，而无法确定这是哪个小组：请在小组名单（`--groups`）中把全部成员列入同一小组";
    in_no_table(name: &str):
        "each student has other values here, and it is not certain who `{name}` is: correct the name, or add it to the roster or the table of teams",
        "本题每名学生的数值不同，而无法确定 `{name}` 是谁：请更正名称，或补充名单或小组名单";
    several_called(name: &str):
        "each student has other values here, and several are called `{name}`: tell them apart with a roster (`--roster`)",
        "本题每名学生的数值不同，而有多人叫 `{name}`：请用名单（`--roster`）区分";
    not_source(): "not a source file", "不是源文件";
    did_you_mean(name: &str, expected: &str):
        "`{name}` matches no problem; did you mean `{expected}`?",
        "`{name}` 与任何题目都不对应；是不是 `{expected}`？";
    no_problem(name: &str, expected: &str):
        "`{name}` matches no problem; expected a name like {expected}",
        "`{name}` 与任何题目都不对应；文件名应类似 {expected}";
    unmatched(expected: &str):
        "may be meant for it, but its name fits no problem: name it `{expected}`, or choose it with `grader correct --file`",
        "可能是本题的程序，但文件名与任何题目都不对应：请命名为 `{expected}`，或用 `grader correct --file` 指定";
    only_left(path: &str, problem: &ProblemId):
        "`{path}` is graded as `{problem}`, the only problem left that accepts it",
        "`{path}` 按 `{problem}` 评测：其余题目中只有这一题接受它";
    attempt(other: &str):
        "not judged: `{other}` is another attempt", "未评测：`{other}` 是同一题的另一份提交";
    attempts(other: &str):
        "and `{other}` are two attempts at it; `grader correct --file` says which counts",
        "与 `{other}` 是同一题的两份提交；用 `grader correct --file` 指定评测哪一份";
    output_name(expected: &str):
        "may be meant as `{expected}`, which is missing: give it that name, remove it, or choose it with `grader correct --file`",
        "可能就是缺少的 `{expected}`：请改成这个文件名、将它移除，或用 `grader correct --file` 指定";
    output_of_two(other: &ProblemId):
        "may also be for `{other}`: put it into a folder named after its problem",
        "也可能属于 `{other}`：请放进以所属题目命名的文件夹";
    files_too_large(size: Bytes, most: Bytes):
        "and the other files are too large: {size}, at most {most}",
        "与其他文件合计 {size}，超过上限 {most}";
    too_many_tests(found: usize, most: u32):
        "is one of {found} tests, and at most {most} may be submitted: remove some",
        "是 {found} 个测试之一，而最多可以提交 {most} 个：请删去一些";
    answer_without_input():
        "is the answer to a test without an input: submit the input as `NAME.in` with the same name, or remove this file",
        "是某个测试的答案，但缺少对应的输入：请提交同名的 `.in` 文件，或删去这个文件";
    same_test(other: &str):
        "and `{other}` are for the same test, and differ: remove one of them",
        "与 `{other}` 属于同一个测试，内容却不同：请删去其中一个";
    open_test(): "a test, which is not judged yet", "测试文件，尚未评测";
    no_test(): "not used: other tests were graded", "未采用：评测的是其他测试";
    test_name():
        "may be meant as a test: name its input `1.in` and the right answer `1.ans`, or remove it",
        "可能是一个测试：请把输入命名为 `1.in`，答案命名为 `1.ans`，或删去这个文件";
    not_used(used: &str): "not used: `{used}` was graded", "未采用：本题评测的是 `{used}`";
    not_used_for(open: &str):
        "not used: `{open}` comes first, but cannot be judged",
        "未采用：应优先评测 `{open}`，但它无法评测";

    // Archives.
    archive(): "an archive, which is not opened: unpack it", "压缩包不会自动解压，请先解压";
    empty_archive(): "an archive that holds no files", "压缩包中没有文件";
    empty(): "it is empty", "文件为空";
    neither_zip_nor_tar(): "it is neither a zip nor a tar archive", "既不是 zip 也不是 tar 压缩包";
    unsupported(format: &str):
        "{format} is not supported: submit a zip, or the files themselves (`bsdtar -xf FILE` unpacks it)",
        "不支持 {format}：请提交 zip 压缩包，或直接提交文件（可用 `bsdtar -xf FILE` 解压）";
    memory(most: Bytes):
        "it takes more than {most} of memory to unpack", "解压需要超过 {most} 的内存";
    damaged(): "it is damaged or cut off", "已损坏或不完整";
    nested(): "it is nested in too many archives", "压缩包嵌套层数过多";
    too_many_archives(most: usize): "there are more than {most} archives", "压缩包超过 {most} 个";
    too_many_entries(most: u64):
        "it holds more than {most} files and folders", "其中的文件和文件夹超过 {most} 个";
    too_long(most: Bytes):
        "it unpacks to more than {most}, far more than its size suggests",
        "解压后超过 {most}，与压缩包的大小极不相称";
    large_file(most: Bytes): "it is larger than {most}", "大小超过 {most}";
    large_total(most: Bytes):
        "all files together are larger than {most}", "所有文件合计超过 {most}";
    bomb(ratio: u64):
        "it is more than {ratio} times as large as it is packed", "解压后的大小超过压缩后的 {ratio} 倍";
    encrypted():
        "it is encrypted; submit it without a password", "已加密，请提交不带密码的压缩包";
    unsupported_compression():
        "its compression method is not supported; submit an ordinary zip",
        "不支持这种压缩方法，请打包成普通的 zip";
    name_taken(): "another entry has the same name", "与压缩包中的另一项同名";
    bad_name(): "its name is too long or contains a null byte", "名称过长，或含有空字节";
    nameless(): "it has no name", "没有名称";
    upwards(): "its path contains `..`", "路径中有 `..`";
    deep_path(most: usize): "its path has more than {most} folders", "路径中的文件夹超过 {most} 层";

    // What was named on the command line.
    missing(path: &str): "`{path}` does not exist", "找不到 `{path}`";
    not_a_file(path: &str):
        "expected source files or one folder, but `{path}` is not a regular file",
        "应为源文件或一个文件夹，但 `{path}` 不是普通文件";
    cannot_read(path: &str, error: &io::Error):
        "cannot read `{path}`: {error}", "无法读取 `{path}`：{error}";
    not_a_folder(path: &str):
        "expected a folder of student folders (with `--layout one`, of one student), or an archive of it, but `{path}` is neither",
        "`{path}` 应为包含各学生文件夹的文件夹（使用 `--layout one` 时为一名学生的文件夹）或其压缩包，但两者都不是";
    unknown_problem(id: &ProblemId): "there is no problem `{id}`", "没有题目 `{id}`";
    fits_no_problem(name: &str): "`{name}` matches no problem", "`{name}` 与任何题目都不对应";
    no_output(path: &str, names: &str):
        "`{path}` is none of the files to submit ({names})", "`{path}` 不是要提交的文件（{names}）";
    no_sources(path: &str, accepted: &str):
        "`{path}`: no source file in an accepted language ({accepted})",
        "`{path}` 中没有用可用语言编写的源文件（{accepted}）";
    same_name(id: &ProblemId, name: &str):
        "two files of the submission for `{id}` are named `{name}`",
        "题目 `{id}` 的提交中有两个文件都叫 `{name}`";
    submission_too_large(id: &ProblemId, most: Bytes):
        "the submission for `{id}` is larger than {most}", "题目 `{id}` 的提交超过 {most}";
}

/// Nothing in a class looks like students' work, or like the layout that was asked for.
pub(crate) fn no_students(path: &str, layout: Option<Layout>) -> Text {
    let expected = layout.map_or_else(Layout::known, Layout::text);
    match layout {
        Some(_) => text!(
            "expected {expected}, but nothing in `{path}` looks like it",
            "`{path}` 中没有找到这样的内容：{expected}",
            expected
        ),
        None => text!(
            "no students in `{path}`: expected {expected}",
            "`{path}` 中没有找到学生，应为以下形式之一：{expected}",
            expected
        ),
    }
}

pub(crate) fn unreadable(error: &io::Error) -> Text {
    because("cannot be read", "无法读取", &cause(error))
}

pub(crate) fn not_unpacked(why: &Text) -> Text {
    because("is not unpacked", "未解压", why)
}

pub(crate) fn unpacked_in_part(why: &Text) -> Text {
    because("is unpacked only in part", "只解压了一部分", why)
}

pub(crate) fn not_unpacked_here(error: &io::Error) -> Text {
    because(
        "cannot be unpacked on this machine",
        "无法在本机解压",
        &cause(error),
    )
}

fn because(en: &str, zh: &str, why: &Text) -> Text {
    text!("{en}: {why}", "{zh}：{why}", why)
}

fn cause(error: &io::Error) -> Text {
    let en = error.to_string();
    match error.kind() {
        io::ErrorKind::PermissionDenied => Text::new(en, "没有权限"),
        io::ErrorKind::NotFound => Text::new(en, "文件不存在"),
        _ => Text::plain(en),
    }
}

/// Its name fits a problem that does not take its language.
pub(crate) fn language(language: LanguageId, problem: &Problem) -> Text {
    let accepted = problem.submission.languages.iter();
    let accepted: Vec<&str> = accepted.map(|&id| problem.languages.name(id)).collect();
    let name = problem.languages.name(language);
    let (en, zh) = (accepted.join(", "), accepted.join("、"));
    let problem = &problem.id;
    text!(
        "`{problem}` does not take {name}; accepted are {en}",
        "题目 `{problem}` 不接受 {name}；可用的语言：{zh}"
    )
}

/// It lies in the folder of a problem with several programs, none of them named as the problem.
pub(crate) fn several_mains(problem: &ProblemId, mains: &[&str], expected: &str) -> Text {
    let named = listed(mains);
    text!(
        "several files for `{problem}` have a `main` ({named}): submit only one program, or name it `{expected}`",
        "题目 `{problem}` 有不止一个文件里写了 `main`（{named}）：请只提交一个程序，或把它命名为 \
             `{expected}`",
        named
    )
}

/// The end of a sentence that begins with the path of such a folder.
pub(crate) fn several_programs(mains: &[&str]) -> Text {
    let named = listed(mains);
    text!(
        "has several files with a `main` ({named}): keep only one program, or choose it with `grader correct --file`",
        "中有不止一个文件里写了 `main`（{named}）：请只保留一个程序，或用 `grader correct --file` 指定",
        named
    )
}

/// The end of a sentence that begins with the path of a program that could be meant, as these others could.
pub(crate) fn starts(others: &[&str]) -> Text {
    let named = listed(others);
    text!(
        "could be the program, and so could {named}: keep one of them, or choose it with `grader correct --file`",
        "可能是要评测的程序，{named} 也可能是：请只保留一个，或用 `grader correct --file` 指定",
        named
    )
}

/// Why a submission counts as on time without a time of submission.
pub(crate) fn no_time() -> Text {
    Text::new(
        "the time of submission is unknown, so the work counts as on time; to set the time, add a column `submitted` to the roster",
        "提交时间未知，视为按时提交；可在名单中加一列“提交时间”",
    )
}

/// As [`no_time`], of a time that is in an unknown form.
pub(crate) fn unreadable_time(text: &str) -> Text {
    text!(
        "the time of submission `{text}` cannot be read, so it counts as on time; write it like 2026-11-20 23:59",
        "无法识别提交时间 `{text}`，视为按时提交；请写成 2026-11-20 23:59 的形式"
    )
}
