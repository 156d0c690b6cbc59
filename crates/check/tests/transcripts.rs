//! What students read, whole: each file in `transcripts/` is what its cases make a checker say. Read them as
//! the checkers' documentation. When one changes, the new text is written to Cargo's temporary folder.

#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

use std::fmt::Write as _;
use std::path::Path;

use grader_check::judge;
use grader_model::{Judgement, escaped};
use grader_problem::{Checker, GrayOrder};

/// Everything a judgement says, as plain text.
fn told(judgement: &Judgement) -> String {
    let mut text = format!("=> {:?}\n", judgement.mark);
    for evidence in &judgement.evidence {
        writeln!(text, "{}: {}", evidence.code, evidence.message.en).unwrap();
        writeln!(text, "  {}", evidence.message.zh).unwrap();
        if let Some(expected) = &evidence.expected {
            writeln!(text, "  expected: {expected}").unwrap();
        }
        if let Some(found) = &evidence.found {
            writeln!(text, "  found: {found}").unwrap();
        }
        if let Some(figure) = &evidence.figure {
            for line in figure.plain().lines() {
                writeln!(text, "    {line}").unwrap();
            }
        }
    }
    text
}

fn transcript(name: &str, cases: &[(&Checker, &str, &str)]) {
    let mut text = String::new();
    for (checker, expected, output) in cases {
        let judgement = judge(checker, output.as_bytes(), Some(expected.as_bytes())).unwrap();
        let short = |text: &str| {
            let line = escaped(text.as_bytes());
            match line.char_indices().nth(100) {
                Some((end, _)) => format!("{}…", &line[..end]),
                None => line,
            }
        };
        if checker.needs_answer() {
            writeln!(text, "expected {}", short(expected)).unwrap();
        }
        writeln!(text, "output   {}", short(output)).unwrap();
        writeln!(text, "{}", told(&judgement)).unwrap();
    }
    let file = Path::new("tests/transcripts").join(name);
    let wanted = std::fs::read_to_string(&file).unwrap_or_default();
    if wanted != text {
        let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&new, &text).unwrap();
        assert_eq!(wanted, text, "the new text is in {}", new.display());
    }
}

#[test]
fn exact_says_where_the_first_byte_differs() {
    let it = &Checker::Exact;
    transcript(
        "exact.txt",
        &[
            (it, "1 2\n3 4\n", "1 2\n3 4\n"),
            (it, "1 2\n3 4\n", "1 2\n3 5\n"),
            (it, "1 2\n3 4\n", "1 2\r\n3 4\r\n"),
            (it, "1 2\n3 4\n", "1 2 \n3 4\n"),
            (it, "1 2\n3 4\n", "1 2\n3 4"),
            (it, "1 2\n3 4\n", "1 2\n"),
            (it, "1 2\n3 4\n", "1 2\n3 4\n5 6\n"),
            (it, "92\n", "Enter n: 92\n"),
            (it, "92\n", "\u{1b}[1m92\u{1b}[0m\n"),
        ],
    );
}

#[test]
fn lines_says_which_line_differs() {
    let it = &Checker::Lines;
    let three = "1 3 5 2 4\n1 4 2 5 3\n2 4 1 3 5\n10\n";
    let many = (0..93).fold(three.to_owned(), |text, line| {
        text + &format!("{line} 1 2\n")
    });
    transcript(
        "lines.txt",
        &[
            (it, three, three),
            (
                it,
                three,
                "1 3 5 2 4 \r\n1 4 2 5 3 \r\n2 4 1 3 5 \r\n10\r\n\r\n",
            ),
            (it, three, "1 3 5 2 4\n1 4 2 5 3\n2 4 1 3 5\n10"),
            (it, three, "1 3 5 2 4\n1 4 2 5 3\n2 4 1 3 6\n10\n"),
            (it, three, "1 3 5 2 4\n2 4 1 3 5\n10\n"),
            (it, three, "1 3 5 2 4\n1 4 2 5 3\n"),
            (it, three, &many),
            (it, three, "1 3 5 2 4\n\n1 4 2 5 3\n\n2 4 1 3 5\n10\n"),
            (it, three, "1 3 5 2 4\n 1 4 2 5 3\n2 4 1 3 5\n10\n"),
            (it, three, "1 3 5 2 4\n1  4\t2 5 3\n2 4 1 3 5\n10\n"),
            (it, three, "1 3 5 2 4 1 4 2 5 3\n2 4 1 3 5\n10\n"),
            (it, three, "Enter n: 1 3 5 2 4\n1 4 2 5 3\n2 4 1 3 5\n10\n"),
            (
                it,
                three,
                "1 3 5 2 4\n1 4 2 5 3\n2 4 1 3 5\n10\nTime: 0.01 s\n",
            ),
            (it, "2\n10\n4\n", "4 : 2\n5 : 10\n6 : 4\n"),
            (it, "2\n10\n4\n", "4 2\n5 10\n6 4\n"),
            (it, "even\nodd\n", "C(4, 2) is even\nC(5, 0) is odd\n"),
            (it, "even\nodd\n", "even\nodd\nodd\n"),
            (it, "Hello, world\n", "hello, World\n"),
            (it, "0011010\n", "0011110\n"),
            (it, "八皇后 92\n", "八王后 92\n"),
            (it, "a\n", "a\0\n"),
            (it, "a\n", "\u{202e}b\u{1b}[2J\n"),
        ],
    );
}

