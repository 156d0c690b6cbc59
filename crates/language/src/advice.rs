//! Advice that several languages share, in both languages of the camp.

use grader_model::{End, Excerpt, Text};

/// The text between the first `start` and the next `end` behind it, on one line.
pub(crate) fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let rest = &text[text.find(start)? + start.len()..];
    let found = &rest[..rest.find(end)?];
    (!found.is_empty() && !found.contains('\n')).then_some(found)
}

/// All texts between `start` and `end`, each once, at most five.
pub(crate) fn all_between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for piece in text.split(start).skip(1) {
        let line = piece.lines().next().unwrap_or_default();
        if let Some(at) = line.find(end)
            && at > 0
            && all.len() < 5
            && !all.contains(&&line[..at])
        {
            all.push(&line[..at]);
        }
    }
    all
}

/// A student's text for use inside a message: escaped and cut.
pub(crate) fn quote(text: &str) -> String {
    Excerpt::new(text.trim().as_bytes()).to_string()
}

/// Most pieces of advice in one list: nobody reads more, and a source must not be able to ask for thousands.
const MOST: usize = 8;

/// Adds what is not there yet, while there is room.
pub(crate) fn push(list: &mut Vec<Text>, text: Text) {
    if list.len() < MOST && !list.contains(&text) {
        list.push(text);
    }
}

/// There is no `main`: a function for another judge, or a part of a program.
pub(crate) fn no_main(start: &str) -> Text {
    Text::new(
        format!(
            "There is no `{start}`: this task wants a whole program that reads its input and prints the \
             answer, not only a function or a `Solution` class."
        ),
        format!(
            "没有找到 `{start}`：本题要求提交完整的程序（自己读入数据、自己输出答案），不能只交一个函数或 `Solution` 类。"
        ),
    )
}

/// Several files have a `main` and do not fit into one program.
pub(crate) fn many_mains(files: &[&str]) -> Text {
    if files.len() < 2 {
        // One `main` could not be located, for example because a macro defines it.
        return Text::new(
            "More than one of the files has a `main`. Hand in the files of one program only.",
            "有不止一个文件里写了 `main`。请只提交同一个程序的文件。",
        );
    }
    let names: Vec<String> = files.iter().map(|file| crate::files::shown(file)).collect();
    let (en, zh) = (names.join("`, `"), names.join("`、`"));
    Text::new(
        format!(
            "Each of `{en}` has a `main`, and a program has only one. Hand in the files of the program that is to \
             be judged, without the other programs."
        ),
        format!("`{zh}` 里都写了 `main`，而一个程序只能有一个。请只提交要评测的那个程序的文件。"),
    )
}

/// Which of several files the program starts from.
pub(crate) fn chosen(file: &str) -> Text {
    let file = crate::files::shown(file);
    Text::new(
        format!("Several files could be the main program; `{file}` was taken."),
        format!("有多个文件都可能是主程序，这里选用了 `{file}`。"),
    )
}

/// The name of a file, a class or a package that no file can have.
pub(crate) fn long_name(name: &str) -> Text {
    let name = crate::files::shown(name);
    Text::new(
        format!("The name `{name}` is too long for a file; use a shorter one."),
        format!("名字 `{name}` 太长，不能用作文件名，请改短。"),
    )
}

/// More files than a compiler is given.
pub(crate) fn many_files(found: usize, most: usize) -> Text {
    Text::new(
        format!("{found} files were handed in; only the first {most} are compiled."),
        format!("一共提交了 {found} 个文件，只编译前 {most} 个。"),
    )
}

/// What a signal usually means; nothing for signals that programs do not meet by themselves.
pub(crate) fn signal(end: End) -> Option<Text> {
    let End::Signalled(signal) = end else {
        return None;
    };
    Some(match signal {
        11 => Text::new(
            "The program touched memory that is not its own (SIGSEGV). Usual causes: an index outside its \
             array, a null pointer, or recursion that never ends.",
            "程序访问了不属于它的内存（段错误 SIGSEGV）。常见原因：数组下标越界、空指针、递归没有出口。",
        ),
        8 => Text::new(
            "The program divided an integer by zero (SIGFPE); `%` by zero counts too.",
            "程序做了整数除以零的运算（SIGFPE）；对零取模 `%` 也算。",
        ),
        6 => Text::new(
            "The program stopped itself (SIGABRT): a failed `assert`, an exception that nobody caught, or \
             memory that was freed twice or overwritten.",
            "程序自己中止了（SIGABRT）：可能是 `assert` 失败、异常没有被捕获，或者内存被重复释放、写坏了。",
        ),
        7 => Text::new(
            "The program touched memory that does not exist (SIGBUS); look for a wrong pointer.",
            "程序访问了不存在的内存（SIGBUS），请检查指针。",
        ),
        4 => Text::new(
            "The program ran into code that the compiler had marked as always wrong (SIGILL). Usual causes: \
             an integer divided by zero (`%` too), or a function that should return a value and ends without \
             `return`.",
            "程序执行到了编译器认定必然出错的地方（SIGILL）。常见原因：整数除以零（`%` 也算），或者有返回值的函数没有写 `return`。",
        ),
        31 => Text::new(
            "The program asked the system for something that is not allowed here, such as the network or \
             another process (SIGSYS).",
            "程序向系统请求了这里不允许的操作，例如联网或创建进程（SIGSYS）。",
        ),
        13 => Text::new(
            "The program wrote to a place where nobody reads any more (SIGPIPE).",
            "程序往已经没有人读取的地方写数据（SIGPIPE）。",
        ),
        _ => return None,
    })
}

