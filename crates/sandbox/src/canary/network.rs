//! Attempts to talk to somebody outside.
#![expect(unsafe_code, reason = "sockets of odd families, shared memory")]

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr as LocalAddr, UnixDatagram, UnixStream};
use std::time::Duration;

use super::found::{Found, denied_by, first_reached, unless_failed, unless_negative};
use super::inside::{Cage, Probe};

const fn probe(what: &'static str, attempt: fn(&Cage) -> Found) -> Probe {
    Probe { what, attempt }
}

/// An address that belongs to nobody (RFC 5737): a packet to it has left, or not.
const NOBODY: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);
/// How long it waits for an answer.
const PATIENCE: Duration = Duration::from_millis(300);

pub(super) const PROBES: &[Probe] = &[
    probe("connect to a service of the host by TCP", |cage| {
        connect((Ipv4Addr::LOCALHOST, cage.scene.port).into())
    }),
    probe(
        "connect to a service of the host by TCP over IPv6",
        |cage| connect((Ipv4Addr::LOCALHOST.to_ipv6_mapped(), cage.scene.port).into()),
    ),
    probe("connect to the internet by TCP", |_| {
        connect((NOBODY, 80).into())
    }),
    probe("connect to the internet by TCP over IPv6", |_| {
        // Of the addresses for documentation (RFC 3849).
        connect((Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), 80).into())
    }),
    probe("offer a service by TCP", |_| {
        unless_failed(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)), "listening")
    }),
    probe("send to the host by UDP", |_| send(Ipv4Addr::LOCALHOST)),
    probe("send to the internet by UDP", |_| send(NOBODY)),
    probe("open a raw socket", |_| {
        socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP)
    }),
    probe("open a netlink socket", |_| {
        socket(libc::AF_NETLINK, libc::SOCK_RAW, 0)
    }),
    probe("open a packet socket", |_| {
        socket(libc::AF_PACKET, libc::SOCK_DGRAM, 0)
    }),
    probe("open a socket to the kernel's ciphers", |_| {
        socket(libc::AF_ALG, libc::SOCK_SEQPACKET, 0)
    }),
    probe("open a socket to the host of a virtual machine", |_| {
        socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0)
    }),
    probe("connect to an abstract socket of the host", |cage| {
        let name = LocalAddr::from_abstract_name(&cage.scene.abstract_socket);
        unless_failed(
            name.and_then(|name| UnixStream::connect_addr(&name)),
            "connected",
        )
    }),
    probe("connect to a socket file of the host", |cage| {
        unless_failed(UnixStream::connect(&cage.scene.socket), "connected")
    }),
    probe("connect to the host's log", |_| {
        let log = |path| {
            UnixDatagram::unbound().and_then(|socket| {
                socket.connect(path)?;
                Ok(socket)
            })
        };
        first_reached(
            ["/dev/log", "/run/systemd/journal/socket"]
                .map(|path| unless_failed(log(path), "connected")),
        )
    }),
    probe("read shared memory of the host", |cage| {
        // SAFETY: the kernel chooses where; nobody uses it.
        let memory = unsafe { libc::shmat(cage.scene.shared, std::ptr::null(), libc::SHM_RDONLY) };
        unless_negative(memory as i64, "read")
    }),
];

/// A connection that begins is one, whether or not somebody answers.
fn connect(to: SocketAddr) -> Found {
    match TcpStream::connect_timeout(&to, PATIENCE) {
        Ok(_) => Found::Reached("connected".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            Found::Reached("sent, not answered".to_owned())
        }
        Err(error) => denied_by(&error),
    }
}

/// Sends a byte to the port that throws it away.
fn send(to: Ipv4Addr) -> Found {
    let sent = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
        .and_then(|socket| socket.send_to(&[0], (to, 9)));
    unless_failed(sent, "sent")
}

fn socket(family: libc::c_int, kind: libc::c_int, protocol: libc::c_int) -> Found {
    // SAFETY: plain numbers.
    unless_negative(unsafe { libc::socket(family, kind, protocol) }, "opened")
}
