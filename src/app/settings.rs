//! The Settings tab: a container's Time to Live, as it is being changed; for RavenDB, see [`ExpirationForm`].

use crate::domain::Refusal;
use crate::domain::nosql::{DefaultTtl, parse_default_seconds};
use crate::engine::{Catalog, ContainerNo, Kind, TtlPreview, WhatIf};

use super::TextField;
use super::expiration::ExpirationForm;

/// The form of the Settings tab, by the system of the container.
#[derive(Clone, Debug)]
pub enum SettingsForm {
    /// The Time to Live of a container.
    Ttl(Box<TtlForm>),
    /// The Document Expiration of a RavenDB database.
    Expiration(Box<ExpirationForm>),
}

impl SettingsForm {
    /// The form of a container; `None` for one that is gone.
    pub fn of(catalog: &Catalog, no: ContainerNo) -> Option<SettingsForm> {
        let root = catalog.root(no)?;
        Some(match &root.kind {
            Kind::Documents { configuration, .. } => {
                SettingsForm::Expiration(Box::new(ExpirationForm::new(root.no, *configuration)))
            }
            Kind::NoSql { .. } | Kind::MongoDb { .. } | Kind::Collection { .. } => {
                SettingsForm::Ttl(Box::new(TtlForm::new(root.no, root.default_ttl())))
            }
        })
    }

    /// The container whose setting it is.
    pub fn container(&self) -> ContainerNo {
        match self {
            SettingsForm::Ttl(form) => form.container,
            SettingsForm::Expiration(form) => form.container,
        }
    }

    /// Whether the form differs from what is saved.
    pub fn is_dirty(&self) -> bool {
        match self {
            SettingsForm::Ttl(form) => form.is_dirty(),
            SettingsForm::Expiration(form) => form.is_dirty(),
        }
    }

    /// Whether characters are typed into a text.
    pub fn is_typing(&self) -> bool {
        match self {
            SettingsForm::Ttl(form) => form.is_typing(),
            SettingsForm::Expiration(form) => form.is_typing(),
        }
    }

    /// Back to what is saved.
    pub fn discard(&mut self) {
        match self {
            SettingsForm::Ttl(form) => form.discard(),
            SettingsForm::Expiration(form) => form.discard(),
        }
    }

    /// The save is not on its way any more.
    pub fn not_saving(&mut self) {
        match self {
            SettingsForm::Ttl(form) => form.saving = false,
            SettingsForm::Expiration(form) => form.saving = false,
        }
    }

    /// The setting was changed, by this form or elsewhere. An unsaved change stays.
    pub fn follow(&mut self, catalog: &Catalog) {
        let Some(container) = catalog.container(self.container()) else {
            return;
        };
        match (self, &container.kind) {
            (SettingsForm::Ttl(form), Kind::NoSql { .. } | Kind::MongoDb { .. }) => {
                form.set_saved(container.default_ttl());
            }
            (SettingsForm::Expiration(form), Kind::Documents { configuration, .. }) => form.set_saved(*configuration),
            _ => {}
        }
    }

    /// The form of a Time to Live.
    pub fn ttl(&self) -> Option<&TtlForm> {
        match self {
            SettingsForm::Ttl(form) => Some(form),
            SettingsForm::Expiration(_) => None,
        }
    }

    /// The form of a Time to Live.
    pub fn ttl_mut(&mut self) -> Option<&mut TtlForm> {
        match self {
            SettingsForm::Ttl(form) => Some(form),
            SettingsForm::Expiration(_) => None,
        }
    }

    /// The form of Document Expiration.
    pub fn expiration(&self) -> Option<&ExpirationForm> {
        match self {
            SettingsForm::Expiration(form) => Some(form),
            SettingsForm::Ttl(_) => None,
        }
    }

    /// The form of Document Expiration.
    pub fn expiration_mut(&mut self) -> Option<&mut ExpirationForm> {
        match self {
            SettingsForm::Expiration(form) => Some(form),
            SettingsForm::Ttl(_) => None,
        }
    }
}

