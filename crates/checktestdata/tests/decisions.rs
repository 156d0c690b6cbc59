//! What programs accept, reject and cannot decide.

use grader_checktestdata::Program;

/// The decision as text.
fn decide(program: &str, input: &[u8]) -> String {
    match Program::parse(program.as_bytes()).map(|it| it.check(input)) {
        Ok(Ok(Ok(()))) => "accepts".to_owned(),
        Ok(Ok(Err(rejection))) => rejection.to_string(),
        Ok(Err(mistake)) => format!("cannot decide: {mistake}"),
        Err(mistake) => format!("wrong: {mistake}"),
    }
}

#[track_caller]
fn all(rows: &[(&str, &str, &str)]) {
    let rows = rows.iter();
    let different = rows.filter_map(|(program, input, expected)| {
        let found = decide(program, input.as_bytes());
        (found != *expected).then(|| {
            format!("{program:.80}\n{input:.80?}\nexpected {expected}\nfound    {found}\n")
        })
    });
    let different: Vec<_> = different.collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
}

const ACCEPTS: &str = "accepts";

#[test]
fn numbers_have_a_range_and_one_form() {
    let float = "FLOAT(0, 1) NEWLINE";
    let rejected = "line 1, column 1: expected a real number from 0 to 1, found";
    all(&[
        ("INT(-5, 5) NEWLINE", "-5\n", ACCEPTS),
        (
            "INT(0, 10^30) NEWLINE",
            "1000000000000000000000000000000\n",
            ACCEPTS,
        ),
        (
            "INT(1, 9) NEWLINE",
            "10\n",
            "line 1, column 1: expected an integer from 1 to 9, found `10`",
        ),
        (
            "INT(1, 9) NEWLINE",
            "07\n",
            "line 1, column 1: expected an integer from 1 to 9, found `07`",
        ),
        (
            "INT(0, 9) NEWLINE",
            "-0\n",
            "line 1, column 1: expected an integer from 0 to 9, found `-0`",
        ),
        (
            "INT(0, 9) NEWLINE",
            "\n",
            "line 1, column 1: expected an integer from 0 to 9, found the end of the line",
        ),
        (
            "INT(0, 9) NEWLINE",
            "",
            "line 1, column 1: expected an integer from 0 to 9, found the end of the input",
        ),
        (float, "0.50\n", ACCEPTS),
        (float, "5e-1\n", ACCEPTS),
        (float, "1\n", ACCEPTS),
        (float, ".5\n", &format!("{rejected} `.5`")),
        (float, "5.\n", &format!("{rejected} `5.`")),
        (float, "-0.0\n", &format!("{rejected} `-0.0`")),
        (
            float,
            "1.0000000000000000000000000001\n",
            &format!("{rejected} `1.0000000000000000000000000001`"),
        ),
        (
            "FLOAT(0, 1, x, FIXED) NEWLINE",
            "5e-1\n",
            "line 1, column 1: expected a real number from 0 to 1 (FIXED), found `5e-1`",
        ),
        (
            "FLOAT(0, 9, x, SCIENTIFIC) NEWLINE",
            "5\n",
            "line 1, column 1: expected a real number from 0 to 9 (SCIENTIFIC), found `5`",
        ),
        ("FLOATP(0, 9, 1, 2) NEWLINE", "5.25\n", ACCEPTS),
        (
            "FLOATP(0, 9, 1, 2) NEWLINE",
            "5\n",
            "line 1, column 1: expected a real number from 0 to 9 with 1 to 2 decimals, found `5`",
        ),
        (
            "FLOATP(0, 900, 1, 2) NEWLINE",
            "52.5e0\n",
            "line 1, column 1: expected a real number from 0 to 900 with 1 to 2 decimals, found `52.5e0`",
        ),
    ]);
}

#[test]
fn commands_read_what_they_name() {
    all(&[
        ("SPACE NEWLINE", " \n", ACCEPTS),
        (
            "SPACE",
            "\n",
            "line 1, column 1: expected a space, found the end of the line",
        ),
        (
            "NEWLINE",
            "\r\n",
            "line 1, column 1: expected the end of the line, found `\\r`",
        ),
        (
            "INT(1,2) NEWLINE",
            "1\nx",
            "line 2, column 1: expected the end of the input, found `x`",
        ),
        ("STRING(\"a\\101\\\"\\n\") EOF", "aA\"\n", ACCEPTS),
        (
            "SET(s = \"yes\") STRING(s)",
            "no",
            "line 1, column 1: expected `yes`, found `no`",
        ),
        (
            "REGEX(\"[a-z]{2,3}\", w) ASSERT(STRLEN(w) == 3)",
            "abc",
            ACCEPTS,
        ),
        (
            "REGEX(\"[a-z]{2,3}\")",
            "A",
            "line 1, column 1: expected a match of `[a-z]{2,3}`, found `A`",
        ),
        ("REGEX(\"a.b\")", "a\nb", ACCEPTS),
        ("REGEX(\"(a|b)+\\\\.[^\\n]*\\n\")", "ab.x y\n", ACCEPTS),
        (
            "ASSERT(1 > 2)",
            "",
            "line 1, column 1: the `ASSERT` in line 1 of the validator fails",
        ),
    ]);
}

