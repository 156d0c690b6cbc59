//! The ledger: the results of every run of a class in one `SQLite` file.
