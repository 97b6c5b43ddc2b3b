//! The command line: which store, which screen, and how the program ends.

mod args;
mod check;
mod data_dir;
mod export;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use crate::app::{Keymap, KeymapError};
use crate::engine::{Engine, EngineError, EngineOptions};
use crate::runtime::{self, RuntimeError};
use crate::ui::Theme;

use args::{Args, Command};
use export::ExportError;

/// Why the program cannot do its work.
#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    #[error("the table of keys: {0}")]
    Keymap(#[from] KeymapError),
    #[error("no data directory: neither XDG_DATA_HOME nor HOME is set. Name one with --data-dir DIR")]
    NoDataDir,
    #[error("the log file {file} cannot be written: {source}")]
    Log { file: PathBuf, source: std::io::Error },
    #[error("no temporary directory could be made: {0}")]
    Temporary(#[source] std::io::Error),
    #[error("the explorer needs a terminal: standard output is not one")]
    NoTerminal,
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Reads the arguments and does what they say. Exit status 0, 1 (refused, not found, in use) or 2 (usage).
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no errors; a pipe that closed meanwhile is none either.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match run(&args) {
        Ok(status) => status,
        Err(error) => {
            // Nobody may be left to read it: the terminal can be what is gone.
            let _ = writeln!(std::io::stderr(), "ttl-explorer: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<ExitCode, CliError> {
    let _log = args.log.as_deref().map(start_log).transpose()?;
    let dir = || args.data_dir.clone().or_else(data_dir::standard).ok_or(CliError::NoDataDir);
    if let Some(command) = &args.command {
        let options = EngineOptions { background: false, ..EngineOptions::default() };
        return task(&Engine::open(&dir()?, options)?, command);
    }
    if !std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        return Err(CliError::NoTerminal);
    }
    let keymap = Keymap::standard()?;
    let theme = Theme::detect(|name| std::env::var(name).ok());
    if args.demo {
        // Removed when it goes out of scope, whatever happens.
        let temporary = tempfile::Builder::new().prefix("ttl-explorer-").tempdir().map_err(CliError::Temporary)?;
        let engine = Engine::open(temporary.path(), EngineOptions::default())?;
        engine.load_sample()?;
        return explore(&engine, &theme, keymap);
    }
    explore(&open(&dir()?)?, &theme, keymap)
}

/// Opens the store; when that takes long, it says what is going on.
fn open(dir: &Path) -> Result<Engine, CliError> {
    let (done, opened) = crossbeam_channel::bounded::<()>(0);
    let shown = dir.display().to_string();
    let patience = std::thread::spawn(move || {
        if let Err(crossbeam_channel::RecvTimeoutError::Timeout) = opened.recv_timeout(PATIENCE) {
            eprintln!("Opening {shown}: what was written last is read from the journal.");
        }
    });
    let engine = Engine::open(dir, EngineOptions::default());
    drop(done);
    // The thread only waits and prints.
    let _ = patience.join();
    Ok(engine?)
}

/// How long an opening may take before a line says what is going on.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(300);

/// Does a task without the screen.
fn task(engine: &Engine, command: &Command) -> Result<ExitCode, CliError> {
    let sound = match command {
        Command::Check { repair } => check::run(engine, *repair, &mut std::io::stdout())?,
        Command::Export { dir } => {
            let exported = export::run(engine, dir, |line| eprintln!("{line}"))?;
            println!("{} exported, {} unreadable", exported.items, exported.unreadable);
            exported.unreadable == 0
        }
    };
    engine.close()?;
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the explorer; the store is closed whatever the terminal says.
fn explore(engine: &Engine, theme: &Theme, keymap: Keymap) -> Result<ExitCode, CliError> {
    let outcome = runtime::run(engine, theme, keymap);
    engine.close()?;
    outcome?;
    Ok(ExitCode::SUCCESS)
}

/// Logs go to a file, never to the screen.
fn start_log(file: &Path) -> Result<tracing_appender::non_blocking::WorkerGuard, CliError> {
    let out = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .map_err(|source| CliError::Log { file: file.to_owned(), source })?;
    let (writer, guard) = tracing_appender::non_blocking(out);
    tracing_subscriber::fmt().with_writer(writer).with_ansi(false).init();
    Ok(guard)
}
