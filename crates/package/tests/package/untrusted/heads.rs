//! The file by which a package is recognised, in every format: empty, nested, too large, in no encoding, a folder, a link out.

use crate::common::{Package, refused};

/// Expects these refusals of a package whose only file has this name.
fn check(name: &str, empty: &str, [deep, nested]: [&str; 2], large: &str, garbled: &str) {
    let refused = |package: Package, message: &str| {
        let message = message.replace("FILE", &format!("`{name}`"));
        refused(&package, &message);
    };
    let with = |text: &[u8]| Package::new().file(name, text);
    let link = Package::new().beside("secret.txt", "secret");
    refused(with(b""), empty);
    refused(with(deep.repeat(100_000).as_bytes()), nested);
    refused(with(" ".repeat((8 << 20) + 1).as_bytes()), large);
    refused(with(b"name: \x81\xff\n"), garbled);
    refused(Package::new().folder(name), "FILE: is a directory");
    let message = "FILE: the path leads out of its folder";
    refused(link.link(name, "../secret.txt"), message);
}

#[test]
fn the_head_of_a_package_may_be_anything() {
    let (garbled, large) = (
        "FILE: the file must be UTF-8",
        "FILE: the file is larger than 1 MiB",
    );
    for (name, empty) in [
        (
            "problem.yaml",
            "there are no tests: expected `data/secret/*.in`",
        ),
        (
            "task.yaml",
            "FILE: expected 1 to 10000 tests in `gen/GEN` or `input`, found 0",
        ),
        (
            "init.yml",
            "FILE: there is no list `test_cases`, and no `archive` to find cases in",
        ),
    ] {
        check(name, empty, ["[", "FILE: …"], large, garbled);
    }
    let missing = "FILE: missing field `timelimit`";
    check("info.toml", missing, ["a = [", "FILE: …"], large, garbled);
    let empty = "FILE: the document does not have a root node";
    let nested = "FILE: the root node was opened but never closed";
    let large = "FILE: the file is larger than 8 MiB";
    check("problem.xml", empty, ["<a>", nested], large, garbled);
}

/// Groups of Luogu and Hydro have names of their author, which become folders.
#[test]
fn a_group_does_not_lead_out() {
    let package = |files: &[(&str, &str)]| Package::of(files);
    let luogu = "1.in: {timeLimit: 1000, memoryLimit: 1024, score: 1, subtaskId: ../../x}\n";
    let luogu = package(&[("config.yml", luogu), ("1.in", "1\n"), ("1.out", "1\n")]);
    let message = "`data/../../x/1.in`: the path would lead out of the problem's folder";
    refused(&luogu, message);
    let hydro = "subtasks: [{id: ../../x, score: 1, cases: [{input: 1.in, output: 1.out}]}]\n";
    let hydro = package(&[
        ("problem.yaml", "pid: P1\n"),
        ("testdata/config.yaml", hydro),
        ("testdata/1.in", "1\n"),
        ("testdata/1.out", "1\n"),
    ]);
    refused(&hydro, message);
}

#[test]
fn the_heads_of_packages_of_pairs_may_be_anything() {
    let garbled = "FILE: the file must be UTF-8";
    let large = "FILE: the file is larger than 1 MiB";
    let empty = "the package has its own judge (`use_builtin_judger` is not `on`)";
    let nested = ["a b c", "FILE: …"];
    check("problem.conf", empty, nested, large, garbled);
    let empty = "FILE: EOF while parsing a value at line 1 column 0";
    let nested = ["[", "FILE: recursion limit exceeded at line 1 column 128"];
    check("problem.json", empty, nested, large, garbled);
}
