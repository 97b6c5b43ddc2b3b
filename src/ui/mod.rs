//! The room `ui`.
