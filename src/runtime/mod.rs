//! The room `runtime`.
