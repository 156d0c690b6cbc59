//! Programs with a mistake that students really make, and the texts that must explain it.

/// What one student submits, and the texts about it in both languages.
pub(super) struct Mistake {
    pub(super) student: &'static str,
    pub(super) files: &'static [(&'static str, &'static str)],
    pub(super) verdict: &'static str,
    pub(super) texts: &'static [(&'static str, &'static str)],
}

pub(super) const MISTAKES: [Mistake; 9] = [
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
        texts: &[
            ("ended with exit status 1", "以退出码 1 结束"),
            (
                "An exception ended the program at line 4: java.lang.NullPointerException: Cannot invoke \"String.length()\" because \"<local1>\" is null",
                "程序在第 4 行因异常而结束：java.lang.NullPointerException: Cannot invoke \"String.length()\" because \"<local1>\" is null",
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
        texts: &[
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
        texts: &[
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
        texts: &[
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
        texts: &[(
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
        texts: &[
            ("ended with exit status 1", "以退出码 1 结束"),
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
        texts: &[(
            "extra text before the answer: `Enter n: `",
            "答案前有多余文字：`Enter n: `",
        )],
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
        texts: &[
            ("ended with exit status 1", "以退出码 1 结束"),
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
        texts: &[
            ("the program printed nothing", "程序没有任何输出"),
            (
                "Your program printed nothing; it wrote `queens.out`. Only standard output is judged.",
                "你的程序没有打印任何内容，而是写到了文件 `queens.out`；只评判标准输出。",
            ),
        ],
    },
];
