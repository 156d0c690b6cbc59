//! Advice on runs that fail.

use grader_language::language;
use grader_model::LanguageId::{C, Cpp, Java, Pascal, Python, Rust};
use grader_model::{End, LanguageId};

use crate::support::build;
use crate::{run_fails, runs_out_of_memory};

const END_OF_INPUT: &str = "The program read more input than there is. Look whether this task gives its data on \
                            standard input at all, and how many numbers it gives.";
const INDEX: &str = "An index lies outside its array or list, or the program takes an argument of the command line \
                     that it is not given.";
const NO_NUMBER: &str = "The program took something for a number that is none: an empty line, or several numbers \
                         on one line.";
const DEEP: &str = "The recursion is too deep; look whether it always reaches its end.";

#[test]
fn exceptions_of_python_are_explained() {
    run_fails(
        Python,
        "import nosuchmodule.part\n",
        "",
        &[
            "There is no module `nosuchmodule` here: only the standard library of Python is available.",
        ],
    );
    run_fails(
        Python,
        "def f():\n    return int(input())\nf()\n",
        "",
        &[
            "An exception ended the program at line 2: EOFError: EOF when reading a line",
            END_OF_INPUT,
        ],
    );
    run_fails(
        Python,
        "n = int(input())\n",
        "\n",
        &[
            "An exception ended the program at line 1: ValueError: invalid literal for int() with base 10: ''",
            NO_NUMBER,
        ],
    );
    run_fails(
        Python,
        "import sys\nprint(sys.argv[1])\n",
        "",
        &[
            "An exception ended the program at line 2: IndexError: list index out of range",
            INDEX,
        ],
    );
    run_fails(
        Python,
        "import json\njson.loads('x')\n",
        "",
        &[
            "An exception ended the program at line 2: json.decoder.JSONDecodeError: Expecting value: line 1 \
           column 1 (char 0)",
        ],
    );
    run_fails(
        Python,
        "def f(n): return f(n + 1)\nf(0)\n",
        "",
        &[
            "An exception ended the program at line 1: RecursionError: maximum recursion depth exceeded",
            "Python allows about 1000 nested calls; a deeper recursion needs `sys.setrecursionlimit`.",
        ],
    );
    run_fails(
        Python,
        "exit(4)\n",
        "",
        &["The program ended itself with exit status 4 (`exit`); only 0 means success."],
    );
    runs_out_of_memory(Python, "x = [0] * 10**17\n");
}

/// A Java program with this body.
fn java(body: &str) -> String {
    format!(
        "import java.util.*;\nclass A {{ static int f(int n) {{ return f(n + 1) + 1; }}\n  \
             public static void main(String[] args) {{\n    {body}\n  }} }}"
    )
}

#[test]
fn exceptions_of_java_are_explained() {
    run_fails(
        Java,
        &java("int n = new Scanner(System.in).nextInt();"),
        "",
        &[
            "An exception ended the program at line 4: java.util.NoSuchElementException",
            END_OF_INPUT,
        ],
    );
    run_fails(
        Java,
        &java("Integer.parseInt(new Scanner(System.in).nextLine());"),
        "8 9\n",
        &[
            "An exception ended the program at line 4: java.lang.NumberFormatException: For input string: \"8 9\"",
            NO_NUMBER,
        ],
    );
    run_fails(
        Java,
        &java("System.out.println(args[0]);"),
        "",
        &[
            "An exception ended the program at line 4: java.lang.ArrayIndexOutOfBoundsException: Index 0 out of \
             bounds for length 0",
            INDEX,
        ],
    );
    run_fails(
        Java,
        &java("f(0);"),
        "",
        &[
            "An exception ended the program at line 2: java.lang.StackOverflowError",
            DEEP,
        ],
    );
    run_fails(
        Java,
        &java("System.exit(5);"),
        "",
        &["The program ended itself with exit status 5 (`System.exit`); only 0 means success."],
    );
    runs_out_of_memory(
        Java,
        &java("List<int[]> all = new ArrayList<>(); while (true) all.add(new int[1000000]);"),
    );
}

