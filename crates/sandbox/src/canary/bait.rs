//! What is put outside, for the canary to reach.
#![expect(unsafe_code, reason = "makes shared memory")]

use std::fs::{self, Permissions};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::Scene;
use crate::LauncherCommand;

/// Things of the host that anybody may reach who is not kept in. All of it goes with the value.
pub(super) struct Bait {
    /// A process that waits.
    decoy: Child,
    /// Services; nobody answers, but who connects is let in by the kernel.
    _services: (TcpListener, UnixListener, UnixListener),
    _shared: Shared,
    pub(super) scene: Scene,
}

impl Bait {
    /// Puts it out, files in this folder, which is opened to everybody.
    pub(super) fn put(
        folder: &Path,
        launcher: &LauncherCommand,
        processes: u32,
    ) -> io::Result<Self> {
        fs::set_permissions(folder, Permissions::from_mode(0o755))?;
        let (file, socket) = (folder.join("bait"), folder.join("socket"));
        fs::write(&file, "bait")?;
        fs::set_permissions(&file, Permissions::from_mode(0o644))?;
        let local = UnixListener::bind(&socket)?;
        fs::set_permissions(&socket, Permissions::from_mode(0o777))?;
        let abstract_name = format!("grader-canary-{}", folder.display());
        let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&abstract_name)?)?;
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let shared = Shared::new()?;
        // A launcher waits for an order, and ends when none can come any more.
        let decoy = Command::new(&launcher.program)
            .args(&launcher.arguments)
            .env_clear()
            .env("BAIT", "bait")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self {
            scene: Scene {
                decoy: decoy.id() as i32,
                file: text(&file)?,
                abstract_socket: abstract_name,
                socket: text(&socket)?,
                port: tcp.local_addr()?.port(),
                shared: shared.0,
                processes,
            },
            decoy,
            _services: (tcp, local, hidden),
            _shared: shared,
        })
    }

    /// Whether the process is still there.
    pub(super) fn lives(&mut self) -> io::Result<bool> {
        Ok(self.decoy.try_wait()?.is_none())
    }
}

impl Drop for Bait {
    fn drop(&mut self) {
        // One that is gone cannot be killed, and is to be reaped all the same.
        let _ = self.decoy.kill();
        let _ = self.decoy.wait();
    }
}

/// A text that can travel as JSON.
fn text(path: &Path) -> io::Result<String> {
    let text = path.to_str().ok_or_else(|| {
        io::Error::other("the folder for temporary files has a name that is not UTF-8")
    })?;
    Ok(text.to_owned())
}

/// A segment of shared memory.
struct Shared(i32);

impl Shared {
    fn new() -> io::Result<Self> {
        // SAFETY: plain numbers.
        match unsafe { libc::shmget(libc::IPC_PRIVATE, 4096, libc::IPC_CREAT | 0o666) } {
            -1 => Err(io::Error::last_os_error()),
            id => Ok(Self(id)),
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: ours, and no structure is passed.
        unsafe { libc::shmctl(self.0, libc::IPC_RMID, std::ptr::null_mut()) };
    }
}
