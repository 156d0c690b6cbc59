//! Page.
