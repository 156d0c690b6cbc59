//! Undefined behaviour in C and C++: what compilers warn of and what sanitizers report, as findings in words for
//! students.
//!
//! The formats are those of GCC, which Clang shares for the most part. What is not recognised is left out.

use grader_model::Text;

use crate::advice::{captures, explain_undefined};

/// Longest report of a sanitizer that is searched, in lines.
const MAX_REPORT_LINES: usize = 200;

/// A line in one of a program's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the file.
    pub file: usize,
    /// From 1.
    pub line: usize,
}

/// Undefined behaviour at a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The place.
    pub place: Place,
    /// What is undefined, as the end of a sentence that begins with the place.
    pub text: Text,
    /// How much it explains.
    pub weight: Weight,
    /// Whether it is the use of a null pointer.
    pub is_null: bool,
}

/// How much a finding explains, most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// The cause.
    Cause,
    /// A number that is too large: it may be harmless, as in a hash.
    Arithmetic,
    /// A consequence, if there is anything else: the crash.
    Consequence,
    /// Rarely the cause: the byte behind allocated memory is used, as if it held the `'\0'` of a string.
    Beside,
}

impl Finding {
    /// What an event means. `None` if that is not certain enough to be said.
    pub fn new(place: Place, event: &str) -> Option<Self> {
        let (text, topic) = explain_undefined(event)?;
        let weight = match topic {
            Some("harmless") => return None,
            Some("arithmetic") => Weight::Arithmetic,
            Some("null") | None => Weight::Cause,
            Some(_) => Weight::Consequence,
        };
        Some(Self {
            place,
            text,
            weight,
            is_null: topic == Some("null"),
        })
    }

    /// The use of a pointer of which no more is known than that it is invalid.
    pub fn invalid_pointer(place: Place) -> Option<Self> {
        Self::new(place, "SEGV ")
    }
}

/// A compiler's warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The place.
    pub place: Place,
    /// Its text, with the option that turns it on.
    text: String,
    /// The function that it is about: `is_even`.
    function: String,
    /// Where a note says that the variable is declared, or the memory allocated.
    origin: Option<Place>,
}

/// Something that may have no value when a program uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// What to say if a program depends on it.
    pub finding: Finding,
    /// The edit that gives it a value. `None` if it is allocated memory.
    pub edit: Option<Edit>,
}

/// A text to insert into a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The line.
    pub place: Place,
    /// The variable before whose next `,` or `;` it is inserted. `None` if it is a `return` before the last `}`.
    pub variable: Option<String>,
}

/// The warnings about these files, by their paths.
pub fn warnings(messages: &str, files: &[String]) -> Vec<Warning> {
    const ORIGINS: [&str; 3] = [
        "declared here",
        "region created on stack",
        "region created on heap",
    ];
    let messages = messages.replace(['\u{2018}', '\u{2019}'], "'");
    let (mut function, mut found) = ("", Vec::<Warning>::new());
    for line in messages.lines() {
        if let Some(named) = captures("unction '{}'", line) {
            let name = named[0].split('(').next().unwrap_or_default();
            function = name.rsplit([' ', '*', '&']).next().unwrap_or_default();
        } else if let Some((place, text)) = line.split_once(": warning: ") {
            found.extend(place_in(place, files).map(|place| Warning {
                place,
                text: text.to_owned(),
                function: function.to_owned(),
                origin: None,
            }));
        } else if let Some((place, note)) = line.split_once(": note: ")
            && let Some(last) = found.last_mut()
            && ORIGINS.iter().any(|it| note.contains(it))
        {
            last.origin = last.origin.or(place_in(place, files));
        }
    }
    found
}

impl Warning {
    /// What it says about undefined behaviour, whatever the program does.
    pub fn finding(&self) -> Option<Finding> {
        Finding::new(self.place, &self.text)
    }

