//! `import`: documents from files and standard input, of any size.

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Read};
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::transfer::{Ended, Import, ImportOptions};

use super::CliError;
use super::args::ImportArgs;
use super::context::Context;
use super::interrupt::Interrupt;

/// `import`. Says whether everything was stored.
pub fn run(context: &mut Context<'_>, args: &ImportArgs) -> Result<bool, CliError> {
    context.writes()?;
    let container = context.place(&args.place)?;
    let interrupt = Interrupt::listen()?;
    let mut import = Import::new(&context.engine, &container, options(args));
    for file in &args.files {
        let bar = progress(fs::metadata(file).ok().filter(fs::Metadata::is_file).map(|data| data.len()));
        let taken = import.file(file, &mut |progress| {
            bar.set_position(progress.read);
            !interrupt.was_asked()
        });
        bar.finish_and_clear();
        if !taken? {
            break;
        }
    }
    let imported = import.finish()?;
    let refused = imported.refused.as_ref().map(|path| path.display().to_string());
    let fields = [
        ("created", json!(imported.stored.created)),
        ("replaced", json!(imported.stored.replaced)),
        ("errors", json!(imported.errors)),
        ("interrupted", json!(imported.ended == Some(Ended::Interrupted))),
        ("refused", json!(refused)),
    ];
    context.out.done(&imported.words(), &fields)?;
    Ok(imported.errors == 0 && imported.ended.is_none())
}

fn options(args: &ImportArgs) -> ImportOptions {
    ImportOptions {
        replace: args.upsert,
        on_error: args.on_error.into(),
        ttl: args.ttl,
        id_field: args.id_field.clone(),
        keep_ts: args.keep_ts,
        refused: args.refused.clone(),
    }
}

/// A bar on a terminal, nothing elsewhere.
fn progress(length: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = if length.is_some() {
        "{bar:30} {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left"
    } else {
        "{spinner} {bytes}  {bytes_per_sec}"
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Reads a whole text that may come from standard input.
pub fn read_text(path: &Path) -> Result<String, CliError> {
    let problem = |source| CliError::File { file: path.to_owned(), source };
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text).map_err(problem)?;
    } else {
        BufReader::new(File::open(path).map_err(problem)?).read_to_string(&mut text).map_err(problem)?;
    }
    Ok(text)
}