#[test]
fn what_java_says_of_an_exception_is_given_whole() {
    for (body, stdin, advice) in [
        (
            "String s = System.getProperty(\"none\"); System.out.println(s.length());",
            "",
            vec![
                "An exception ended the program at line 4: java.lang.NullPointerException: Cannot invoke \
                 \"String.length()\" because \"<local1>\" is null",
            ],
        ),
        (
            "try { try { new Scanner(new java.io.File(\"checker.in\")); } catch (java.io.IOException e) {\n\
                 throw new RuntimeException(e); } } catch (RuntimeException e) {\n\
                 throw new IllegalStateException(\"cannot solve\", e); }",
            "",
            vec![
                "An exception ended the program at line 4: java.io.FileNotFoundException: checker.in (No such file or \
                 directory)",
            ],
        ),
        (
            "Runnable r = () -> {\nint[] a = new int[8];\na[8] = 1; };\ntry { r.run(); } catch (RuntimeException e) { throw new \
             Error(\"x\", e); }",
            "",
            vec![
                "An exception ended the program at line 6: java.lang.ArrayIndexOutOfBoundsException: Index 8 out of \
                 bounds for length 8",
                INDEX,
            ],
        ),
    ] {
        run_fails(Java, &java(body), stdin, &advice);
    }
    let reader = "class R { static String line() throws java.io.IOException { return new java.io.BufferedReader(new \
                  java.io.InputStreamReader(System.in)).readLine(); }\n\
                  public static void main(String[] a) throws Exception {\n";
    for (body, message) in [
        (
            "Integer.parseInt(line());",
            "java.lang.NumberFormatException: Cannot parse null string",
        ),
        (
            "Integer.parseInt(new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).readLine().trim());",
            "java.lang.NullPointerException: Cannot invoke \"String.trim()\" because the return value of \
             \"java.io.BufferedReader.readLine()\" is null",
        ),
    ] {
        let message = format!("An exception ended the program at line 3: {message}");
        run_fails(
            Java,
            &format!("{reader}{body} }} }}"),
            "",
            &[&message, END_OF_INPUT],
        );
    }
}

#[test]
fn panics_of_rust_are_explained() {
    run_fails(
        Rust,
        "fn main() {\n    let n: Vec<u32> = Vec::new();\n    println!(\"{}\", n[std::env::args().count() + 2]);\n}\n",
        "",
        &[
            "The program panicked at main.rs:3:21: index out of bounds: the len is 0 but the index is 3",
            INDEX,
        ],
    );
    run_fails(
        Rust,
        "fn main() {\n    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();\n    println!(\"{n}\");\n}\n",
        "",
        &[
            "The program panicked at main.rs:2:42: called `Option::unwrap()` on a `None` value",
            "`unwrap` found nothing: input or a command-line argument may be missing.",
        ],
    );
    run_fails(
        Rust,
        "fn main() -> Result<(), std::num::ParseIntError> {\n    \"x\".parse::<u32>()?;\n    Ok(())\n}\n",
        "",
        &["`main` returned an error: ParseIntError { kind: InvalidDigit }"],
    );
    run_fails(
        Rust,
        "fn main() { std::process::exit(7) }",
        "",
        &["The program ended itself with exit status 7; only 0 means success."],
    );
    run_fails(
        Rust,
        "fn f(n: u64) -> u64 { let a = [n; 1000]; f(std::hint::black_box(a)[7] + 1) + a[3] }\nfn main() { println!(\"{}\", f(0)); }",
        "",
        &[DEEP],
    );
    runs_out_of_memory(
        Rust,
        "fn main() { let v: Vec<u8> = Vec::with_capacity(1 << 60); std::hint::black_box(v); }",
    );
}

