//! Programs with a mistake that students really make, and what they must be told.

/// What one student hands in, and what is said about it in both languages.
pub(super) struct Mistake {
    pub(super) student: &'static str,
    pub(super) files: &'static [(&'static str, &'static str)],
    pub(super) verdict: &'static str,
    pub(super) said: &'static [(&'static str, &'static str)],
}

pub(super) const MISTAKES: [Mistake; 17] = [
    Mistake {
        student: "null-in-java",
        files: &[(
            "board.java",
            r#"public class Queens {
    public static void main(String[] args) {
        String size = System.getProperty("size" + args[0]);
        System.out.println(size.length());
    }
}
"#,
        )],
        verdict: "RE",
        said: &[
            ("ended with exit status 1", "以退出状态 1 结束"),
            (
                "An exception ended the program at line 4: java.lang.NullPointerException: Cannot invoke \"String.length()\" because \"<local1>\" is null",
                "程序在第 4 行因异常而结束：java.lang.NullPointerException: Cannot invoke \"String.length()\" because \"<local1>\" is null",
            ),
        ],
    },
    Mistake {
        student: "cause-in-java",
        files: &[(
            "answer.java",
            r#"import java.io.*;
import java.util.*;

public class Main {
    static Scanner open() {
        try {
            return new Scanner(new File("checker.in"));
        } catch (FileNotFoundException e) {
            throw new RuntimeException(e);
        }
    }

    public static void main(String[] args) {
        System.out.println(open().nextInt());
    }
}
"#,
        )],
        verdict: "RE",
        said: &[
            ("ended with exit status 1", "以退出状态 1 结束"),
            (
                "An exception ended the program at line 7: java.io.FileNotFoundException: checker.in (No such file or directory)",
                "程序在第 7 行因异常而结束：java.io.FileNotFoundException: checker.in (No such file or directory)",
            ),
            (
                "Your program opens the file `checker.in`, which is not there; this task gives `n` on standard input.",
                "你的程序要打开文件 `checker.in`，但没有这个文件；本题从标准输入给出 `n`。",
            ),
        ],
    },
    Mistake {
        student: "library-in-rust",
        files: &[
            (
                "board/Cargo.toml",
                r#"[package]
name = "n-queens"
edition = "2021"
"#,
            ),
            (
                "board/src/lib.rs",
                r"pub fn solve(n: usize) -> usize {
    n
}
",
            ),
            (
                "board/src/main.rs",
                r#"use n_queens::solve;

fn main() {
    println!("{}", solve(7));
}
"#,
            ),
        ],
        verdict: "CE",
        said: &[
            ("does not compile", "编译不通过"),
            (
                "`n_queens` is neither in the standard library nor in the files that were submitted. Crates are not available here: only `std`. If it is your own `lib.rs`, make it a module of `main.rs`, with `mod lib;` and `use lib::…` instead of `use n_queens::…`.",
                "`n_queens` 不在标准库里，也不在提交的文件里。这里不能使用第三方 crate，只能用 `std`。如果它就是你自己的 `lib.rs`，请改成 `main.rs` 的模块：写 `mod lib;`，并用 `use lib::…` 代替 `use n_queens::…`。",
            ),
        ],
    },
    Mistake {
        student: "board-of-eight",
        files: &[(
            "board.py",
            r"def place(c, n):
    if len(c) == n:
        return c
    for x in range(n):
        if all(x != y and abs(x - y) != len(c) - i for i, y in enumerate(c)):
            r = place(c + [x], n)
            if r:
                return r

for x in place([], 8):
    print(*(1 if i == x else 0 for i in range(8)))
",
        )],
        verdict: "WA",
        said: &[
            (
                "a legal board of 8 × 8 cells; this task asks for 7 × 7",
                "棋盘合法，但大小为 8 × 8；本题要求 7 × 7",
            ),
            (
                "Your program does not look at its arguments; this task gives `n` on the command line.",
                "你的程序没有读取命令行参数；本题用命令行参数给出 `n`。",
            ),
        ],
    },
    Mistake {
        student: "semicolon",
        files: &[(
            "board.c",
            r#"#include <stdio.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1])
    printf("%d\n", n);
    return 0;
}
"#,
        )],
        verdict: "CE",
        said: &[
            ("does not compile", "编译不通过"),
            (
                "The compiler expected a `;` before `printf` in line 6: look at the end of the line above.",
                "编译器认为第 6 行的 `printf` 之前缺少分号 `;`：请检查上一行的末尾。",
            ),
        ],
    },
    Mistake {
        student: "zero",
        files: &[(
            "board.c",
            r#"#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int total = atoi(argv[1]), boards = 0;
    printf("%d\n", total / boards);
    return 0;
}
"#,
        )],
        verdict: "RE",
        said: &[
            ("killed by signal 4 (SIGILL)", "被信号 4（SIGILL）终止"),
            (
                "The program ran into code that the compiler had marked as always wrong (SIGILL). Usual causes: an integer divided by zero (`%` too), or a function that should return a value and ends without `return`.",
                "程序执行到了编译器认定必然出错的地方（SIGILL）。常见原因：整数除以零（`%` 也算），或者有返回值的函数没有写 `return`。",
            ),
        ],
    },
    Mistake {
        student: "exit",
        files: &[(
            "board.c",
            r#"#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    if (n % 2 == 1) {
        puts("odd");
        exit(1);
    }
    return 0;
}
"#,
        )],
        verdict: "RE",
        said: &[
            ("ended with exit status 1", "以退出状态 1 结束"),
            (
                "The program ended with exit status 1; only 0 means success. Look at what `main` returns and at calls of `exit`.",
                "程序以退出码 1 结束，只有 0 才表示成功。请检查 `main` 的返回值和对 `exit` 的调用。",
            ),
        ],
    },
    Mistake {
        student: "freopen",
        files: &[(
            "answer.cpp",
            r#"#include <cstdio>

int main()
{
    freopen("checker.in", "r", stdin);
    freopen("checker.out", "w", stdout);
    int n = 0;
    scanf("%d", &n);
    printf("%d\n", n);
}
"#,
        )],
        verdict: "WA",
        said: &[
            ("the program printed nothing", "程序没有任何输出"),
            (
                "Your program opens the file `checker.in`, which is not there; this task gives `n` on standard input.",
                "你的程序要打开文件 `checker.in`，但没有这个文件；本题从标准输入给出 `n`。",
            ),
            (
                "Your program printed nothing; it wrote `checker.out`. Only standard output is judged.",
                "你的程序没有打印任何内容，而是写到了文件 `checker.out`；只评判标准输出。",
            ),
        ],
    },
    Mistake {
        student: "fopen",
        files: &[(
            "answer.c",
            r#"#include <stdio.h>

int main(void)
{
    FILE *in = fopen("checker.in", "r");
    int n;
    fscanf(in, "%d", &n);
    printf("%d\n", n);
    return 0;
}
"#,
        )],
        verdict: "RE",
        said: &[
            ("killed by signal 11 (SIGSEGV)", "被信号 11（SIGSEGV）终止"),
            (
                "The program touched memory that is not its own (SIGSEGV). Usual causes: an index outside its array, a null pointer, or recursion that never ends.",
                "程序访问了不属于它的内存（段错误 SIGSEGV）。常见原因：数组下标越界、空指针、递归没有出口。",
            ),
            (
                "Your program opens the file `checker.in`, which is not there; this task gives `n` on standard input.",
                "你的程序要打开文件 `checker.in`，但没有这个文件；本题从标准输入给出 `n`。",
            ),
        ],
    },
    Mistake {
        student: "two-mains",
        files: &[
            (
                "board/first.c",
                r"int main(void)
{
    return 0;
}
",
            ),
            (
                "board/second.c",
                r"int main(void)
{
    return 0;
}
",
            ),
        ],
        verdict: "NS",
        said: &[(
            "several files for `board` have a `main` (`first.c`, `second.c`): submit only one program, or name it `board.c`",
            "题目 `board` 有不止一个文件写了 `main`（`first.c`、`second.c`）：请只提交一个程序，或把它命名为 `board.c`",
        )],
    },
    Mistake {
        student: "waits",
        files: &[(
            "board.cpp",
            r"#include <iostream>

int main()
{
    int n;
    if (!(std::cin >> n))
        return 1;
    std::cout << n << std::endl;
}
",
        )],
        verdict: "RE",
        said: &[
            ("ended with exit status 1", "以退出状态 1 结束"),
            (
                "The program ended with exit status 1; only 0 means success. Look at what `main` returns and at calls of `exit`.",
                "程序以退出码 1 结束，只有 0 才表示成功。请检查 `main` 的返回值和对 `exit` 的调用。",
            ),
            (
                "Your program waits for standard input; this task gives `n` on the command line (`program 7`), and standard input is empty.",
                "你的程序在等待标准输入；本题用命令行参数给出 `n`（`program 7`），标准输入为空。",
            ),
        ],
    },
    Mistake {
        student: "prompt",
        files: &[(
            "board.py",
            r##"import sys

def place(c, n):
    if len(c) == n:
        return c
    for x in range(n):
        if all(x != y and abs(x - y) != len(c) - i for i, y in enumerate(c)):
            r = place(c + [x], n)
            if r:
                return r

n = int(sys.argv[1])
print("Enter n: ", end="")
for x in place([], n):
    print("".join("Q" if i == x else "#" for i in range(n)))
"##,
        )],
        verdict: "PE",
        said: &[(
            "extra text before the answer: `Enter n: `",
            "答案前有多余文字：`Enter n: `",
        )],
    },
    Mistake {
        student: "arguments",
        files: &[(
            "answer.java",
            r"public class Main {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        System.out.println(n);
    }
}
",
        )],
        verdict: "RE",
        said: &[
            ("ended with exit status 1", "以退出状态 1 结束"),
            (
                "An exception ended the program at line 3: java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0",
                "程序在第 3 行因异常而结束：java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0",
            ),
            (
                "An index lies outside its array or list, or the program takes an argument of the command line that it is not given.",
                "下标超出了数组或列表的范围，或者程序要取的命令行参数并没有给出。",
            ),
            (
                "Your program reads the command line; this task gives `n` on standard input.",
                "你的程序读取命令行参数；本题从标准输入给出 `n`。",
            ),
        ],
    },
    Mistake {
        student: "file-in-python",
        files: &[(
            "answer.py",
            r#"with open("checker.in") as file:
    print(int(file.read()))
"#,
        )],
        verdict: "RE",
        said: &[
            ("ended with exit status 1", "以退出状态 1 结束"),
            (
                "An exception ended the program at line 1: FileNotFoundError: [Errno 2] No such file or directory: 'checker.in'",
                "程序在第 1 行因异常而结束：FileNotFoundError: [Errno 2] No such file or directory: 'checker.in'",
            ),
            (
                "Your program opens the file `checker.in`, which is not there; this task gives `n` on standard input.",
                "你的程序要打开文件 `checker.in`，但没有这个文件；本题从标准输入给出 `n`。",
            ),
        ],
    },
    Mistake {
        student: "end-of-input",
        files: &[(
            "board.java",
            r"import java.io.*;

public class Queens {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int n = Integer.parseInt(in.readLine());
        System.out.println(n);
    }
}
",
        )],
        verdict: "RE",
        said: &[
            ("ended with exit status 1", "以退出状态 1 结束"),
            (
                "An exception ended the program at line 6: java.lang.NumberFormatException: Cannot parse null string",
                "程序在第 6 行因异常而结束：java.lang.NumberFormatException: Cannot parse null string",
            ),
            (
                "The program read more input than there is. Look whether this task gives its data on standard input at all, and how many numbers it gives.",
                "程序要读的数据比实际给出的多。请检查本题的数据是不是从标准输入给出，以及一共给出几个数。",
            ),
            (
                "Your program waits for standard input; this task gives `n` on the command line (`program 7`), and standard input is empty.",
                "你的程序在等待标准输入；本题用命令行参数给出 `n`（`program 7`），标准输入为空。",
            ),
        ],
    },
    Mistake {
        student: "output-file",
        files: &[(
            "board.c",
            r#"#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *out = fopen("queens.out", "w");
    for (int row = atoi(argv[1]); row > 0; row--)
        fputs("Q######\n", out);
    fclose(out);
    return 0;
}
"#,
        )],
        verdict: "WA",
        said: &[
            ("the program printed nothing", "程序没有任何输出"),
            (
                "Your program printed nothing; it wrote `queens.out`. Only standard output is judged.",
                "你的程序没有打印任何内容，而是写到了文件 `queens.out`；只评判标准输出。",
            ),
        ],
    },
    Mistake {
        student: "file-in-pascal",
        files: &[(
            "answer.pas",
            r"var n: integer;
begin
  assign(input, 'checker.in');
  reset(input);
  read(n);
  writeln(n);
end.
",
        )],
        verdict: "RE",
        said: &[
            ("ended with exit status 2", "以退出状态 2 结束"),
            (
                "Runtime error 2: a file that is opened does not exist.",
                "运行时错误 2：要打开的文件不存在。",
            ),
            (
                "Your program opens the file `checker.in`, which is not there; this task gives `n` on standard input.",
                "你的程序要打开文件 `checker.in`，但没有这个文件；本题从标准输入给出 `n`。",
            ),
        ],
    },
];
