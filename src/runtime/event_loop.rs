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
    let mut screen = Screen::new();
    let model =
        Model::new(keymap, screen.size(), engine.now(), engine.catalog(), engine.sweeper(), engine.clock_state());
    let mut explorer = Explorer { engine, workers, model, drawn: Drawn::default(), last_click: None, changed: true };
    let effects = start(&mut explorer.model);
    explorer.carry_out(effects, &mut guard, &mut screen)?;
    let sources = Sources { inputs, events, answers, signals };
    while !explorer.model.ended {
        if std::mem::take(&mut explorer.changed) {
            explorer.drawn = screen.draw(|buffer| ui::draw(&explorer.model, theme, buffer))?;
        }
        let until = engine.clock().real_time_until(explorer.model.next_wake());
        let Some(mut arrival) = sources.wait(until) else { break };
        for _ in 0..BURST {
            // An answer may speak of a container that an event has told of just before: events first.
            if matches!(&arrival, Arrival::Msg(msg) if matches!(**msg, Msg::Answer(_))) {
                for event in sources.events.try_iter() {
                    explorer.take(Arrival::msg(Msg::Event(event)), &mut guard, &mut screen)?;
                }
            }
            explorer.take(arrival, &mut guard, &mut screen)?;
            match sources.next() {
                Some(next) => arrival = next,
                None => break,
            }
        }
    }
    Ok(())
}

/// What reaches the loop.
enum Arrival {
    Msg(Box<Msg>),
    Terminal(TerminalEvent),
    Suspended,
    Continued,
}

impl Arrival {
    fn msg(msg: Msg) -> Arrival {
        Arrival::Msg(Box::new(msg))
    }
}

/// Where it comes from.
struct Sources {
    inputs: Receiver<Input>,
    events: Receiver<Event>,
    answers: Receiver<Answer>,
    signals: Signals,
}

impl Sources {
    /// Sleeps until something comes, or until so much time has passed. `None` when a source is gone.
    fn wait(&self, until: Option<Duration>) -> Option<Arrival> {
        let timer = until.map_or_else(never, crossbeam_channel::after);
        select! {
            recv(self.events) -> event => event.ok().map(|event| Arrival::msg(Msg::Event(event))),
            recv(self.answers) -> answer => answer.ok().map(|answer| Arrival::msg(Msg::Answer(answer))),
            recv(self.signals.receiver()) -> signal => signal.ok().map(Arrival::from),
            recv(self.inputs) -> input => input.ok().map(Arrival::from),
            recv(timer) -> _ => Some(Arrival::msg(Msg::Tick)),
        }
    }

    /// What is already there.
    fn next(&self) -> Option<Arrival> {
        let event = || self.events.try_recv().ok().map(|event| Arrival::msg(Msg::Event(event)));
        let answer = || self.answers.try_recv().ok().map(|answer| Arrival::msg(Msg::Answer(answer)));
        let signal = || self.signals.receiver().try_recv().ok().map(Arrival::from);
        let input = || self.inputs.try_recv().ok().map(Arrival::from);
        event().or_else(answer).or_else(signal).or_else(input)
    }
}

impl From<Input> for Arrival {
    fn from(input: Input) -> Self {
        match input {
            Input::Closed => Arrival::msg(Msg::Terminate),
            Input::Event(event) => Arrival::Terminal(event),
        }
    }
}

impl From<Signal> for Arrival {
    fn from(signal: Signal) -> Self {
        match signal {
            Signal::Terminate => Arrival::msg(Msg::Terminate),
            Signal::Suspend => Arrival::Suspended,
            Signal::Continue => Arrival::Continued,
        }
    }
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
    fn take(&mut self, arrival: Arrival, guard: &mut TerminalGuard, screen: &mut Screen) -> Result<(), RuntimeError> {
        let msg = match arrival {
            Arrival::Msg(msg) => Some(*msg),
            Arrival::Terminal(event) => self.msg_of(event),
            Arrival::Suspended => return self.suspend(guard, screen),
            Arrival::Continued => {
                if guard.continued()? {
                    self.refresh(screen);
                }
                None
            }
        };
        let Some(msg) = msg else { return Ok(()) };
        let effects = update(&mut self.model, self.engine.now(), msg);
        self.changed = true;
        self.carry_out(effects, guard, screen)
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
                Effect::Filter(asked) => self.workers.filters.ask(asked),
                Effect::GiveUpFilter => self.workers.filters.give_up(),
                Effect::Query(asked) => self.workers.queries.ask(asked),
                Effect::GiveUpQuery => self.workers.queries.give_up(),
                Effect::Timeline(asked) => self.workers.timelines.ask(asked),
                Effect::GiveUpTimeline => self.workers.timelines.give_up(),
                Effect::Transfer(asked) => self.workers.transfers.ask(asked),
                Effect::GiveUpTransfer => self.workers.transfers.give_up(),
                Effect::CompletePath(asked) => self.workers.paths.ask(asked),
                Effect::Do(command) => self.workers.command(command),
                Effect::Suspend => self.suspend(guard, screen)?,
            }
        }
        Ok(())
    }

    fn suspend(&mut self, guard: &mut TerminalGuard, screen: &mut Screen) -> Result<(), RuntimeError> {
        guard.suspend()?;
        self.refresh(screen);
        Ok(())
    }

    /// Somebody else had the screen: everything is drawn again, in the size that it has now.
    fn refresh(&mut self, screen: &mut Screen) {
        screen.forget();
        self.model.size = screen.size();
        self.changed = true;
    }

    fn msg_of(&mut self, event: TerminalEvent) -> Option<Msg> {
        match event {
            TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => Some(Msg::Key(key)),
            TerminalEvent::Paste(text) => Some(Msg::Paste(text)),
            TerminalEvent::Resize(columns, rows) => Some(Msg::Resize(columns, rows)),
            TerminalEvent::Mouse(mouse) => self.msg_of_mouse(mouse),
            _ => None,
        }
    }

    fn msg_of_mouse(&mut self, mouse: MouseEvent) -> Option<Msg> {
        let (area, target) = self.drawn.target(mouse.column, mouse.row)?;
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
                Some(Msg::Click { target, double })
            }
            MouseEventKind::ScrollUp => Some(Msg::Scroll { target, lines: 3 }),
            MouseEventKind::ScrollDown => Some(Msg::Scroll { target, lines: -3 }),
            _ => None,
        }
    }
}
