//! The command line: which store, which task or screen, and how the program ends.

mod args;
mod catalog;
mod check;
mod clock;
mod context;
mod data_dir;
mod explain;
mod import;
mod interrupt;
mod items;
mod output;
mod watch;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use serde_json::json;

use crate::app::{Keymap, KeymapError};
use crate::domain::{Instant, Refusal};
use crate::engine::{Engine, EngineError, EngineOptions, Scope};
use crate::runtime::{self, RuntimeError};
use crate::shell::{self, Kind, Session};
use crate::store::StoreError;
use crate::transfer::{self, Form, Told, TransferError, What};
use crate::ui::Theme;

use args::{Args, Command, ContainerName, ExportArgs};
use context::Context;
use output::Output;

/// Why the program cannot do its work.
#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    #[error("the table of keys: {0}")]
    Keymap(#[from] KeymapError),
    #[error("{0}")]
    Usage(String),
    #[error("no data directory: neither XDG_DATA_HOME nor HOME is set. Name one with --data-dir DIR")]
    NoDataDir,
    #[error("the log file {file} cannot be written: {source}")]
    Log { file: PathBuf, source: io::Error },
    #[error("no temporary directory could be made: {0}")]
    Temporary(#[source] io::Error),
    #[error("the explorer needs a terminal: standard output is not one")]
    NoTerminal,
    #[error(transparent)]
    Transfer(TransferError),
    #[error("{}: {source}", file.display())]
    File { file: PathBuf, source: io::Error },
    #[error("standard output cannot be written: {0}")]
    Output(io::Error),
    #[error("standard input cannot be read: {0}")]
    Input(io::Error),
}

/// A refusal of the engine keeps its hint and its place.
impl From<TransferError> for CliError {
    fn from(error: TransferError) -> Self {
        match error {
            TransferError::Engine(error) => CliError::Engine(error),
            other => CliError::Transfer(other),
        }
    }
}

/// What goes wrong while results are printed.
impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        CliError::Output(error)
    }
}

impl CliError {
    /// A way out, on a line of its own.
    fn hint(&self) -> Option<&str> {
        match self {
            CliError::Refused(_) | CliError::Engine(EngineError::Refused(_)) => self.refusal()?.hint.as_deref(),
            CliError::Engine(EngineError::Store(StoreError::InUse { .. })) => {
                Some("The explorer does all of this on its screen; or close it (q), and run the command again.")
            }
            _ => None,
        }
    }

    fn refusal(&self) -> Option<&Refusal> {
        match self {
            CliError::Refused(refusal) | CliError::Engine(EngineError::Refused(refusal)) => Some(refusal),
            _ => None,
        }
    }

    /// Nobody reads any more: no fault of anybody's.
    fn is_broken_pipe(&self) -> bool {
        match self {
            CliError::Output(error) | CliError::Transfer(TransferError::File { source: error, .. }) => {
                error.kind() == io::ErrorKind::BrokenPipe
            }
            _ => false,
        }
    }
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
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be left to read it: the terminal can be what is gone.
            let place = error.refusal().and_then(|refusal| refusal.place);
            let place = place.map_or(String::new(), |place| format!("{place}: "));
            let _ = writeln!(io::stderr(), "ttl-explorer: {place}{error}");
            // Who wanted the screen is not told that the screen does it.
            let for_task = args.command.is_some() || !matches!(error, CliError::Engine(EngineError::Store(_)));
            if let Some(hint) = error.hint().filter(|_| for_task) {
                let _ = writeln!(io::stderr(), "hint: {hint}");
            }
            ExitCode::from(if matches!(error, CliError::Usage(_)) { 2 } else { 1 })
        }
    }
}

