use super::{Candidate, Hierarchy, own_folders};

const MEMORY: Hierarchy = Hierarchy::Controller("memory");

/// What was found, or why nothing was, as one line each: `folder device top?`.
fn found(hierarchy: Hierarchy, groups: &str, mounts: &str) -> Vec<String> {
    let line = |candidate: Candidate| {
        let (major, minor) = candidate.device;
        let top = if candidate.is_top { " top" } else { "" };
        format!("{} {major}:{minor}{top}", candidate.folder.display())
    };
    match own_folders(hierarchy, groups, mounts) {
        Ok(candidates) => candidates.into_iter().map(line).collect(),
        Err(reason) => vec![reason],
    }
}

#[test]
fn separate_hierarchies_beside_a_bare_version_2() {
    let groups = "8:pids:/\n4:memory:/agent/1a\n2:cpuacct:/\n0::/\n";
    let mounts = "\
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct
35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";
    let at = |hierarchy| found(hierarchy, groups, mounts);
    assert_eq!(at(MEMORY), ["/sys/fs/cgroup/memory/agent/1a 0:32"]);
    assert_eq!(at(Hierarchy::Unified), ["/sys/fs/cgroup/unified 0:38 top"]);
    assert_eq!(
        at(Hierarchy::Controller("pids")),
        ["/sys/fs/cgroup/pids 0:36 top"]
    );
    assert_eq!(
        at(Hierarchy::Controller("cpu")),
        ["this system has no cgroup version 1 `cpu`"]
    );
}

#[test]
fn controllers_that_share_a_hierarchy() {
    let groups = "\
6:cpu,cpuacct:/user.slice
5:name=systemd:/user.slice/user-1000.slice/session-2.scope
3:memory:/user.slice/user-1000.slice/session-2.scope
0::/user.slice/user-1000.slice/session-2.scope
";
    let mounts = "\
30 25 0:26 / /sys/fs/cgroup/unified rw,nosuid,nodev,noexec,relatime shared:10 - cgroup2 cgroup2 rw,nsdelegate
31 25 0:27 / /sys/fs/cgroup/systemd rw,relatime shared:11 - cgroup cgroup rw,xattr,name=systemd
35 25 0:31 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:15 master:2 - cgroup cgroup rw,cpu,cpuacct
36 25 0:32 / /sys/fs/cgroup/memory rw,relatime shared:16 - cgroup cgroup rw,memory
";
    let at = |hierarchy| found(hierarchy, groups, mounts);
    assert_eq!(
        at(Hierarchy::Controller("cpuacct")),
        ["/sys/fs/cgroup/cpu,cpuacct/user.slice 0:31"]
    );
    assert_eq!(
        at(MEMORY),
        ["/sys/fs/cgroup/memory/user.slice/user-1000.slice/session-2.scope 0:32"]
    );
    assert_eq!(
        at(Hierarchy::Unified),
        ["/sys/fs/cgroup/unified/user.slice/user-1000.slice/session-2.scope 0:26"]
    );
}

#[test]
fn a_container_with_its_own_namespace_of_groups_is_at_its_top() {
    let mounts = "1208 1200 0:29 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup rw,nsdelegate\n";
    assert_eq!(
        found(Hierarchy::Unified, "0::/\n", mounts),
        ["/sys/fs/cgroup 0:29 top"]
    );
}

#[test]
fn a_container_that_sees_its_part_of_the_hosts_groups() {
    let groups = "4:memory:/docker/f00/inner\n0::/docker/f00/inner\n";
    let mounts = "900 890 0:33 /docker/f00 /sys/fs/cgroup/memory ro,nosuid master:18 - cgroup cgroup rw,memory\n";
    assert_eq!(
        found(MEMORY, groups, mounts),
        ["/sys/fs/cgroup/memory/inner 0:33"]
    );
    assert_eq!(
        found(Hierarchy::Unified, groups, mounts),
        ["no file system of cgroup version 2 is mounted"]
    );
}

#[test]
fn a_group_that_is_not_in_the_mounted_part_cannot_be_used() {
    let mounts = "900 890 0:33 /docker/f00 /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
    for own in ["/docker/f0", "/../other"] {
        assert_eq!(
            found(Hierarchy::Unified, &format!("0::{own}\n"), mounts),
            [format!(
                "our own control group `{own}` of cgroup version 2 lies outside of what is mounted"
            )]
        );
    }
}

#[test]
fn a_writable_mount_comes_before_a_read_only_one() {
    let mounts = "\
40 24 0:25 / /ro/flag ro,nosuid - cgroup2 cgroup2 rw
41 24 0:25 / /ro/system rw,nosuid - cgroup2 cgroup2 ro
42 24 0:25 / /rw rw,nosuid - cgroup2 cgroup2 rw,errors=remount-ro
";
    assert_eq!(
        found(Hierarchy::Unified, "0::/a\n", mounts),
        ["/rw/a 0:25", "/ro/flag/a 0:25", "/ro/system/a 0:25"]
    );
}

#[test]
fn nothing_is_mounted_and_nothing_is_known() {
    assert_eq!(
        found(Hierarchy::Unified, "0::/\n", ""),
        ["no file system of cgroup version 2 is mounted"]
    );
    assert_eq!(
        found(Hierarchy::Unified, "", "garbage\n"),
        ["this system has no cgroup version 2"]
    );
}

#[test]
fn paths_may_hold_colons_spaces_and_backslashes() {
    let mounts = "40 24 0:25 / /my\\040own\\134cg rw - cgroup2 cgroup2 rw\n";
    assert_eq!(
        found(Hierarchy::Unified, "0::/a:b c\n", mounts),
        ["/my own\\cg/a:b c 0:25"]
    );
}
