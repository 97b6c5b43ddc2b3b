//! The shell of MongoDB databases: text to statements, statements to commands, commands run on the engine.
//!
//! ```text
//! text --parse--> Statement (method names and typed arguments, each with its place)
//!      --command--> Command (arguments checked; what an executor matches on)
//!      --execute--> Outcome (what is printed; what the next statement goes on from)
//! ```
//!
//! It is the part of the vendor's shells that people use on data: statements on `db`, and values. Variables, functions and
//! loops are refused by name.

mod action;
mod arguments;
mod ast;
mod command;
mod construct;
mod error;
mod execute;
mod filter;
mod lex;
mod literal;
mod methods;
mod number;
mod parse;
mod run_command;
mod session;
mod string;

pub use ast::{Argument, Call, Shown, Statement, StatementKind, Target};
pub use command::{
    Action, Command, CountOf, DropTarget, Find, IndexRequest, InsertForm, Output, Removal, RunCommand, command,
};
pub use error::ShellError;
pub use execute::{More, run};
pub use filter::{filter, matching};
pub use methods::{COLLECTION_METHODS, CURSOR_METHODS, DATABASE_METHODS};
pub use parse::parse;
pub use session::{Kind, Outcome, Printed, Session};