#[test]
fn ends_of_native_programs_are_explained() {
    const SEGV: &str = "The program touched memory that is not its own (SIGSEGV). Usual causes: an index outside \
                        its array, a null pointer, or recursion that never ends.";
    run_fails(
        C,
        "int main(int c, char **v){ *(volatile int *)0 = c; return 0; }",
        "",
        &[SEGV],
    );
    run_fails(
        Cpp,
        "int main(int c, char **v){ *(volatile int *)0 = c; }",
        "",
        &[SEGV],
    );
    run_fails(
        C,
        "int main(int c, char **v){ volatile int z = c - 1; return 8 / z; }",
        "",
        &["The program divided an integer by zero (SIGFPE); `%` by zero counts too."],
    );
    // With a zero that the compiler sees: it puts a trap there.
    run_fails(
        C,
        "int f(int n){ if (n == 0) return 8 / n; return n; }\nint main(int c, char **v){ return f(c - 1); }",
        "",
        &[
            "The program ran into code that the compiler had marked as always wrong (SIGILL). Usual causes: an \
             integer divided by zero (`%` too), or a function that should return a value and ends without `return`.",
        ],
    );
    run_fails(
        C,
        "#include <stdlib.h>\nint main(){ exit(1); }",
        "",
        &[
            "The program ended with exit status 1; only 0 means success. Look at what `main` returns and at calls of \
             `exit`.",
        ],
    );
    run_fails(
        C,
        "#include <stdlib.h>\nint main(){ abort(); }",
        "",
        &[
            "The program stopped itself (SIGABRT): a failed `assert`, an exception that nobody caught, or \
           memory that was freed twice or overwritten.",
        ],
    );
    run_fails(
        C,
        "#include <assert.h>\nint main(int c, char **v){ assert(c == 8); return 0; }",
        "",
        &["An `assert` of the program failed: program: main.c:2: main: Assertion `c == 8' failed."],
    );
    run_fails(
        C,
        "#include <stdlib.h>\nint main(){ char *volatile p = malloc(8); free(p); free(p); return 0; }",
        "",
        &[
            "The program damaged its own heap: memory freed twice, or written behind the end of an array.",
        ],
    );
    run_fails(
        Cpp,
        "#include <vector>\nint main(){ std::vector<int> v; return v.at(8); }",
        "",
        &[
            "An exception ended the program: std::out_of_range: vector::_M_range_check: __n (which is 8) >= \
             this->size() (which is 0)",
            INDEX,
        ],
    );
    run_fails(
        Cpp,
        "#include <string>\nint main(int c, char **v){ std::string s(v[1]); return s.size(); }",
        "",
        &[
            "An exception ended the program: std::logic_error: basic_string: construction from null is not valid",
            "A string was made of a null pointer; is a command-line argument missing?",
        ],
    );
    runs_out_of_memory(
        Cpp,
        "#include <vector>\nint main(){ std::vector<char> v(1ull << 60); return v[3]; }",
    );
}

#[test]
fn runtime_errors_of_pascal_are_explained() {
    let program = "{$R+}{$Q+}\nvar a: array[1..3] of integer; i: integer; p: ^integer; k: int64;\nbegin\n  readln(i);\n  \
                   if i = 0 then writeln(5 div i);\n  if i = 1 then a[i + 7] := 4;\n  \
                   if i = 2 then begin p := nil; p^ := 3 end;\n  if i = 3 then begin k := high(int64); k := k * i end;\n  \
                   if i = 4 then halt(9);\n  if i = 5 then runerror(203);\nend.\n";
    let Some(built) = build(Pascal, &[("a.pas", program.as_bytes())]) else {
        return;
    };
    let advice = |input: &str| built.run_advice(&[], input);
    assert_eq!(advice("0\n"), ["Runtime error 200: division by zero."]);
    assert_eq!(
        advice("1\n"),
        ["Runtime error 201: an index or a value out of its range."]
    );
    assert_eq!(
        advice("2\n"),
        [
            "Runtime error 216: access to memory that is not its own: an index outside its array, a `nil` \
          pointer, or recursion without end."
        ]
    );
    assert_eq!(
        advice("3\n"),
        ["Runtime error 215: a whole number became too large."]
    );
    assert_eq!(
        advice("4\n"),
        ["The program ended itself with exit status 9 (`halt`); only 0 means success."]
    );
    assert_eq!(
        advice("x\n"),
        ["Runtime error 106: the input is no number where one is read."]
    );
    assert!(language(Pascal).ran_out_of_memory(&built.run(&[], "5\n").stderr));
    run_fails(
        Pascal,
        "uses sysutils;\nvar i: integer;\nbegin\n  i := strtoint('x');\nend.\n",
        "",
        &["An exception ended the program: EConvertError: \"x\" is an invalid integer"],
    );
}

#[test]
fn nothing_is_said_about_a_run_that_went_well() {
    for id in LanguageId::ALL {
        assert_eq!(language(id).explain_run(b"", End::Exited(0)), []);
        assert_eq!(language(id).explain_build(b"", &[]), []);
        assert!(!language(id).ran_out_of_memory(b""));
    }
}