fn run(args: &Args) -> Result<ExitCode, CliError> {
    let _log = args.log.as_deref().map(start_log).transpose()?;
    let dir = || args.data_dir.clone().or_else(data_dir::standard).ok_or(CliError::NoDataDir);
    if let Some(command) = &args.command {
        let at = args.at.as_deref().map(context::instant).transpose()?;
        let mut stdout = io::BufWriter::new(io::stdout());
        let status = task(args, command, &dir, at, &mut stdout);
        let flushed = stdout.flush();
        let status = status?;
        flushed?;
        return Ok(status);
    }
    if args.at.is_some() {
        return Err(CliError::Usage("--at is the present of one command: name one".to_owned()));
    }
    if !io::IsTerminal::is_terminal(&io::stdout()) {
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

/// Does a task without the screen. Says how the program ends.
fn task(
    args: &Args,
    command: &Command,
    dir: &dyn Fn() -> Result<PathBuf, CliError>,
    at: Option<Instant>,
    stdout: &mut dyn Write,
) -> Result<ExitCode, CliError> {
    // Those that need no store.
    match command {
        Command::Completions { shell } => {
            // The generator prints itself; a pipe that closes is its own affair.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "ttl-explorer", &mut script);
            stdout.write_all(&script)?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Man => {
            manual(stdout)?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Matrix { default_ttl, ttl } => {
            explain::matrix(&mut Output::new(args.output, stdout), *default_ttl, *ttl)?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Explain(item) if item.database.is_none() => {
            let now = at.unwrap_or_else(Instant::of_machine);
            explain::described(&mut Output::new(args.output, stdout), item, now)?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Countdown { scope, watch: true, .. } => {
            watch::watch(&dir()?, scope, Output::new(args.output, stdout))?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let mut context = Context::open(&dir()?, at, Output::new(args.output, stdout))?;
    let outcome = with_store(&mut context, command);
    // What was done is stored, also when the task ended with a refusal.
    context.engine.close()?;
    outcome.map(|sound| if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Does a task on a store. Says whether all is well.
fn with_store(context: &mut Context<'_>, command: &Command) -> Result<bool, CliError> {
    match command {
        Command::Database(command) => catalog::database(context, command)?,
        Command::Container(command) => catalog::container(context, command)?,
        Command::Item(command) => items::run(context, command)?,
        Command::Query { place, query } => items::query(context, place, query)?,
        Command::Expiration(command) => catalog::expiration(context, command)?,
        Command::Index(command) => catalog::index(context, command)?,
        Command::Explain(item) => explain::stored(context, item)?,
        Command::Countdown { scope, limit, .. } => watch::countdown(context, scope, *limit)?,
        Command::Sweep => watch::sweep(context)?,
        Command::Clock(command) => clock::run(context, command)?,
        Command::Stats { scope } => watch::stats(context, scope)?,
        Command::Shell { database, eval, file } => return shell(context, database, eval.as_deref(), file.as_deref()),
        Command::Import(args) => return import::run(context, args),
        Command::Export(args) => return export(context, args),
        Command::Sample(args::SampleCommand::Load) => {
            context.writes()?;
            let made = context.engine.load_sample()?;
            context.out.done(&format!("The workshop sample is loaded: {made} items."), &[("created", json!(made))])?;
        }
        Command::Check { repair } => {
            let mut findings = Vec::new();
            let sound = check::run(&context.engine, *repair, &mut findings)?;
            context.out.text(String::from_utf8_lossy(&findings).trim_end())?;
            return Ok(sound);
        }
        Command::Matrix { .. } | Command::Completions { .. } | Command::Man => {}
    }
    Ok(true)
}

/// Runs statements; those before one that fails are done.
fn shell(context: &mut Context<'_>, database: &str, eval: Option<&str>, file: Option<&Path>) -> Result<bool, CliError> {
    context.writes()?;
    let text = match (eval, file) {
        (Some(text), _) => text.to_owned(),
        (None, Some(file)) => import::read_text(file)?,
        (None, None) => import::read_text(Path::new("-"))?,
    };
    let outcome = shell::run(&context.engine, Session::new(database), &text);
    let mut sound = true;
    for printed in outcome.printed {
        if printed.kind == Kind::Error {
            sound = false;
            let _ = writeln!(io::stderr(), "{}", printed.text);
        } else {
            context.out.text(&printed.text)?;
        }
    }
    Ok(sound)
}

fn export(context: &mut Context<'_>, args: &ExportArgs) -> Result<bool, CliError> {
    let form = Form { format: args.format.into(), with_system: args.with_system };
    let mut tell = |told: Told<'_>| {
        if let Told::Unreadable(line) = told {
            eprintln!("{line}");
        }
        true
    };
    let exported = match (&args.database, &args.container) {
        (Some(database), Some(container)) => {
            let place = ContainerName { database: database.clone(), name: container.clone() };
            let container = context.container(&place)?;
            transfer::one(&context.engine, &container, &args.target, &What::Stored, form, &mut tell)?
        }
        _ => transfer::all(&context.engine, Scope::Everything, &args.target, &What::Stored, form, &mut tell)?,
    };
    let line = format!("{} exported, {} unreadable", exported.items, exported.unreadable);
    if args.target == Path::new("-") {
        eprintln!("{line}");
    } else {
        let fields = [("exported", json!(exported.items)), ("unreadable", json!(exported.unreadable))];
        context.out.done(&line, &fields)?;
    }
    Ok(exported.unreadable == 0)
}

/// The manual pages of the program and all its commands, as one.
fn manual(out: &mut dyn Write) -> Result<(), CliError> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut page)?;
    out.write_all(&page)?;
    Ok(())
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