    /// What it says may have no value.
    pub fn suspect(&self) -> Option<Suspect> {
        const USES: [&str; 3] = [
            "^use of uninitialized value '{}'",
            "^'{}' is used uninitialized",
            "^'{}' may be used uninitialized",
        ];
        if self.is_missing_return() {
            let finding = self.missing_return()?;
            let (place, variable) = (self.place, None);
            let edit = Some(Edit { place, variable });
            return Some(Suspect { finding, edit });
        }
        let used = USES.iter().find_map(|it| captures(it, &self.text))?[0];
        let place = self.origin?;
        let name = used.split(|c: char| !is_word(c)).next()?;
        let is_allocated = name.is_empty() || name.starts_with("operator");
        let event = if is_allocated {
            "no value, heap".to_owned()
        } else {
            format!("used '{name}'")
        };
        let variable = Some(name.to_owned());
        Some(Suspect {
            finding: Finding::new(self.place, &event)?,
            edit: (!is_allocated).then_some(Edit { place, variable }),
        })
    }

    /// That the program has reached the end of this function.
    fn missing_return(&self) -> Option<Finding> {
        Finding::new(self.place, &format!("no return '{}'", self.function))
    }

    fn is_missing_return(&self) -> bool {
        self.text.ends_with("[-Wreturn-type]") && self.text.contains("non-void")
    }
}

impl Edit {
    /// Gives it a value: that of a `return`, or a variable's first value, which is zero.
    pub fn apply(&self, source: &mut Vec<u8>, returned: &str) {
        let mut lines = source.split(|&byte| byte == b'\n');
        let before = lines.by_ref().take(self.place.line.saturating_sub(1));
        let start: usize = before.map(|line| line.len() + 1).sum();
        let Some(line) = lines.next() else {
            return;
        };
        let (at, text) = match &self.variable {
            None => (
                line.iter().rposition(|&byte| byte == b'}'),
                format!(" return {returned}; "),
            ),
            Some(name) => (
                end_of_declarator(line, name.as_bytes()),
                " = {0}".to_owned(),
            ),
        };
        if let Some(at) = at {
            source.splice(start + at..start + at, text.into_bytes());
        }
    }
}

/// Where the declaration of a variable in this line ends: before its `,` or `;`.
fn end_of_declarator(line: &[u8], name: &[u8]) -> Option<usize> {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|&byte| is_word(byte.into()));
    let starts = (0..line.len()).filter(|&at| line[at..].starts_with(name));
    let mut ends = starts
        .filter(|&at| !is_part(line[..at].last()))
        .map(|at| at + name.len());
    let end = ends.find(|&end| !is_part(line.get(end)))?;
    let length = line[end..].iter().position(|byte| b",;".contains(byte))?;
    Some(end + length)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What sanitizers report on standard error about these files. The compiler's `warnings` say where a function ends.
pub fn reports(stderr: &str, files: &[String], warnings: &[Warning]) -> Vec<Finding> {
    let lines: Vec<&str> = stderr.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let report = &lines[at..lines.len().min(at + MAX_REPORT_LINES)];
        let (place, event) = if let Some((place, what)) = line.split_once(": runtime error: ") {
            let place = place_in(place, files).or_else(|| in_trace(report, files));
            (place, what.to_owned())
        } else if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
            let is_asserted = lines[..at].iter().any(|it| it.contains(": Assertion '"));
            let event = memory_event(what, is_asserted, report, files);
            (in_trace(report, files), event)
        } else {
            continue;
        };
        let Some(place) = place else {
            continue;
        };
        let end = warnings.iter().find(|it| {
            let is_after = it.place.file == place.file && it.place.line >= place.line;
            event.contains("without returning a value") && it.is_missing_return() && is_after
        });
        let mut finding = end.map_or_else(|| Finding::new(place, &event), Warning::missing_return);
        if let Some(finding) = finding.as_mut().filter(|_| is_next_byte(report)) {
            finding.weight = Weight::Beside;
        }
        found.extend(finding);
    }
    found
}

/// Whether a report is about the byte behind allocated memory, and about nothing farther.
fn is_next_byte(report: &[&str]) -> bool {
    let number = |pattern| {
        let mut numbers = report.iter().filter_map(|line| captures(pattern, line));
        numbers.next()?[0].rsplit(' ').next()?.parse::<u64>().ok()
    };
    let region = number(" located 0 bytes {}-byte region");
    let size = number(" of size {} at ");
    let is_one = |(region, size)| size == 1 || size == region + 1;
    report[0].contains(": heap-buffer-overflow ") && region.zip(size).is_some_and(is_one)
}

