//! The loop: take what has come, draw once if it changed anything, sleep until more comes.

use std::time::{Duration, Instant as RealInstant};

use crossbeam_channel::{Receiver, never, select, unbounded};
use crossterm::event::{Event as TerminalEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};

use crate::app::{Answer, Effect, Keymap, Model, Msg, Target, start, update};
use crate::engine::{Engine, Event};
use crate::ui::{self, Drawn, Theme};

use super::RuntimeError;
use super::guard::TerminalGuard;
use super::input::{self, Input};
use super::screen::Screen;
use super::signals::{Signal, Signals};
use super::worker::Workers;

/// At most so many messages are taken between two frames, so that a flood never freezes the screen.
const BURST: usize = 512;
/// Two clicks on one cell within this time are a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// Runs the explorer on the terminal until it ends.
///
/// # Errors
/// The terminal cannot be used.
pub fn run(engine: &Engine, theme: &Theme, keymap: Keymap) -> Result<(), RuntimeError> {
    let events = engine.subscribe();
    let (answer_sender, answers) = unbounded();
    let workers = Workers::start(engine, &answer_sender)?;
    let mut guard = TerminalGuard::enter()?;
    let signals = Signals::start()?;
    let inputs = input::start()?;
    let mut screen = Screen::new()?;
    let model = Model::new(keymap, screen.size(), engine.now(), engine.catalog(), engine.sweeper());
    let mut explorer = Explorer {
        engine,
        workers,
        model,
        drawn: Drawn::default(),
        last_click: None,
        changed: true,
    };
    let effects = start(&mut explorer.model);
    explorer.carry_out(effects, &mut guard, &mut screen)?;
    while !explorer.model.ended {
        if std::mem::take(&mut explorer.changed) {
            explorer.drawn = screen.draw(|buffer| ui::draw(&explorer.model, theme, buffer))?;
        }
        let Some(msg) = explorer.wait(&inputs, &events, &answers, &signals) else {
            break;
        };
        explorer.take(msg, &mut guard, &mut screen)?;
        for _ in 0..BURST {
            // Events first: an answer may speak of a container that an event has told of just before.
            let Some(msg) = explorer.next(&inputs, &events, &answers, &signals) else {
                break;
            };
            explorer.take(msg, &mut guard, &mut screen)?;
        }
    }
    Ok(())
}

/// What reaches the loop.
enum Arrival {
    Msg(Msg),
    Suspended,
    Nothing,
}

struct Explorer<'e> {
    engine: &'e Engine,
    workers: Workers,
    model: Model,
    drawn: Drawn,
    last_click: Option<(RealInstant, u16, u16)>,
    changed: bool,
}

impl Explorer<'_> {
    /// Sleeps until something comes. `None` when the terminal is gone.
    fn wait(
        &mut self,
        inputs: &Receiver<Input>,
        events: &Receiver<Event>,
        answers: &Receiver<Answer>,
        signals: &Signals,
    ) -> Option<Arrival> {
        let until = self
            .model
            .next_wake()
            .and_then(|at| self.engine.clock().real_time_until(at));
        let timer = until.map_or_else(never, crossbeam_channel::after);
        select! {
            recv(events) -> event => event.ok().map(|event| Arrival::Msg(Msg::Event(event))),
            recv(answers) -> answer => answer.ok().map(|answer| Arrival::Msg(Msg::Answer(answer))),
            recv(signals.receiver()) -> signal => signal.ok().map(arrival_of_signal),
            recv(inputs) -> input => input.ok().map(|input| self.arrival_of_input(input)),
            recv(timer) -> _ => Some(Arrival::Msg(Msg::Tick)),
        }
    }

    /// What is already there.
    fn next(
        &mut self,
        inputs: &Receiver<Input>,
        events: &Receiver<Event>,
        answers: &Receiver<Answer>,
        signals: &Signals,
    ) -> Option<Arrival> {
        if let Ok(event) = events.try_recv() {
            return Some(Arrival::Msg(Msg::Event(event)));
        }
        if let Ok(answer) = answers.try_recv() {
            return Some(Arrival::Msg(Msg::Answer(answer)));
        }
        if let Ok(signal) = signals.receiver().try_recv() {
            return Some(arrival_of_signal(signal));
        }
        inputs.try_recv().ok().map(|input| self.arrival_of_input(input))
    }

    fn take(&mut self, arrival: Arrival, guard: &mut TerminalGuard, screen: &mut Screen) -> Result<(), RuntimeError> {
        match arrival {
            Arrival::Msg(msg) => {
                let effects = update(&mut self.model, self.engine.now(), msg);
                self.changed = true;
                self.carry_out(effects, guard, screen)
            }
            Arrival::Suspended => self.suspend(guard, screen),
            Arrival::Nothing => Ok(()),
        }
    }

    fn carry_out(
        &mut self,
        effects: Vec<Effect>,
        guard: &mut TerminalGuard,
        screen: &mut Screen,
    ) -> Result<(), RuntimeError> {
        for effect in effects {
            match effect {
                Effect::Read(read) => self.workers.read(read),
                Effect::Do(command) => self.workers.command(command),
                Effect::Suspend => self.suspend(guard, screen)?,
            }
        }
        Ok(())
    }

    fn suspend(&mut self, guard: &mut TerminalGuard, screen: &mut Screen) -> Result<(), RuntimeError> {
        guard.suspend()?;
        screen.forget()?;
        self.model.size = screen.size();
        self.changed = true;
        Ok(())
    }

    fn arrival_of_input(&mut self, input: Input) -> Arrival {
        match input {
            Input::Closed => Arrival::Msg(Msg::Terminate),
            Input::Event(TerminalEvent::Key(key)) if key.kind != KeyEventKind::Release => Arrival::Msg(Msg::Key(key)),
            Input::Event(TerminalEvent::Paste(text)) => Arrival::Msg(Msg::Paste(text)),
            Input::Event(TerminalEvent::Resize(columns, rows)) => Arrival::Msg(Msg::Resize(columns, rows)),
            Input::Event(TerminalEvent::Mouse(mouse)) => self.arrival_of_mouse(mouse),
            Input::Event(_) => Arrival::Nothing,
        }
    }

    fn arrival_of_mouse(&mut self, mouse: MouseEvent) -> Arrival {
        let Some((area, target)) = self.drawn.target(mouse.column, mouse.row) else {
            return Arrival::Nothing;
        };
        // The editor says where in its text the mouse is; its place on the screen is the drawing's knowledge.
        let target = match target {
            Target::Editor(..) => Target::Editor(mouse.row - area.y, mouse.column - area.x),
            other => other,
        };
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let now = RealInstant::now();
                let double = self.last_click.take().is_some_and(|(at, column, row)| {
                    now.duration_since(at) < DOUBLE_CLICK && (column, row) == (mouse.column, mouse.row)
                });
                if !double {
                    self.last_click = Some((now, mouse.column, mouse.row));
                }
                Arrival::Msg(Msg::Click { target, double })
            }
            MouseEventKind::ScrollUp => Arrival::Msg(Msg::Scroll { target, lines: 3 }),
            MouseEventKind::ScrollDown => Arrival::Msg(Msg::Scroll { target, lines: -3 }),
            _ => Arrival::Nothing,
        }
    }
}

fn arrival_of_signal(signal: Signal) -> Arrival {
    match signal {
        Signal::Terminate => Arrival::Msg(Msg::Terminate),
        Signal::Suspend => Arrival::Suspended,
    }
}