#[test]
fn blocks_repeat_and_choose() {
    all(&[
        (
            "INT(1,9,n) NEWLINE REP(n, SPACE) INT(0,9) END NEWLINE",
            "3\n1 2 3\n",
            ACCEPTS,
        ),
        (
            "INT(1,9,n) NEWLINE REP(n, SPACE) INT(0,9) END NEWLINE",
            "3\n1 2\n",
            "line 2, column 4: expected a space, found the end of the line",
        ),
        (
            "REPI(i, 3) INT(i, i) SPACE END ASSERT(i == 3)",
            "0 1 2 ",
            ACCEPTS,
        ),
        ("WHILE(!ISEOF, NEWLINE) INT(0,9) END", "1\n2", ACCEPTS),
        (
            "WHILEI(i, MATCH(\"xy\")) REGEX(\".\") END ASSERT(i == 2)",
            "xy",
            ACCEPTS,
        ),
        (
            "IF(MATCH(\"a\")) STRING(\"a\") ELSE STRING(\"b\") END",
            "b",
            ACCEPTS,
        ),
        (
            "REP(-5) STRING(\"a\") END REP(0) ASSERT(1 == 2) END",
            "",
            ACCEPTS,
        ),
        ("IF(1 == 2) ASSERT(x == 1) END", "", ACCEPTS),
        (
            "ASSERT(1 == 1 || x == 1) ASSERT(!(1 == 2 && x == 1))",
            "",
            ACCEPTS,
        ),
    ]);
}

#[test]
fn expressions_are_exact() {
    all(&[
        (
            "ASSERT(-7 / 2 == -3 && -7 % 2 == -1 && 2^3^2 == 64 && -2^2 == -4 && (-2)^2 == 4)",
            "",
            ACCEPTS,
        ),
        (
            "ASSERT(7 / 2.0 == 3.5 && 0.1 + 0.2 == 0.3 && 1e3 == 1000 && 2 - 3 - 4 == -5)",
            "",
            ACCEPTS,
        ),
        (
            "ASSERT(\"a\" < \"b\" && 10^50 > 10^49 && (-1)^(10^18 + 1) == -1)",
            "",
            ACCEPTS,
        ),
        (
            "ASSERT(1 == \"a\")",
            "",
            "cannot decide: line 1: cannot compute `1 == a string`",
        ),
        (
            "ASSERT(1 / 0 == 1)",
            "",
            "cannot decide: line 1: cannot compute `1 / 0`",
        ),
        (
            "ASSERT(1.5 % 1 == 0)",
            "",
            "cannot decide: line 1: cannot compute `1.5 % 1`",
        ),
        (
            "INT(1, x)",
            "1",
            "cannot decide: line 1: `x[]` has no value",
        ),
        (
            "SET(a[1.0] = 1)",
            "",
            "cannot decide: line 1: an index must be an integer",
        ),
    ]);
}

#[test]
fn arrays_are_unique_and_are_searched() {
    let read = "INT(1,9,n) REPI(i, n) SPACE INT(0,9,a[i]) END\n";
    let unique = format!("{read}ASSERT(UNIQUE(a))");
    let pairs = "REPI(i, 2) INT(0,9,x[i]) SPACE INT(0,9,y[i]) SPACE END ASSERT(UNIQUE(x, y))";
    all(&[
        (&unique, "3 1 2 3", ACCEPTS),
        (
            &unique,
            "3 1 2 1",
            "line 1, column 8: the `ASSERT` in line 2 of the validator fails",
        ),
        (
            &format!("{read}ASSERT(INARRAY(7, a) && INARRAY(7.0, a) && !INARRAY(8, a))"),
            "1 7",
            ACCEPTS,
        ),
        (
            &format!("{read}UNSET(a) ASSERT(!INARRAY(7, a))"),
            "1 7",
            ACCEPTS,
        ),
        (
            "SET(a[0] = 1, a[0] = 2) ASSERT(!INARRAY(1, a) && a[0.0] == 2)",
            "",
            ACCEPTS,
        ),
        (pairs, "1 2 1 3 ", ACCEPTS),
        (
            pairs,
            "1 2 1 2 ",
            "line 1, column 9: the `ASSERT` in line 1 of the validator fails",
        ),
        (
            "SET(a[0] = 1, b[1] = 1) ASSERT(UNIQUE(a, b))",
            "",
            "line 1, column 1: variables of `UNIQUE` have different indices",
        ),
    ]);
}

