use std::collections::BTreeSet;

use super::*;

#[test]
fn every_id_has_a_file_of_its_own_in_the_folder() {
    let long = "x".repeat(300);
    let names = [
        ("s01", "s01.txt"),
        ("李雷", "李雷.txt"),
        ("ann.lee@example.edu", "ann.lee@example.edu.txt"),
        ("a_b-c", "a_b-c.txt"),
        ("..", "%2E..txt"),
        ("a/b", "a%2Fb.txt"),
        ("a\\b", "a%5Cb.txt"),
        ("a%2Fb", "a%252Fb.txt"),
        ("", "%%e3b0c44298fc1c14.txt"),
        ("-rf", "%2Drf.txt"),
        ("\u{202e}txt", "%E2%80%AEtxt.txt"),
        (&long, "xxxxxxxxxxxxxxxxxxxxxxxxx%%0d4e2ca9e9cbced7.txt"),
    ];
    for (id, name) in &names {
        assert_eq!(file_stem(id) + ".txt", *name);
    }
    let names = names.map(|(_, name)| name);
    assert_eq!(BTreeSet::from(names).len(), names.len());
}
