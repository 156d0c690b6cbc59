//! Paths of the host that programs may read at either level, as far as they are there.

/// The system's programs and libraries.
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
/// Virtual devices, safe to share and writable; they may be written too.
pub(crate) const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// Folders that are fresh for each run: what the host has there is not seen.
pub(crate) const OWN_FOLDERS: [&str; 3] = ["/box", "/build", "/tmp"];
