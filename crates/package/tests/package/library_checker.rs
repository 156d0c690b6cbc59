//! Packages of Library Checker.

use crate::common::Package;

#[test]
fn programs_get_the_headers_of_package_and_repository() {
    let info = "timelimit = 1\nparams = { N = 7, NAME = \"x\", RATIO = 0.5 }\n[[tests]]\nname = \"gen.cpp\"\nnumber = 2\n";
    let imported = Package::new()
        .beside("common/shared.h", "")
        .beside("common/notes.txt", "")
        .file("info.toml", info)
        .file("checker.cpp", "")
        .file("gen/gen.cpp", "#include \"lib/one.hpp\"\n")
        .file("gen/lib/one.hpp", "#include \"../../params.h\"\n")
        .file("sol/correct.cpp", "int main() {}\n")
        .in_repository()
        .imported(&[]);
    assert_eq!(
        imported.paths(),
        [
            "checker/checker.cpp",
            "checker/common/shared.h",
            "checker/gen/lib/one.hpp",
            "checker/params.h",
            "generators/gen/common/shared.h",
            "generators/gen/gen/gen.cpp",
            "generators/gen/gen/lib/one.hpp",
            "generators/gen/params.h",
            "problem.toml",
            "submissions/accepted/correct.cpp",
        ]
    );
    assert_eq!(
        imported.text("generators/gen/params.h"),
        "#define N (long long)7\n#define NAME \"x\"\n#define RATIO 0.5\n"
    );
}
