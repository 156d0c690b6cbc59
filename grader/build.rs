//! Lists the bundled assignments and the templates of new ones, so that the binary carries them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    list(&here.join("../problems"), &out.join("bundled.rs"))?;
    list(&here.join("templates"), &out.join("templates.rs"))
}

/// Writes the table of the files below a folder.
fn list(root: &Path, to: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(root, root, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in &files {
        writeln!(table, "    ({name:?}, include_bytes!({path:?})),").map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    fs::write(to, table)
}

/// Files below `folder`, by their `/`-separated path below `root`.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            let below = path.strip_prefix(root).map_err(io::Error::other)?;
            files.push((below.display().to_string(), path.display().to_string()));
        }
    }
    Ok(())
}
