//! `gudgeon solve`: files to answers.

use std::io::{self, Write};

use crate::args::SolveArgs;
use crate::engine::{Settings, Solving};
use crate::interrupt::{Interrupt, STOPPED};
use crate::problem_file::{self, Named, NamedError};
use crate::report::{Tally, json, table};

/// Solves every problem of every file; the exit code.
pub(crate) fn run(args: &SolveArgs, out: &mut impl Write, err: &mut impl Write) -> u8 {
    let mut settings = match Settings::new(args) {
        Ok(settings) => settings,
        Err(unsupported) => {
            complain(err, &unsupported);
            return 2;
        }
    };
    let interrupt = Interrupt::watch();
    settings.budget.interrupt = Some(interrupt.flag());
    let mut run = Run { args, engine: Solving::new(settings), tally: Tally::default(), interrupt };
    // a closed output ends the run; what was done until then still counts
    let _closed: io::Result<()> = run.all(out, err);
    if run.interrupt.pressed() { STOPPED } else { run.tally.exit_code() }
}

fn complain(err: &mut impl Write, what: &impl std::fmt::Display) {
    // nobody listens to a closed stderr
    let _unheard: io::Result<()> = writeln!(err, "{what}");
}

struct Run<'a> {
    args: &'a SolveArgs,
    engine: Solving,
    tally: Tally,
    interrupt: Interrupt,
}

impl Run<'_> {
    fn all(&mut self, out: &mut impl Write, err: &mut impl Write) -> io::Result<()> {
        let table = table::Table::new(&self.args.files);
        if !self.args.json {
            writeln!(out, "{}", table.heading())?;
        }
        for file in &self.args.files {
            for item in problem_file::read(file) {
                if self.interrupt.pressed() {
                    break;
                }
                self.one(item, table, out, err)?;
                out.flush()?;
            }
        }
        if !self.args.json {
            writeln!(out, "{}", table::footer(self.tally))?;
        }
        out.flush()
    }

    fn one(
        &mut self,
        item: Result<Named, NamedError>,
        table: table::Table,
        out: &mut impl Write,
        err: &mut impl Write,
    ) -> io::Result<()> {
        let solved = item.and_then(|Named { name, problem }| match self.engine.solve(&problem) {
            Ok(answer) => Ok((name, problem.kind(), answer)),
            Err(error) => Err(NamedError { name, error }),
        });
        let (name, kind, answer) = match solved {
            Ok(solved) => solved,
            Err(error) => {
                self.tally.bad += 1;
                complain(err, &error);
                return if self.args.json { Ok(()) } else { writeln!(out, "{}", table.bad_row(&error.name)) };
            }
        };
        self.tally.count(answer.outcome.status);
        if self.args.json {
            return writeln!(out, "{}", json::line(&name, kind, self.args.method, &answer));
        }
        writeln!(out, "{}", table.row(&name, kind, &answer))?;
        match &answer.trace {
            Some(trace) => out.write_all(table::trace(trace, answer.ray.as_ref()).as_bytes()),
            None => Ok(()),
        }
    }
}
