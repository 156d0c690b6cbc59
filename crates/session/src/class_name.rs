//! What the classes of a ledger are called: paths, and the ends of paths.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use grader_model::escaped;
use grader_store::StoredClass;

/// The names of the folders on a path, and its last one, as they are shown.
pub(crate) fn parts(path: &Path) -> Vec<String> {
    let parts = path.components().skip(1);
    let parts = parts.map(|it| escaped(it.as_os_str().as_encoded_bytes()));
    parts.collect()
}

/// The places of the classes that have this name, or were at this place.
pub(crate) fn called<'a>(classes: &'a [StoredClass], name: &Path, place: &Path) -> Vec<&'a Path> {
    // As it is, or as reports show it.
    let names = [
        name.to_string_lossy().into_owned(),
        escaped(name.as_os_str().as_encoded_bytes()),
    ];
    let is_it = |class: &&StoredClass| {
        let mut paths = class.former.iter().chain([&class.path]);
        paths.any(|it| it == place) || names.iter().any(|name| is_called(class, name))
    };
    let places: BTreeSet<&Path> = classes.iter().filter(is_it).map(|it| &*it.path).collect();
    places.into_iter().collect()
}

/// The shortest name of the class at this place that no class at another place has, and that leads nowhere else from here.
pub(crate) fn only_name(classes: &[StoredClass], place: &Path) -> String {
    shortest(place, 1, |name| {
        let mut others = classes.iter().filter(|it| it.path != place);
        let leads_elsewhere = |it: PathBuf| it != place;
        !others.any(|it| is_called(it, name))
            && !Path::new(name).canonicalize().is_ok_and(leads_elsewhere)
    })
}

/// The names of classes in a sentence that asks for one, each place once.
pub(crate) fn names_of(classes: &[StoredClass]) -> Vec<String> {
    let places = classes.iter().map(|it| it.path.as_path());
    let places: BTreeSet<&Path> = places.collect();
    let names = places.into_iter().map(|it| only_name(classes, it));
    names.collect()
}

/// The shortest end of a path, of at least so many names of folders, that means only this class; else the whole path.
pub(crate) fn shortest(path: &Path, least: usize, means_only_it: impl Fn(&str) -> bool) -> String {
    let parts = parts(path);
    let lengths = least.clamp(1, parts.len().max(1))..=parts.len();
    let mut names = lengths.map(|length| parts[parts.len() - length..].join("/"));
    let name = names.find(|it| means_only_it(it));
    name.unwrap_or_else(|| format!("/{}", parts.join("/")))
}

/// Whether a class has this name: the end of its path, or of one that it had before; or its whole path.
pub(crate) fn is_called(class: &StoredClass, name: &str) -> bool {
    if let Some(path) = name.strip_prefix('/') {
        return parts(&class.path).join("/") == path.trim_end_matches('/');
    }
    let name = name.trim_start_matches("./").trim_end_matches('/');
    let name: Vec<&str> = name.split('/').collect();
    let mut paths = class.former.iter().chain([&class.path]);
    paths.any(|path| {
        let parts = parts(path);
        let from = parts.len().checked_sub(name.len());
        from.is_some_and(|from| parts[from..] == name[..])
    })
}

#[cfg(test)]
mod tests {
    use grader_model::AssignmentId;

    use super::*;

    fn class(former: &[&str], path: &str, assignment: &str) -> StoredClass {
        StoredClass {
            path: PathBuf::from(path),
            former: former.iter().map(PathBuf::from).collect(),
            assignment: AssignmentId::new(assignment),
        }
    }

    #[test]
    fn a_class_is_called_by_the_end_of_any_path_that_it_had() {
        let classes = [
            class(&[], "/n/a/sub", "one"),
            class(&[], "/n/a/sub", "two"),
            class(&["/n/old", "/n/b/old.zip"], "/n/b/sub", "one"),
            class(&[], "/n/c/odd\\name", "one"),
        ];
        for (name, expected) in [
            ("sub", &["/n/a/sub", "/n/b/sub"][..]),
            ("a/sub", &["/n/a/sub"]),
            ("./b/sub/", &["/n/b/sub"]),
            ("old", &["/n/b/sub"]),
            ("b/old.zip", &["/n/b/sub"]),
            ("/n/b/sub", &["/n/b/sub"]),
            ("/n/sub", &[]),
            ("ub", &[]),
            ("odd\\name", &["/n/c/odd\\name"]),
        ] {
            let called = called(&classes, Path::new(name), Path::new("/nowhere"));
            assert_eq!(
                called,
                expected.iter().map(Path::new).collect::<Vec<_>>(),
                "{name}"
            );
        }
        // Where it was, whatever it was called there.
        let there = called(&classes, Path::new("link"), Path::new("/n/old"));
        assert_eq!(there, [Path::new("/n/b/sub")]);
    }

    #[test]
    fn names_for_a_choice_fit_one_class_each() {
        let classes = [
            class(&[], "/n/a/sub", "one"),
            class(&[], "/n/a/sub", "two"),
            class(&["/n/c"], "/n/b/sub", "one"),
            class(&[], "/sub", "one"),
            // A folder here.
            class(&[], "/n/src", "one"),
        ];
        let names = ["/n/a/sub", "/n/b/sub", "/sub", "/n/src"];
        let names = names.map(|it| only_name(&classes, Path::new(it)));
        assert_eq!(names, ["a/sub", "b/sub", "/sub", "n/src"]);
        for name in &names {
            assert_eq!(
                called(&classes, Path::new(name), Path::new("/nowhere")).len(),
                1,
                "{name}"
            );
        }
    }
}
