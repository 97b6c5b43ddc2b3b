//! The arguments.

use std::path::PathBuf;

use clap::Parser;

/// Shows documents expire: a data explorer for Time to Live, in the terminal.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100)]
pub struct Args {
    /// The directory of the store. Default: ttl-explorer in the user's data directory
    #[arg(long, value_name = "DIR", conflicts_with = "demo")]
    pub data_dir: Option<PathBuf>,
    /// A fresh temporary store with the workshop sample, removed at the end
    #[arg(long)]
    pub demo: bool,
    /// Writes a log to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
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
