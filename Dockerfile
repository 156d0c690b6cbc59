# A grader with all eight languages: see docs/install.md.
FROM rust:1-bookworm AS build
WORKDIR /bitcraft
COPY . .
RUN cargo build --release --locked -p grader

FROM debian:bookworm-slim
# The image leaves out manual pages; the JDK's package needs their folder.
RUN mkdir -p /usr/share/man/man1 && apt-get update && apt-get install -y --no-install-recommends \
    gcc g++ libc6-dev make cmake rustc openjdk-17-jdk-headless fp-compiler fp-units-base fp-units-fcl python3 python3-pytest junit5 golang-go nodejs git \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /bitcraft/target/release/grader /usr/local/bin/grader
WORKDIR /class
ENTRYPOINT ["grader"]
