//! The Settings tab: a container's Time to Live, as it is being changed.

use crate::domain::Refusal;
use crate::domain::nosql::{DefaultTtl, parse_default_seconds};
use crate::engine::{ContainerNo, TtlPreview};

use super::TextField;

/// The form, beside the saved setting.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsForm {
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

impl SettingsForm {
    /// The form of a container with this setting.
    pub fn new(container: ContainerNo, saved: DefaultTtl) -> Self {
        let (choice, seconds) = match saved {
            DefaultTtl::Off => (0, String::new()),
            DefaultTtl::NoDefault => (1, String::new()),
            DefaultTtl::Seconds(secs) => (ON, secs.to_string()),
        };
        SettingsForm {
            container,
            saved,
            choice,
            seconds: TextField::new(&seconds),
            preview: None,
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
        self.refused = None;
        self.generation += 1;
    }

    /// Back to what is saved.
    pub fn discard(&mut self) {
        let generation = self.generation + 1;
        *self = SettingsForm { generation, ..SettingsForm::new(self.container, self.saved) };
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
        let mut form = SettingsForm::new(NO, DefaultTtl::Off);
        form.choose(ON);
        assert_eq!(form.seconds.value(), "");
        assert!(form.is_dirty() && form.value().is_err());

        let mut form = SettingsForm::new(NO, DefaultTtl::Seconds(60));
        form.choose(0);
        assert_eq!((form.value(), form.is_dirty()), (Ok(DefaultTtl::Off), true));
        form.choose(ON);
        assert_eq!((form.value(), form.is_dirty()), (Ok(DefaultTtl::Seconds(60)), false));
    }

    #[test]
    fn discard_goes_back_and_an_old_preview_does_not_count() {
        let mut form = SettingsForm::new(NO, DefaultTtl::NoDefault);
        let asked = form.generation;
        form.choose(0);
        assert_ne!(form.generation, asked);
        form.discard();
        assert_eq!((form.choice, form.is_dirty()), (1, false));
    }

    #[test]
    fn a_change_from_elsewhere_leaves_an_unsaved_choice_alone() {
        let mut form = SettingsForm::new(NO, DefaultTtl::Off);
        form.set_saved(DefaultTtl::Seconds(5));
        assert_eq!((form.choice, form.seconds.value()), (ON, "5"));
        form.choose(1);
        form.set_saved(DefaultTtl::Off);
        assert_eq!((form.choice, form.is_dirty()), (1, true));
    }
}