/// The form, beside the saved setting.
#[derive(Clone, Debug, PartialEq)]
pub struct TtlForm {
    /// The container.
    pub container: ContainerNo,
    /// What is saved.
    pub saved: DefaultTtl,
    /// The choice: an index into [`TTL_OPTIONS`](super::dialog::TTL_OPTIONS).
    pub choice: usize,
    /// The seconds as typed; they keep their text while another choice is looked at.
    pub seconds: TextField,
    /// What saving would do, as far as it is known for the present choice.
    pub preview: Option<TtlPreview>,
    /// When the items would expire by the present choice, beside when they do, as far as it is known.
    pub what_if: Option<Box<WhatIf>>,
    /// Number of the newest preview that was asked for.
    pub generation: u64,
    /// The save is on its way.
    pub saving: bool,
    /// What to do when the save is done.
    pub then: Option<super::Intent>,
    /// Why the save was refused.
    pub refused: Option<Refusal>,
}

/// The choice for On with seconds.
pub const ON: usize = 2;

impl TtlForm {
    /// The form of a container with this setting.
    pub fn new(container: ContainerNo, saved: DefaultTtl) -> Self {
        let (choice, seconds) = match saved {
            DefaultTtl::Off => (0, String::new()),
            DefaultTtl::NoDefault => (1, String::new()),
            DefaultTtl::Seconds(secs) => (ON, secs.to_string()),
        };
        TtlForm {
            container,
            saved,
            choice,
            seconds: TextField::new(&seconds),
            preview: None,
            what_if: None,
            generation: 0,
            saving: false,
            then: None,
            refused: None,
        }
    }

    /// The setting as it stands in the form.
    ///
    /// # Errors
    /// What is wrong with the seconds.
    pub fn value(&self) -> Result<DefaultTtl, Refusal> {
        match self.choice {
            0 => Ok(DefaultTtl::Off),
            1 => Ok(DefaultTtl::NoDefault),
            _ => parse_default_seconds(self.seconds.value()),
        }
    }

    /// Whether the form differs from what is saved.
    pub fn is_dirty(&self) -> bool {
        self.value() != Ok(self.saved)
    }

    /// Whether text is typed: the seconds, while On is chosen.
    pub fn is_typing(&self) -> bool {
        self.choice == ON
    }

    /// Another choice.
    pub fn choose(&mut self, choice: usize) {
        self.choice = choice.min(ON);
        self.edited();
    }

    /// Something was changed: what is known about the old state no longer counts.
    pub fn edited(&mut self) {
        self.preview = None;
        self.what_if = None;
        self.refused = None;
        self.generation += 1;
    }

    /// Back to what is saved.
    pub fn discard(&mut self) {
        let generation = self.generation + 1;
        *self = TtlForm { generation, ..TtlForm::new(self.container, self.saved) };
    }

    /// The container was changed, by this form or elsewhere. An unsaved choice stays.
    pub fn set_saved(&mut self, saved: DefaultTtl) {
        let clean = !self.is_dirty();
        self.saved = saved;
        if clean {
            self.discard();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO: ContainerNo = ContainerNo(1);

    #[test]
    fn the_field_is_blank_when_on_is_chosen_first_and_keeps_what_was_saved() {
        let mut form = TtlForm::new(NO, DefaultTtl::Off);
        form.choose(ON);
        assert_eq!(form.seconds.value(), "");
        assert!(form.is_dirty() && form.value().is_err());

        let mut form = TtlForm::new(NO, DefaultTtl::Seconds(60));
        form.choose(0);
        assert_eq!((form.value(), form.is_dirty()), (Ok(DefaultTtl::Off), true));
        form.choose(ON);
        assert_eq!((form.value(), form.is_dirty()), (Ok(DefaultTtl::Seconds(60)), false));
    }

    #[test]
    fn discard_goes_back_and_an_old_preview_does_not_count() {
        let mut form = TtlForm::new(NO, DefaultTtl::NoDefault);
        let asked = form.generation;
        form.choose(0);
        assert_ne!(form.generation, asked);
        form.discard();
        assert_eq!((form.choice, form.is_dirty()), (1, false));
    }

    #[test]
    fn a_change_from_elsewhere_leaves_an_unsaved_choice_alone() {
        let mut form = TtlForm::new(NO, DefaultTtl::Off);
        form.set_saved(DefaultTtl::Seconds(5));
        assert_eq!((form.choice, form.seconds.value()), (ON, "5"));
        form.choose(1);
        form.set_saved(DefaultTtl::Off);
        assert_eq!((form.choice, form.is_dirty()), (1, true));
    }
}
