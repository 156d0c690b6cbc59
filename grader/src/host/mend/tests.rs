use super::*;

/// A machine on which nothing is in the way but that an ordinary user asks.
fn plain() -> Facts {
    Facts {
        linux: true,
        systemd: true,
        kernel: Some([6, 8]),
        most_namespaces: Some(96365),
        perf_paranoid: Some(2),
        cgroups: Cgroups::Whole,
        program: "/opt/grader".to_owned(),
        arguments: "grade class".to_owned(),
        ..Facts::default()
    }
}

fn docker() -> Facts {
    Facts {
        container: Some(Container::Docker),
        filtered: true,
        confined: Some("docker-default (enforce)".to_owned()),
        masked_proc: true,
        cgroups: Cgroups::ReadOnly,
        ..plain()
    }
}

/// The commands of all mends, one a line, with an empty line between mends.
fn commands(layer: Layer, facts: &Facts) -> String {
    let mends = mends(layer, Hold::Missing, facts);
    let each: Vec<String> = mends.iter().map(|mend| mend.commands.join("\n")).collect();
    each.join("\n\n")
}

#[test]
fn a_layer_that_is_held_needs_no_mend() {
    for layer in Layer::ALL {
        assert_eq!(mends(layer, Hold::Held, &docker()), []);
    }
}

#[test]
fn ubuntu_24_04_is_answered_with_root_a_profile_or_the_switch() {
    let facts = Facts {
        apparmor_restricts: true,
        ..plain()
    };
    assert_eq!(
        commands(Layer::UserNamespace, &facts),
        "sudo /opt/grader grade class

printf '%s\\n' 'abi <abi/4.0>,' 'include <tunables/global>' \\
  'profile grader \"/opt/grader\" flags=(unconfined) { userns, }' |
  sudo tee /etc/apparmor.d/grader
sudo apparmor_parser --replace /etc/apparmor.d/grader

sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
    );
}

#[test]
fn old_debian_is_answered_with_its_own_switch_and_no_namespaces_at_all_with_their_number() {
    let debian = Facts {
        userns_clone: Some(0),
        ..plain()
    };
    assert_eq!(
        commands(Layer::PidNamespace, &debian),
        "sudo /opt/grader grade class\n\nsudo sysctl -w kernel.unprivileged_userns_clone=1"
    );
    // Root is not spared by this one.
    let none = Facts {
        most_namespaces: Some(0),
        admin: true,
        ..plain()
    };
    assert_eq!(
        commands(Layer::PidNamespace, &none),
        "sudo sysctl -w user.max_user_namespaces=15000"
    );
}

#[test]
fn a_container_whose_machine_allows_no_namespaces_is_told_so_first() {
    let none = Facts {
        most_namespaces: Some(0),
        ..docker()
    };
    assert_eq!(
        mends(Layer::UserNamespace, Hold::Missing, &none),
        [mend(
            "the machine of this container allows no user namespaces at all (user.max_user_namespaces is 0)",
            "此容器所在的机器完全不允许用户命名空间（user.max_user_namespaces 为 0）",
            ["sudo sysctl -w user.max_user_namespaces=15000".to_owned()],
        )]
    );
}

#[test]
fn docker_is_asked_only_for_what_the_container_lacks() {
    assert_eq!(
        commands(Layer::UserNamespace, &docker()),
        "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt \
         systempaths=unconfined --security-opt writable-cgroups=true …\n\n\
         docker run --cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup:rw …\n\n\
         docker run --privileged …"
    );
    let nearly = Facts {
        filtered: false,
        masked_proc: false,
        cgroups: Cgroups::Whole,
        ..docker()
    };
    let mends = mends(Layer::MountNamespace, Hold::Missing, &nearly);
    assert_eq!(
        mends[0].why.en,
        "the container is confined; start it with apparmor=unconfined for mounts"
    );
    assert_eq!(
        commands(Layer::MountNamespace, &nearly),
        "docker run --security-opt apparmor=unconfined …\n\ndocker run --privileged …"
    );
}

#[test]
fn podman_has_words_of_its_own() {
    let facts = Facts {
        container: Some(Container::Podman),
        confined: None,
        ..docker()
    };
    assert_eq!(
        commands(Layer::MemoryCgroup, &facts),
        "podman run --security-opt seccomp=unconfined --security-opt unmask=ALL --security-opt \
         unmask=/sys/fs/cgroup …\n\npodman run --privileged …"
    );
}