#[test]
fn tokens_says_which_value_differs() {
    let it = &Checker::Tokens {
        case_sensitive: true,
    };
    let loose = &Checker::Tokens {
        case_sensitive: false,
    };
    let table = "1 0 0 2 10 4 40 92 352 724";
    transcript(
        "tokens.txt",
        &[
            (it, "92\n", "92"),
            (it, "92\n", "93\n"),
            (it, "92\n", "092\n"),
            (it, table, "1 0 0\n2 10 4\n40 93 352 724\n"),
            (it, table, "1 0 0 2 10 4 40 92 352"),
            (it, table, "1 0 0 2 10 4 40 92 352 724 2680"),
            (it, table, "1 0 1"),
            (it, "Yes\n", "YES\n"),
            (loose, "Yes\n", "YES\n"),
            (it, "92\n", "Enter n: 92\n"),
            (it, "92\n", "Solutions = 92\n"),
            (it, "92\n", "8 Queens: 92\n"),
            (it, "92\n", "n:92\n"),
            (it, "92\n", "There are 92 solutions.\n"),
            (it, "92\n", "92\nTime: 0.003 s\n"),
            (it, "92\n", "8皇后问题共有92种解法\n"),
            (it, "92\n", "n = 8, solutions = 92, time = 0.01s\n"),
            (it, "92\n40\n", "n = 8: 92\nn = 7: 40\n"),
            (it, "Yes\nNo\n", "Yes\nNo\nNo\n"),
            (it, "92\n", "1 0 0 2 10 4 40 92\n"),
            (it, "92\n", "\u{feff}92\n"),
        ],
    );
}

#[test]
fn numbers_says_how_far_apart_they_are() {
    let it = &Checker::Numbers {
        absolute: 1e-6,
        relative: 1e-9,
        case_sensitive: true,
    };
    let exact = &Checker::Numbers {
        absolute: 0.0,
        relative: 0.0,
        case_sensitive: true,
    };
    transcript(
        "numbers.txt",
        &[
            (it, "3.14159265 2\n", "3.1415926 2.0000000\n"),
            (it, "3.14159265 2\n", "3.15 2\n"),
            (it, "3.14159265\n", "nan\n"),
            (it, "3.14159265\n", "0x3\n"),
            (it, "3.14159265\n", "pi = 3.1415927\n"),
            (exact, "9007199254740993\n", "9007199254740992\n"),
            (exact, "92\n", "+092\n"),
            (exact, "ok 1\n", "no 1\n"),
        ],
    );
}

