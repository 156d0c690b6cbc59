//! The types of `problem.xml`. A field is the attribute, or the element, of its name.

use serde::Deserialize;

/// The file that describes a Polygon package.
pub(super) const FILE: &str = "problem.xml";

/// Elements, after those that they are in, that do not affect judging.
pub(super) const IRRELEVANT: [(&str, &str); 16] = [
    ("problem", "tutorials"),
    ("problem", "properties"),
    ("problem", "stresses"),
    ("problem", "tags"),
    ("testset", "test-count"),
    ("testset", "output-path-pattern"),
    // When it is used.
    ("file", "stages"),
    // What Polygon made of a program.
    ("executable", "binary"),
    ("checker", "binary"),
    ("checker", "copy"),
    ("interactor", "binary"),
    ("validator", "binary"),
    ("solution", "binary"),
    // Tests of the programs themselves, and the other programs that run with an interactor.
    ("checker", "testset"),
    ("validator", "testset"),
    ("interactor", "runs"),
];

#[derive(Deserialize)]
pub(super) struct ProblemXml {
    pub(super) names: Names,
    pub(super) statements: Statements,
    pub(super) judging: Judging,
    pub(super) files: Files,
    pub(super) assets: Assets,
}

/// Elements that are lists of others.
macro_rules! lists {
    ($($list:ident: $item:ident of $type:ident,)*) => {$(
        #[derive(Deserialize)]
        pub(super) struct $list {
            pub(super) $item: Vec<$type>,
        }
    )*};
}

lists! {
    Names: name of Title,
    Statements: statement of Statement,
    Tests: test of Test,
    Groups: group of Group,
    Dependencies: dependency of Dependency,
    Resources: file of Resource,
    ResourceAssets: asset of ResourceAsset,
    Executables: executable of Program,
    Validators: validator of Program,
    Solutions: solution of Solution,
}

#[derive(Deserialize)]
pub(super) struct Title {
    pub(super) language: Option<String>,
    pub(super) value: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Statement {
    pub(super) path: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Judging {
    pub(super) run_count: Option<String>,
    pub(super) input_file: String,
    pub(super) output_file: String,
    pub(super) treat_points_from_checker_as_percent: bool,
    pub(super) testset: Vec<Testset>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Testset {
    pub(super) name: String,
    /// In milliseconds.
    pub(super) time_limit: String,
    /// In bytes.
    pub(super) memory_limit: String,
    pub(super) input_path_pattern: String,
    pub(super) answer_path_pattern: String,
    pub(super) tests: Tests,
    pub(super) groups: Groups,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Test {
    /// The command that prints its input.
    pub(super) cmd: String,
    pub(super) from_file: Option<String>,
    pub(super) group: Option<String>,
    pub(super) points: Option<String>,
    pub(super) sample: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Group {
    pub(super) name: Option<String>,
    pub(super) points: Option<String>,
    pub(super) points_policy: String,
    pub(super) dependencies: Dependencies,
}

impl Group {
    /// The groups that must be passed first.
    pub(super) fn needs(&self) -> impl Iterator<Item = &str> {
        let needs = self.dependencies.dependency.iter();
        needs.filter_map(|it| it.group.as_deref())
    }
}

#[derive(Deserialize)]
pub(super) struct Dependency {
    group: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Files {
    pub(super) resources: Resources,
    pub(super) executables: Executables,
}

#[derive(Deserialize)]
pub(super) struct Resource {
    pub(super) path: String,
    pub(super) assets: ResourceAssets,
}

/// What a resource is used for.
#[derive(Deserialize)]
pub(super) struct ResourceAsset {
    pub(super) name: String,
}

#[derive(Deserialize)]
pub(super) struct Assets {
    pub(super) checker: Checker,
    pub(super) interactor: Option<Program>,
    pub(super) validators: Validators,
    pub(super) solutions: Solutions,
}

#[derive(Deserialize)]
pub(super) struct Checker {
    /// That of a standard checker: `std::wcmp.cpp`.
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    pub(super) source: Source,
}

#[derive(Deserialize)]
pub(super) struct Program {
    pub(super) source: Source,
}

#[derive(Deserialize)]
pub(super) struct Source {
    pub(super) path: Option<String>,
    /// Its language.
    #[serde(rename = "type")]
    pub(super) kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Solution {
    pub(super) tag: String,
    pub(super) source: Source,
    /// Tags for single groups or test sets.
    pub(super) extra_tags: Option<()>,
}
