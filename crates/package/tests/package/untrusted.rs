//! What packages of strangers cannot do: lead out of their folder, or grow without end.

mod cms;
mod dmoj;
mod fps;
mod heads;
mod kattis;
mod library_checker;
mod links;
mod polygon;