/// A report of a memory error in one line: `stack-buffer-overflow READ by program, 'a' of line 6`.
fn memory_event(what: &str, is_asserted: bool, report: &[&str], files: &[String]) -> String {
    let ends = [" on ", ": ", " ("];
    let kind = ends
        .iter()
        .fold(what, |kind, end| kind.split(end).next().unwrap_or(kind));
    let line_after = |mark: &str| {
        let after = report.iter().position(|line| line.contains(mark))?;
        Some(in_trace(&report[after..], files)?.line)
    };
    let is_written = report.iter().any(|line| line.starts_with("WRITE "));
    let access = if is_written { "WRITE" } else { "READ" };
    let top = report
        .iter()
        .find(|line| line.trim_start().starts_with("#0 "));
    let is_own = top.is_some_and(|line| place_in(line, files).is_some());
    let by = if is_own { "program" } else { "library" };
    let variable = report.iter().find_map(|line| {
        let named = captures(") '{}' (line {}) <==", line)
            .or_else(|| captures("global variable '{}' defined in '", line))?;
        let line = match named.get(1) {
            Some(line) => (*line).to_owned(),
            None => place_in(line, files)?.line.to_string(),
        };
        Some(format!("'{}' of line {line}", named[0]))
    });
    let subject = if is_asserted && kind == "ABRT" {
        "assertion".to_owned()
    } else if let Some(line) = line_after("freed by thread") {
        format!("freed in line {line}")
    } else if let Some(line) = line_after("allocated by thread") {
        format!("memory of line {line}")
    } else {
        variable.unwrap_or_else(|| "unknown memory".to_owned())
    };
    format!("{kind} {access} by {by}, {subject}")
}

/// The first place of a stack trace, from its `#0` to a blank line.
fn in_trace(report: &[&str], files: &[String]) -> Option<Place> {
    let first = report
        .iter()
        .position(|it| it.trim_start().starts_with("#0 "))?;
    let mut trace = report[first..]
        .iter()
        .take_while(|it| !it.trim().is_empty());
    trace.find_map(|line| place_in(line, files))
}

