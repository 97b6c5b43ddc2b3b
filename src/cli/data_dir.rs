//! Where the store is when nobody says so.

use std::path::PathBuf;

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

/// `$XDG_DATA_HOME/ttl-explorer`, by default `~/.local/share/ttl-explorer`; on Windows the roaming application data.
/// `None` when there is no home directory.
pub fn standard() -> Option<PathBuf> {
    let args = AppStrategyArgs {
        top_level_domain: "org".to_owned(),
        author: "ttl-explorer".to_owned(),
        app_name: "ttl-explorer".to_owned(),
    };
    choose_app_strategy(args).ok().map(|strategy| strategy.data_dir())
}