#[test]
fn queens_board_says_what_is_wrong_with_the_board() {
    let board = |size, queen: &str, blank: &str, separator: &str| Checker::QueensBoard {
        size,
        queen: queen.to_owned(),
        blank: blank.to_owned(),
        separator: separator.to_owned(),
    };
    let it = &board(4, "Q", "#", "");
    let dots = &board(4, "Q", ".", " ");
    let legal = "#Q##\n###Q\nQ###\n##Q#\n";
    let mirror = "##Q#\nQ###\n###Q\n#Q##\n";
    let all = format!("{legal}\n{mirror}\n");
    let eight = &board(8, "Q", "#", "");
    let attacked =
        "Q#######\n####Q###\n#######Q\n#####Q##\n##Q#####\n######Q#\n#Q######\n###Q####\n";
    let eight_attacked = attacked.replacen("###Q####", "#######Q", 1);
    transcript(
        "queens-board.txt",
        &[
            (it, "", legal),
            (it, "", "#Q## \r\n###Q\r\nQ###\r\n##Q#\r\n\r\n"),
            (eight, "", attacked),
            (eight, "", &eight_attacked),
            (it, "", "Q###\n####\n#Q##\n##Q#\n"),
            (it, "", "####\n####\n####\n####\n"),
            (it, "", "#Q##\n###Q\nQ###\n####\n"),
            (it, "", "#Q#Q\n####\nQ###\n##Q#\n"),
            (it, "", "#Q##\n###Q\nQ##\n##Q#\n"),
            (it, "", "#Q##\n###Q\nQ#x#\n##Q#\n"),
            (it, "", "#Q##\n###Q\nQ###\n"),
            (it, "", &all),
            (it, "", &all.replace('#', ".")),
            (
                it,
                "",
                &format!("No. 1\n{legal}\nNo. 2\n{mirror}")
                    .replace('#', ". ")
                    .replace('Q', "Q "),
            ),
            (it, "", ".Q..\n...Q\nQ...\n..Q.\n"),
            (it, "", "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n"),
            (it, "", "# Q # #\n# # # Q\nQ # # #\n# # Q #\n"),
            (it, "", "#1##\n###2\n3###\n##4#\n"),
            (it, "", "Q...\n..Q.\n.Q..\n...Q\n"),
            (it, "", "+---+\n|#Q##|\n|###Q|\n|Q###|\n|##Q#|\n+---+\n"),
            (dots, "", "□ ♕ □ □\n□ □ □ ♕\n♕ □ □ □\n□ □ ♕ □\n"),
            (it, "", "2 4 1 3\n"),
            (it, "", "\n#Q##\n\n###Q\n\n Q###\n##Q#\n"),
            (it, "", "#Q#####\n###Q\nQ###\n##Q#\n"),
            (it, "", "Enter n: .Q..\n...Q\nQ...\n..Q.\n"),
            (
                it,
                "",
                "[[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0]]\n",
            ),
            (it, "", "Q####\n##Q##\n####Q\n#Q###\n###Q#\n"),
            (
                it,
                "",
                "1 0 0 0 0\n0 0 1 0 0\n0 0 0 0 1\n0 1 0 0 0\n0 0 0 1 0\n",
            ),
            (it, "", "No solution\n"),
            (it, "", "Enter n: #Q##\n###Q\nQ###\n##Q#\n"),
            (it, "", "Solution 1\n#Q##\n###Q\nQ###\n##Q#\nTime: 0 s\n"),
            (it, "", "Solution 1\nQ###\n#Q##\n###Q\n##Q#\n"),
            (it, "", "\u{1b}[31m#Q##\u{1b}[0m\n###Q\nQ###\n##Q#\n"),
            (it, "", "#Q##\0\n###Q\0\nQ###\0\n##Q#\0\n"),
        ],
    );
}

#[test]
fn queens_columns_says_what_is_wrong_with_the_placement() {
    let it = &Checker::QueensColumns { size: 8, base: 1 };
    let zero = &Checker::QueensColumns { size: 8, base: 0 };
    let four = &Checker::QueensColumns { size: 4, base: 1 };
    let large = &Checker::QueensColumns { size: 200, base: 1 };
    let odd_then_even = (0..100)
        .map(|row| row * 2 + 1)
        .chain((0..100).map(|row| row * 2 + 2));
    let knights = odd_then_even
        .map(|column| column.to_string())
        .collect::<Vec<_>>()
        .join("\n");
    transcript(
        "queens-columns.txt",
        &[
            (it, "", "1 5 8 6 3 7 2 4\n"),
            (it, "", "1\r\n5\r\n8\r\n6\r\n3\r\n7\r\n2\r\n4"),
            (it, "", "1 5 8 6 3 7 4 2\n"),
            (it, "", "1 5 8 6 3 7 2 5\n"),
            (large, "", &knights),
            (it, "", "0 4 7 5 2 6 1 3\n"),
            (zero, "", "1 5 8 6 3 7 2 4\n"),
            (it, "", "1 5 9 6 3 7 2 4\n"),
            (it, "", "1 5 0 6 3 7 4 2\n"),
            (it, "", "1 5 -8 6 3 7 2 99999999999999999999\n"),
            (it, "", "1 5 8 6 3 7 2\n"),
            (it, "", "1 5 8 6 3 7 2 4\n1 6 8 3 7 4 2 5\n"),
            (it, "", "8\n1 5 8 6 3 7 2 4\n"),
            (it, "", "Enter n: 1 5 8 6 3 7 2 4\n"),
            (it, "", "n:1 5 8 6 3 7 2 4\n"),
            (it, "", "1 5 8 6 3 7 2 4\nTime: 5 ms\n"),
            (it, "", "Enter n: 1 5 8 6 3 7 4 2\n"),
            (it, "", "Solution: [1, 5, 8, 6, 3, 7, 2, 4]\n"),
            (it, "", "[1,5,8,6,3,7,2,4]\n"),
            (it, "", "15863724\n"),
            (it, "", "1 1\n2 5\n3 8\n4 6\n5 3\n6 7\n7 2\n8 4\n"),
            (it, "", "1 5 8 six 3 7 2 4\n"),
            (four, "", ".Q..\n...Q\nQ...\n..Q.\n"),
            (four, "", "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n"),
        ],
    );
}

