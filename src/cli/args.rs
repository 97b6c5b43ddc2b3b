//! The arguments.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Shows documents expire: a data explorer for Time to Live, in the terminal.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
pub struct Args {
    /// The directory of the store. Default: ttl-explorer in the user's data directory
    #[arg(long, value_name = "DIR", global = true)]
    pub data_dir: Option<PathBuf>,
    /// A fresh temporary store with the workshop sample, removed at the end
    #[arg(long, conflicts_with = "data_dir")]
    pub demo: bool,
    /// Writes a log to this file
    #[arg(long, value_name = "FILE", global = true)]
    pub log: Option<PathBuf>,
    /// A task without the screen; the explorer when there is none
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// A task without the screen.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verifies the store: items, expiry index, counts. Exit status 1 when it finds anything
    Check {
        /// Rebuilds the expiry index and the counts from the items
        #[arg(long)]
        repair: bool,
    },
    /// Writes all items into a directory: a file a container, a document a line. What cannot be read is passed over and
    /// told
    Export {
        /// The directory; it is made, and must be new or empty
        dir: PathBuf,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_demo_has_no_directory_of_its_own() {
        assert!(Args::try_parse_from(["ttl-explorer", "--demo", "--data-dir", "x"]).is_err());
    }
}
