//! The tables and figures of the papers: what each is, how much of it to do, and who does it.

use serde_json::Value;

use crate::report::Report;
use crate::{Scale, Task, energy, frames, lloyd, runge_kutta, scenes, tan, tapdance, wall, yamane};

/// One table or figure of a paper.
pub(crate) struct Item {
    pub(crate) name: &'static str,
    pub(crate) paper: &'static str,
    pub(crate) place: &'static str,
    pub(crate) title: &'static str,
    /// Raised when an item's figures change for the same settings.
    pub(crate) edition: u32,
    /// Processor seconds of a full run, roughly: the longest begin first.
    pub(crate) cost: u32,
    pub(crate) settings: fn(Scale) -> Value,
    pub(crate) run: fn(&Task) -> Result<Report, String>,
}

impl Item {
    pub(crate) fn settings(&self, scale: Scale) -> Value {
        let mut settings = (self.settings)(scale);
        settings["edition"] = self.edition.into();
        settings
    }
}

pub(crate) const ITEMS: &[Item] = &[
    Item {
        name: "yamane-table1",
        paper: "Yamane",
        place: "Table I",
        title: "failures of three solvers in a squat",
        edition: 2,
        cost: 40,
        settings: yamane::table1_settings,
        run: yamane::table1,
    },
    Item {
        name: "yamane-table2",
        paper: "Yamane",
        place: "Table II",
        title: "failures and times in a tap dance",
        edition: 2,
        cost: 40,
        settings: tapdance::table2_settings,
        run: tapdance::table2,
    },
    Item {
        name: "yamane-table3",
        paper: "Yamane",
        place: "Table III",
        title: "hoist, ring and net",
        edition: 1,
        cost: 200,
        settings: scenes::table3_settings,
        run: scenes::table3,
    },
    Item {
        name: "yamane-rk4",
        paper: "Yamane",
        place: "Section V",
        title: "Runge and Kutta's steps, with a contact solve in each stage",
        edition: 1,
        cost: 60,
        settings: runge_kutta::settings,
        run: runge_kutta::stages,
    },
    Item {
        name: "yamane-figure2",
        paper: "Yamane",
        place: "Figure 2",
        title: "vertical forces of the feet",
        edition: 1,
        cost: 3,
        settings: scenes::figure2_settings,
        run: scenes::figure2,
    },
    Item {
        name: "lloyd-figure5",
        paper: "Lloyd",
        place: "Figure 5",
        title: "peg in hole, three methods",
        edition: 3,
        cost: 60,
        settings: lloyd::figure5_settings,
        run: lloyd::figure5,
    },
    Item {
        name: "lloyd-figure6",
        paper: "Lloyd",
        place: "Figure 6",
        title: "peg in hole, close-up, on to 128 contacts",
        edition: 2,
        cost: 20,
        settings: lloyd::figure6_settings,
        run: lloyd::figure6,
    },
    Item {
        name: "lloyd-figure7",
        paper: "Lloyd",
        place: "Figure 7",
        title: "ten single-body situations",
        edition: 2,
        cost: 20,
        settings: lloyd::figure7_settings,
        run: lloyd::figure7,
    },
    Item {
        name: "lloyd-figure8",
        paper: "Lloyd",
        place: "Figure 8",
        title: "ten situations, scatter of the reduced method",
        edition: 2,
        cost: 5,
        settings: lloyd::figure8_settings,
        run: lloyd::figure8,
    },
    Item {
        name: "lloyd-figure10",
        paper: "Lloyd",
        place: "Figure 10",
        title: "stacks of blocks, on to twenty",
        edition: 3,
        cost: 60,
        settings: lloyd::figure10_settings,
        run: lloyd::figure10,
    },
    Item {
        name: "enzpivot-frames",
        paper: "EnzPivot",
        place: "Figures 1-2",
        title: "n-legged frames: three legs carry, which three depends on the order",
        edition: 1,
        cost: 5,
        settings: frames::settings,
        run: frames::frames,
    },
    Item {
        name: "enzerror-rod",
        paper: "EnzError",
        place: "Case study",
        title: "the errors of a wrong guess, in joules",
        edition: 1,
        cost: 1,
        settings: energy::rod_settings,
        run: energy::rod,
    },
    Item {
        name: "enzerror-isolines",
        paper: "EnzError",
        place: "Figures 1-2",
        title: "isolines of the energy error",
        edition: 1,
        cost: 1,
        settings: energy::isolines_settings,
        run: energy::isolines,
    },
    Item {
        name: "enzerror-figure5",
        paper: "EnzError",
        place: "Figure 5",
        title: "Gauss-Seidel on the brick wall in three measures",
        edition: 1,
        cost: 100,
        settings: wall::settings,
        run: wall::figure5,
    },
    Item {
        name: "tan-stabilisation",
        paper: "Tan",
        place: "Section 5",
        title: "what the two stabilisations buy and cost",
        edition: 3,
        cost: 10,
        settings: tan::settings,
        run: tan::stabilisation,
    },
];
