//! `ttl-explorer`: a terminal data explorer that makes document expiration visible.
//!
//! The map of the house. Each room imports only what stands below it.
//!
//! | room        | what it is                                                                      |
//! |-------------|---------------------------------------------------------------------------------|
//! | [`cli`]     | arguments, and every task without the screen                                    |
//! | [`runtime`] | the one place with side effects on the terminal: guard, input, signals, loop    |
//! | [`ui`]      | pixels: reads the model, changes nothing                                        |
//! | [`app`]     | the explorer as a value: model, message, update, effects                        |
//! | [`shell`]   | the MongoDB shell: text to statements, run on the engine, and what they print   |
//! | [`transfer`] | documents in and out of files: import and export, whoever starts them               |
//! | [`engine`]  | the database service: operations, clock, sweeper, events                        |
//! | [`query`]   | filters, projections, orders and changes on documents                           |
//! | [`store`]   | the embedded fjall store: atomic writes of item, expiry entry and counts        |
//! | [`domain`]  | the rules of expiration as pure functions                                       |

pub mod app;
pub mod cli;
pub mod domain;
pub mod engine;
pub mod query;
pub mod runtime;
pub mod shell;
pub mod store;
pub mod transfer;
pub mod ui;