/// The last place in a line, `path:7:14` or `path:7`, if it is in one of these files.
fn place_in(line: &str, files: &[String]) -> Option<Place> {
    files.iter().enumerate().find_map(|(file, path)| {
        let (before, after) = line.rsplit_once(&format!("{path}:"))?;
        if before.ends_with(|c: char| !matches!(c, ' ' | '/' | '\'')) {
            return None;
        }
        let line = after
            .split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()?;
        Some(Place { file, line })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<String> {
        vec!["p.c".to_owned()]
    }

    fn english(found: &[Finding]) -> Vec<String> {
        let found = found.iter();
        found
            .map(|it| format!("{} {}", it.place.line, it.text.en))
            .collect()
    }

    #[test]
    fn warnings_that_hold_for_every_run_are_findings_and_types_of_the_same_size_are_harmless() {
        let messages = "\
p.c: In function ‘main’:
p.c:6:13: warning: format ‘%f’ expects argument of type ‘float *’, but argument 2 has type ‘double *’ [-Wformat=]
    6 |     scanf(\"%f\", &x);
p.c:7:13: warning: format ‘%d’ expects argument of type ‘int *’, but argument 2 has type ‘int’ [-Wformat=]
p.c:8:13: warning: format ‘%s’ expects argument of type ‘char *’, but argument 2 has type ‘char (*)[20]’ [-Wformat=]
p.c:9:13: warning: format ‘%ld’ expects argument of type ‘long int *’, but argument 2 has type ‘long long int *’ [-Wformat=]
p.c:10:14: warning: format ‘%d’ expects argument of type ‘int’, but argument 2 has type ‘size_t’ {aka ‘long unsigned int’} [-Wformat=]
p.c:11:14: warning: format ‘%d’ expects argument of type ‘int’, but argument 2 has type ‘double’ [-Wformat=]
p.c:12:14: warning: format ‘%d’ expects a matching ‘int’ argument [-Wformat=]
p.c:13:7: warning: operation on ‘i’ may be undefined [-Wsequence-point]
p.c:14:12: warning: function returns address of local variable [-Wreturn-local-addr]
p.c:15:9: warning: unused variable ‘y’ [-Wunused-variable]
p.c:16:9: warning: ‘z’ may be used uninitialized [-Wmaybe-uninitialized]
p.c:17:1: warning: control reaches end of non-void function [-Wreturn-type]
/usr/include/x.h:18:7: warning: operation on ‘i’ may be undefined [-Wsequence-point]
";
        let warnings = warnings(messages, &files());
        let found: Vec<_> = warnings.iter().filter_map(Warning::finding).collect();
        assert_eq!(
            english(&found),
            [
                "6 `%f` is the wrong format for the type `double *`",
                "7 `%d` needs the address of a variable, but gets a value of type `int`: is `&` missing?",
                "11 `%d` is the wrong format for the type `double`",
                "12 `%d` has no argument",
                "13 `i` is changed and used in the same expression; which comes first depends on the compiler",
                "14 the function returns the address of a local variable, which no longer exists afterwards",
            ]
        );
    }

    #[test]
    fn suspects_are_what_a_compiler_says_may_have_no_value_and_an_edit_gives_one() {
        let messages = "\
p.c: In function ‘int f(int)’:
p.c:3:1: warning: control reaches end of non-void function [-Wreturn-type]
p.c:6:9: warning: use of uninitialized value ‘a[<unknown>]’ [CWE-457] [-Wanalyzer-use-of-uninitialized-value]
p.c:5:18: note: (1) region created on stack here
p.c:6:9: note: (2) use of uninitialized value ‘a[<unknown>]’ here
p.c:7:9: warning: ‘n’ is used uninitialized [-Wuninitialized]
p.c:5:7: note: ‘n’ was declared here
p.c:8:9: warning: use of uninitialized value ‘*p + 8’ [CWE-457] [-Wanalyzer-use-of-uninitialized-value]
p.c:4:9: note: (1) region created on heap here
p.c:9:9: warning: ‘z’ may be used uninitialized [-Wmaybe-uninitialized]
p.c:9:9: warning: unused variable ‘y’ [-Wunused-variable]
";
        let source = "\
int f(int x) {
    if (x) { return 1; }
}
int *g(void) { return malloc(16); }
  int an, n, m, a[3][4]; char t;
";
        let edited = |edit: &Edit| {
            let mut bytes = source.as_bytes().to_vec();
            edit.apply(&mut bytes, "1");
            let edited = String::from_utf8(bytes).unwrap();
            let mut pairs = edited.lines().zip(source.lines());
            pairs
                .find(|(one, other)| one != other)
                .unwrap()
                .0
                .to_owned()
        };
        let warnings = warnings(messages, &files());
        let suspects = warnings.iter().filter_map(Warning::suspect).map(|it| {
            let Finding { place, text, .. } = it.finding;
            let edited = it.edit.as_ref().map_or_else(String::new, edited);
            format!("{} {} | {edited}", place.line, text.en)
        });
        assert_eq!(
            suspects.collect::<Vec<_>>(),
            [
                "3 `f` ends here without a `return`; its result depends on the compiler |  return 1; }",
                "6 `a` is used before it has a value; the result depends on the compiler |   int an, n, m, a[3][4] = {0}; char t;",
                "7 `n` is used before it has a value; the result depends on the compiler |   int an, n = {0}, m, a[3][4]; char t;",
                "8 memory from `malloc` or `new` is used before it has a value; the result depends on the compiler | ",
            ]
        );
    }

    #[test]
    fn reports_of_sanitizers_are_findings_in_the_students_files() {
        let frame = "    #0 0x5f in main p.c:7\n    #1 0x7f in start ../libc.c:3\n\n";
        let library = "    #0 0x5f in strlen ../asan.cpp:3\n    #1 0x5f in main ./p.c:7\n\n";
        let own = |text: &str| format!("{text}\n{frame}");
        let asan = |kind: &str, access: &str, trace: &str, more: &str| {
            format!(
                "==2==ERROR: AddressSanitizer: {kind} on address 0x1 at pc 0x2\n{access} of size 4 at 0x1\n{trace}{more}"
            )
        };
        #[rustfmt::skip]
        let table = [
            (own("p.c:6:3: runtime error: division by zero"), "6 division by zero"),
            (own("/usr/include/c++/12/v.h:6:3: runtime error: shift exponent 40 is too large for 32-bit type 'int'"),
             "7 shift by 40 bits: the type has only 32"),
            (own("p.c:6:3: runtime error: signed integer overflow: 9 * 9 cannot be represented in type 'int'"),
             "6 integer overflow: `9 * 9` does not fit in `int`"),
            (own("p.c:6:3: runtime error: something new"), ""),
            (asan("stack-buffer-overflow", "READ", frame, "    [32, 52) 'a' (line 5) <== Memory access overflows"),
             "7 `a` (declared in line 5) is read outside its bounds"),
            (asan("stack-buffer-overflow", "READ", library, "    [32, 52) 'a' (line 5) <== Memory access overflows"),
             "7 `a` (declared in line 5) is read past its end: if it holds a string, the string lacks its `'\\0'`"),
            (asan("global-buffer-overflow", "WRITE", frame, "0x1 is located 0 bytes to the right of global variable 'g' defined in 'p.c:3:5' (0x1) of size 16"),
             "7 `g` (declared in line 3) is written outside its bounds"),
            (asan("heap-buffer-overflow", "READ", frame, "allocated by thread T0 here:\n    #0 0x1 in malloc ../a.cpp:4\n    #1 0x2 in main p.c:4\n"),
             "7 memory is read outside the bounds of what line 4 has allocated"),
            (asan("heap-use-after-free", "READ", frame, "freed by thread T0 here:\n    #0 0x1 in free ../a.cpp:4\n    #1 0x2 in main p.c:4\n"),
             "7 memory is used after line 4 has freed it: the pointer is dangling"),
            (asan("stack-use-after-return", "READ", frame, "    [32, 36) 'sum' (line 2) <== Memory access is inside"),
             "7 `sum` is used after its function or block has ended: the pointer is dangling"),
            (asan("stack-overflow", "READ", frame, ""), ""),
            (asan("SEGV", "READ", "    #0 0x5f in f other.c:7\n\n", ""), ""),
        ];
        for (stderr, expected) in table {
            let found = english(&reports(&stderr, &files(), &[]));
            let expected: Vec<_> = Some(expected)
                .filter(|it| !it.is_empty())
                .into_iter()
                .collect();
            assert_eq!(found, expected, "{stderr}");
        }
    }

    #[test]
    fn the_byte_behind_allocated_memory_lies_beside_the_cause() {
        let heap = "heap-buffer-overflow";
        for (kind, size, at, expected) in [
            (heap, 1, "0 bytes after 5-byte", Weight::Beside),
            (heap, 6, "0 bytes to the right of 5-byte", Weight::Beside),
            (heap, 7, "0 bytes after 5-byte", Weight::Cause),
            (heap, 4, "0 bytes after 20-byte", Weight::Cause),
            (heap, 1, "3 bytes after 5-byte", Weight::Cause),
            (
                "stack-buffer-overflow",
                1,
                "0 bytes after 5-byte",
                Weight::Cause,
            ),
        ] {
            let report = format!(
                "==2==ERROR: AddressSanitizer: {kind} on address 0x1\nWRITE of size {size} at 0x1 thread T0\n    #0 0x5f in main p.c:7\n\n\
                 0x1 is located {at} region [0x1,0x6)\nallocated by thread T0 here:\n    #0 0x2 in main p.c:4\n"
            );
            let found = reports(&report, &files(), &[]);
            let weights: Vec<Weight> = found.iter().map(|it| it.weight).collect();
            assert_eq!(weights, [expected], "{report}");
        }
    }
}