/// A status other than 0: `main` returned it, or the program called `exit`.
pub(crate) fn exit_status(end: End) -> Option<Text> {
    match end {
        End::Exited(0) | End::Signalled(_) => None,
        End::Exited(status) => Some(Text::new(
            format!(
                "The program ended with exit status {status}; only 0 means success. Look at what `main` returns and \
                 at calls of `exit`."
            ),
            format!(
                "程序以退出码 {status} 结束，只有 0 才表示成功。请检查 `main` 的返回值和对 `exit` 的调用。"
            ),
        )),
    }
}

/// A header or a unit that belongs to another system.
pub(crate) fn foreign(name: &str) -> Text {
    let name = quote(name);
    Text::new(
        format!(
            "`{name}` exists only on Windows or DOS. Leave it out, and with it what comes from it: `getch`, \
             `clrscr`, `Sleep`, `system(\"cls\")`, graphics."
        ),
        format!(
            "`{name}` 只在 Windows 或 DOS 上才有。请去掉它，以及来自它的内容：`getch`、`clrscr`、`Sleep`、\
             `system(\"cls\")`、图形函数等。"
        ),
    )
}

/// `void main`.
pub(crate) fn void_main() -> Text {
    Text::new(
        "`void main` is not standard: write `int main` and `return 0;`, or the program seems to have failed.",
        "`void main` 不合标准：请写 `int main` 和 `return 0;`，否则程序会被当作异常退出。",
    )
}

/// An exception that ended the program.
pub(crate) fn exception(name: &str, detail: &str, line: Option<&str>) -> Text {
    let (name, detail) = (quote(name), quote(detail));
    let message = if detail.is_empty() {
        name
    } else {
        format!("{name}: {detail}")
    };
    match line {
        Some(line) => {
            let line = quote(line);
            Text::new(
                format!("An exception ended the program at line {line}: {message}"),
                format!("程序在第 {line} 行因异常而结束：{message}"),
            )
        }
        None => Text::new(
            format!("An exception ended the program: {message}"),
            format!("程序因异常而结束：{message}"),
        ),
    }
}

/// Reading went on behind the end of the input.
pub(crate) fn end_of_input() -> Text {
    Text::new(
        "The program read more input than there is. Look whether this task gives its data on standard input \
         at all, and how many numbers it gives.",
        "程序要读的数据比实际给出的多。请检查本题的数据是不是从标准输入给出，以及一共给出几个数。",
    )
}

/// An index outside an array or a list.
pub(crate) fn index_out_of_range() -> Text {
    Text::new(
        "An index lies outside its array or list, or the program takes an argument of the command line that it is \
         not given.",
        "下标超出了数组或列表的范围，或者程序要取的命令行参数并没有给出。",
    )
}

/// Text that is no number.
pub(crate) fn not_a_number() -> Text {
    Text::new(
        "The program took something for a number that is none: an empty line, or several numbers on one line.",
        "程序把不是数的内容当成数来转换：可能是空行，或者一行里有好几个数。",
    )
}

/// Recursion that is too deep.
pub(crate) fn deep_recursion() -> Text {
    Text::new(
        "The recursion is too deep; look whether it always reaches its end.",
        "递归太深了；请检查递归是否总能到达出口。",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_student_wrote_is_escaped_in_advice() {
        let text = exception("ValueError", "bad \x1b[31m", Some("3"));
        assert_eq!(
            text.en,
            "An exception ended the program at line 3: ValueError: bad \\x1b[31m"
        );
        assert_eq!(
            text.zh,
            "程序在第 3 行因异常而结束：ValueError: bad \\x1b[31m"
        );
    }

    #[test]
    fn a_list_of_advice_has_an_end() {
        let mut list = Vec::new();
        for number in 0..2 * MOST {
            push(&mut list, Text::new(number.to_string(), ""));
            push(&mut list, Text::new("0", ""));
        }
        let numbers: Vec<&str> = list.iter().map(|text| text.en.as_str()).collect();
        assert_eq!(numbers, ["0", "1", "2", "3", "4", "5", "6", "7"]);
    }

    #[test]
    fn pieces_between_marks_are_found_once_each() {
        assert_eq!(between("No module named 'x'\n", "named '", "'"), Some("x"));
        assert_eq!(between("a '\n'", "a '", "'"), None);
        assert_eq!(all_between("<a> <b> <a> <", "<", ">"), ["a", "b"]);
    }

    #[test]
    fn signals_that_mean_nothing_to_a_student_get_no_advice() {
        assert_eq!(signal(End::Signalled(9)), None);
        assert_eq!(signal(End::Exited(1)), None);
        assert!(signal(End::Signalled(8)).is_some_and(|text| text.zh.contains("除以零")));
        assert_eq!(exit_status(End::Exited(0)), None);
    }
}