#[test]
fn mistakes_have_a_line() {
    all(&[
        (
            "INT(1,2)\nFOO",
            "",
            "wrong: line 2: `FOO` is not a word of the language",
        ),
        ("INT(1 2)", "", "wrong: line 1: expected `,`, found 2"),
        (
            "REP(2)\nSPACE",
            "",
            "wrong: line 2: expected `END`, found the end of the file",
        ),
        (
            "SPACE\nEND",
            "",
            "wrong: line 2: expected a command, found `END`",
        ),
        (
            "REP(2, REP(1) END) END",
            "",
            "wrong: line 1: expected a command that is not a block, found `REP`",
        ),
        (
            "ASSERT(1)",
            "",
            "wrong: line 1: expected a test such as `a < b`, found a value",
        ),
        (
            "INT(1 < 2, 3)",
            "",
            "wrong: line 1: expected a value, found a test",
        ),
        (
            "STRING(\"abc",
            "",
            "wrong: line 1: `\"` is not a word of the language",
        ),
        (
            "STRING(\"\\777\")",
            "",
            "wrong: line 1: `\"\\777\"` is not a word of the language",
        ),
        (
            "REGEX(\"(a\")",
            "",
            "wrong: line 1: `(a` is not a regular expression, or is too large",
        ),
        (
            "REGEX(\"a*?\")",
            "",
            "wrong: line 1: `a*?` is not a regular expression, or is too large",
        ),
        (
            "FLOAT(1, 2, x, LOOSE)",
            "",
            "wrong: line 1: `LOOSE` is not a word of the language",
        ),
        (
            "SPACE \u{1b}",
            "",
            "wrong: line 1: `\\x1b` is not a word of the language",
        ),
    ]);
}

#[test]
fn nothing_runs_without_end() {
    let ends = "cannot decide: line 1: it did not end after 33554432 steps";
    let deep = "(".repeat(100_000);
    let nested = "IF(1 == 1) ".repeat(90_000);
    let minus = format!("ASSERT(1 == {}1)", "-".repeat(100_000));
    let lengths = format!("ASSERT(1 == {}", "STRLEN(".repeat(100_000));
    let sum = format!("ASSERT({}1 == 100001)", "1+".repeat(100_000));
    let groups = format!("REGEX(\"{}\")", "(".repeat(9_000));
    let too_deep = "wrong: line 1: it is nested more than 150 times";
    all(&[
        ("WHILE(1 == 1) END", "", ends),
        ("REP(10^18) END", "", ends),
        ("REP(10^18) REP(10^18) END END", "", ends),
        (
            "REGEX(\".*\", s) REPI(i, 10^9) SET(a[i] = s) END",
            &"x".repeat(1_000_000),
            "cannot decide: line 1: it did not end after 97554432 steps",
        ),
        (
            "SET(x = 2^(10^9))",
            "",
            "cannot decide: line 1: cannot compute `2 ^ 1000000000`",
        ),
        (
            "SET(x = 2^(2^64))",
            "",
            "cannot decide: line 1: cannot compute `2 ^ 18446744073709551616`",
        ),
        ("SET(x = 3) REP(10^9) SET(x = x * x) END", "", ends),
        (
            "SET(x = 1e999999999)",
            "",
            "wrong: line 1: `1e999999999` is not a word of the language",
        ),
        (
            "FLOAT(0, 1)",
            "1e-999999999\n",
            "cannot decide: line 1: a number of the input is too long",
        ),
        (
            "REGEX(\"a{1000}{1000}\")",
            "",
            "wrong: line 1: `a{1000}{1000}` is not a regular expression, or is too large",
        ),
        (
            "REGEX(\"((a{100}){100}){100}\")",
            "",
            "wrong: line 1: `((a{100}){100}){100}` is not a regular expression, or is too large",
        ),
        (&format!("ASSERT({deep}"), "", too_deep),
        (&nested, "", too_deep),
        (&minus, "", too_deep),
        (&lengths, "", too_deep),
        (&sum, "", ACCEPTS),
        (
            &groups,
            "",
            &format!(
                "wrong: line 1: `{}` is not a regular expression, or is too large",
                "(".repeat(100)
            ),
        ),
    ]);
}

#[test]
fn long_inputs_are_read_once() {
    let long = "1 2 3 4 5 6 7 8\n".repeat(100_000);
    let lines = "WHILE(!ISEOF) REP(8, SPACE) INT(1,8) END NEWLINE END";
    // Each match looks at all that follows: the work is bounded.
    let looks_ahead = "WHILE(!ISEOF) REGEX(\"(.*x)|.\") END";
    let digits = "9".repeat(1_000_000);
    all(&[
        (lines, &long, ACCEPTS),
        (
            looks_ahead,
            &long,
            "cannot decide: line 1: it did not end after 135954432 steps",
        ),
        (
            "INT(0, 9)",
            &digits,
            &format!(
                "line 1, column 1: expected an integer from 0 to 9, found `{}…`",
                "9".repeat(40)
            ),
        ),
    ]);
}
