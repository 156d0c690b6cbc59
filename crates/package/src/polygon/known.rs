//! Names in packages of Polygon that are read or have no part in judging.

/// Elements with children that are read.
pub(super) const PARENTS: [&str; 6] = [
    "problem",
    "problem/judging",
    "problem/judging/testset",
    "problem/files",
    "problem/assets",
    "problem/assets/validators",
];
/// Resources with which Polygon typesets statements.
pub(super) const TYPESETTING: [&str; 4] =
    ["olymp.sty", "problem.tex", "statements.ftl", "tutorial.tex"];

/// Whether an element is read or has no part in judging.
pub(super) fn is_known(parent: &str, name: &str) -> bool {
    match parent {
        "problem" => matches!(
            name,
            "names"
                | "statements"
                | "tutorials"
                | "judging"
                | "files"
                | "assets"
                | "properties"
                | "stresses"
                | "tags"
        ),
        "problem/judging" => name == "testset",
        "problem/judging/testset" => matches!(
            name,
            "time-limit"
                | "memory-limit"
                | "test-count"
                | "input-path-pattern"
                | "output-path-pattern"
                | "answer-path-pattern"
                | "tests"
                | "groups"
        ),
        "problem/files" => matches!(name, "resources" | "executables"),
        "problem/assets" => matches!(name, "checker" | "interactor" | "validators" | "solutions"),
        _ => name == "validator",
    }
}

/// Whether an entry at the top of a package is read, or made by Polygon from others.
pub(super) fn is_read(name: &str) -> bool {
    matches!(
        name,
        "problem.xml"
            | "files"
            | "solutions"
            | "statements"
            | "statement-sections"
            | "tests"
            | "tags"
            | "stresses"
            | "scripts"
            | "check.cpp"
            | "check.exe"
            | "doall.bat"
            | "doall.sh"
            | "wipe.bat"
            | "wipe.sh"
    )
}