#[test]
fn gray_code_says_which_lines_are_no_neighbours() {
    let any = &Checker::GrayCode {
        bits: 3,
        order: GrayOrder::Any,
    };
    let reflected = &Checker::GrayCode {
        bits: 3,
        order: GrayOrder::Reflected,
    };
    let right = "000\n001\n011\n010\n110\n111\n101\n100\n";
    let path = "000\n001\n011\n111\n101\n100\n110\n010\n";
    transcript(
        "gray-code.txt",
        &[
            (any, "", right),
            (any, "", path),
            (reflected, "", right),
            (reflected, "", path),
            (any, "", &right.replace('\n', " \r\n")),
            (any, "", "000\n001\n010\n011\n100\n101\n110\n111\n"),
            (any, "", "000\n001\n011\n010\n110\n101\n111\n100\n"),
            (any, "", "000\n001\n000\n010\n110\n111\n101\n100\n"),
            (any, "", "000\n001\n011\n010\n"),
            (any, "", "0\n1\n11\n10\n110\n111\n101\n100\n"),
            (any, "", "00\n01\n10\n11\n110\n111\n101\n100\n"),
            (any, "", "000\n001\n0l1\n010\n110\n111\n101\n100\n"),
            (any, "", "0\n1\n3\n2\n6\n7\n5\n4\n"),
            (any, "", &right.replace('\n', " ")),
            (any, "", &format!("n = {right}")),
            (any, "", &format!("n={right}")),
            (any, "", &right.replace('\n', ",\n")),
            (
                any,
                "",
                "0 0 0\n0 0 1\n0 1 1\n0 1 0\n1 1 0\n1 1 1\n1 0 1\n1 0 0\n",
            ),
            (
                any,
                "",
                "1: 000\n2: 001\n3: 011\n4: 010\n5: 110\n6: 111\n7: 101\n8: 100\n",
            ),
        ],
    );
}

#[test]
fn gray_grid_says_which_cells_are_no_neighbours() {
    let it = &Checker::GrayGrid {
        rows: 1,
        columns: 2,
    };
    transcript(
        "gray-grid.txt",
        &[
            (it, "", "000 001 011 010\n100 101 111 110\n"),
            (it, "", "000\t001\t011\t010 \n100\t101\t111\t110 \n"),
            (it, "", "000 001 010 011\n100 101 110 111\n"),
            (it, "", "000 001 011 010\n110 111 101 100\n"),
            (it, "", "000 001 011 001\n100 101 111 110\n"),
            (it, "", "000 001 011\n100 101 111 110\n"),
            (it, "", "000 001 011 010\n"),
            (it, "", "000 001 011 010\n100 101 1112 110\n"),
            (it, "", "0 1 11 10\n100 101 111 110\n"),
            (it, "", "0 1 3 2\n4 5 7 6\n"),
            (it, "", "000 001 011 010\n\n100 101 111 110\n"),
            (it, "", "0 0 0 0 0 1 0 1 1 0 1 0\n1 0 0 1 0 1 1 1 1 1 1 0\n"),
            (it, "", "Grid:\n000 001 011 010\n100 101 111 110\n"),
        ],
    );
}
