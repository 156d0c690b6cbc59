// Looks for the compiler's toolchain: its large files would outlive the program in the page cache.
// A program that is built does not need it: there must be no folder but those that every program sees.
fn main() {
    let known = [
        "bin", "box", "build", "dev", "etc", "gnu", "lib", "lib32", "lib64", "libx32", "nix",
        "proc", "program", "sbin", "tmp", "usr",
    ];
    let found: Vec<String> = std::fs::read_dir("/")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !known.contains(&name.as_str()))
        .chain(std::fs::read_dir("/usr/bin").is_ok().then(|| "/usr/bin".to_owned()))
        .collect();
    if found.is_empty() {
        println!("42");
    } else {
        println!("{}", found.join(" "));
    }
}