#[test]
fn a_pod_is_mended_in_its_description_not_by_a_command() {
    let facts = Facts {
        container: Some(Container::Kubernetes),
        ..docker()
    };
    let mends = mends(Layer::Proc, Hold::Missing, &facts);
    assert_eq!(mends.len(), 1);
    assert!(mends[0].why.en.contains("`privileged: true`"));
    assert_eq!(mends[0].commands, Vec::<String>::new());
}

#[test]
fn an_ordinary_user_gets_control_groups_from_systemd_or_from_root() {
    assert_eq!(
        commands(Layer::MemoryCgroup, &plain()),
        "systemd-run --user --scope -p Delegate=yes -- /opt/grader grade class\n\n\
         sudo systemd-run --scope -p Delegate=yes -- /opt/grader grade class"
    );
    let root = Facts {
        admin: true,
        ..plain()
    };
    assert_eq!(
        commands(Layer::MemoryCgroup, &root),
        "systemd-run --scope -p Delegate=yes -- /opt/grader grade class"
    );
    let without = Facts {
        systemd: false,
        ..plain()
    };
    assert_eq!(
        commands(Layer::MemoryCgroup, &without),
        "sudo /opt/grader grade class"
    );
}

#[test]
fn the_cpu_clock_may_also_be_a_counter_where_that_is_forbidden() {
    let facts = Facts {
        systemd: false,
        perf_paranoid: Some(4),
        ..plain()
    };
    assert_eq!(
        commands(Layer::CpuClock, &facts),
        "sudo /opt/grader grade class\n\nsudo sysctl -w kernel.perf_event_paranoid=2"
    );
}

#[test]
fn a_kernel_that_counts_no_memory_is_booted_anew() {
    let facts = Facts {
        admin: true,
        cgroups: Cgroups::WithoutMemory,
        ..plain()
    };
    assert_eq!(commands(Layer::MemoryCgroup, &facts), "cat /proc/cmdline");
    let absent = Facts {
        cgroups: Cgroups::Absent,
        ..facts
    };
    assert_eq!(
        commands(Layer::MemoryCgroup, &absent),
        "sudo mount -t cgroup2 none /sys/fs/cgroup"
    );
}

#[test]
fn landlock_is_turned_on_at_boot_or_needs_another_kernel() {
    let with = |modules: &str| Facts {
        modules: Some(modules.to_owned()),
        ..plain()
    };
    assert_eq!(
        commands(Layer::Landlock, &with("lockdown,yama,apparmor")),
        "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX lsm=landlock,lockdown,yama,apparmor\"' |\n  \
         sudo tee /etc/default/grub.d/landlock.cfg\nsudo update-grub\nsudo reboot"
    );
    assert_eq!(mends(Layer::Landlock, Hold::Missing, &with("landlock")), []);
    let why = |hold, facts: &Facts| mends(Layer::Landlock, hold, facts)[0].why.en.clone();
    let old = Facts {
        kernel: Some([5, 10]),
        ..plain()
    };
    assert_eq!(
        why(Hold::Missing, &old),
        "Landlock came with Linux 5.13, and this is 5.10: use a newer kernel"
    );
    assert_eq!(
        why(Hold::Weaker, &plain()),
        "the whole of Landlock came with Linux 6.12, and this is 6.8: use a newer kernel"
    );
    let without = Facts {
        landlock_built: Some(false),
        ..plain()
    };
    assert!(why(Hold::Missing, &without).contains("CONFIG_SECURITY_LANDLOCK"));
}

#[test]
fn an_old_kernel_is_named_before_anything_else_of_mounts() {
    let facts = Facts {
        kernel: Some([5, 4]),
        apparmor_restricts: true,
        ..plain()
    };
    assert_eq!(
        mends(Layer::ReadOnlyRoot, Hold::Missing, &facts)[0].why.zh,
        "mount_setattr 从 Linux 5.12 起才有，而这里是 5.4：请换用更新的内核"
    );
}

#[test]
fn another_system_is_told_to_use_linux() {
    let facts = Facts::default();
    for layer in Layer::ALL {
        let mends = mends(layer, Hold::Missing, &facts);
        assert_eq!(mends.len(), 1);
        assert!(mends[0].why.en.starts_with("only Linux"));
    }
}
