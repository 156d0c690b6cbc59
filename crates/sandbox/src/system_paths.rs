//! Host paths that programs may read at both levels, if they exist.

/// Programs and libraries of the system.
pub(crate) const FOLDERS: [&str; 9] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];
/// Settings that the dynamic loader and compilers need.
pub(crate) const SETTINGS: [&str; 4] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
];
/// Virtual devices, which are safe to share and to write to.
pub(crate) const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// Folders that are private to each run: programs do not see the host's.
pub(crate) const OWN_FOLDERS: [&str; 3] = ["/box", "/build", "/tmp"];
