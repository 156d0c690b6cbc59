//! What machine this is.

use std::collections::BTreeMap;
use std::fs;
use std::thread;

use grader_language::language;
use grader_model::{Host, LanguageId, ToolchainInfo};

/// Describes this machine and the toolchains of the given languages.
pub(crate) fn describe(languages: impl IntoIterator<Item = LanguageId>) -> Host {
    let toolchains: BTreeMap<LanguageId, ToolchainInfo> = languages
        .into_iter()
        .map(|id| {
            let info = match language(id).find() {
                Ok(toolchain) => ToolchainInfo {
                    version: Some(toolchain.version),
                    flags: toolchain.flags,
                },
                Err(_) => ToolchainInfo {
                    version: None,
                    flags: Vec::new(),
                },
            };
            (id, info)
        })
        .collect();
    Host {
        cpu: processor(),
        cores: thread::available_parallelism().map_or(1, usize::from),
        kernel: kernel(),
        toolchains,
    }
}

/// The model of the processor; the architecture where that is not told.
pub(crate) fn processor() -> String {
    model().unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn model() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn kernel() -> String {
    let read = |name: &str| {
        fs::read_to_string(format!("/proc/sys/kernel/{name}")).map(|text| text.trim().to_owned())
    };
    match (read("ostype"), read("osrelease")) {
        (Ok(system), Ok(release)) => format!("{system} {release}"),
        _ => std::env::consts::OS.to_owned(),
    }
}
