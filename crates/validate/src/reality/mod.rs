//! What was measured in the world, and how far the simulator is from it.
//!
//! The measurements are other people's and are not part of this repository: the caller reads them from a folder of its own.

mod fit;
mod tosses;

pub use fit::{Fit, fit};
pub use tosses::{Cube, Errors, SAMPLES_PER_SECOND, Tosses};

use crate::ValidateError;
use crate::row::Row;

/// A set of measurements of the table.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// What it is called, on the command line too.
    pub name: &'static str,
    /// What was measured, and by what it is judged.
    pub about: &'static str,
    /// Simulates it.
    pub run: fn(&Tosses) -> Result<Vec<Row>, ValidateError>,
}

/// Every set, in the order of the table.
pub const SETS: &[Measured] = &[
    Measured {
        name: "tosses",
        about: "cubes tossed on a table, by motion capture; friction and restitution as measured",
        run: measured,
    },
    Measured {
        name: "tosses-fit",
        about: "the same; parameters fitted on one half, judged on the other, and the other way round",
        run: fitted,
    },
];

/// What the best of other engines reaches with parameters fitted to the same data (Acosta, Yang, Posa 2022): Drake's 13.5 %
/// of the edge and 16.5 degrees. Bullet has 14.9 and 16.5, MuJoCo 25.1 and 21.7.
const OTHERS: [f64; 2] = [13.5, 16.5];
/// The angle that measured parameters are to reach, degrees.
const ANGLE: f64 = 18.0;

fn rows(what: &str, errors: &Errors, bounds: [f64; 2], why: &'static str) -> Vec<Row> {
    let place = format!("{what}: mean distance of centres, % of the edge");
    let angle = format!("{what}: mean angle between orientations");
    vec![
        Row::absolute(place, "%", 0.0, errors.place, bounds[0], why),
        Row::absolute(angle, "deg", 0.0, errors.angle, bounds[1], why),
    ]
}

/// By a tilt test and by the eye of those who measured.
fn measured(tosses: &Tosses) -> Result<Vec<Row>, ValidateError> {
    let all: Vec<usize> = (0..tosses.len()).collect();
    let errors = tosses.errors(&Cube::MEASURED, &all)?;
    Ok(rows("measured parameters", &errors, [OTHERS[0], ANGLE], "Drake's place, fitted; 18 degrees"))
}

/// Fitted on every second toss and judged on the others, then the other way round; the mean of both judgements.
fn fitted(tosses: &Tosses) -> Result<Vec<Row>, ValidateError> {
    let (even, odd): (Vec<usize>, Vec<usize>) = (0..tosses.len()).partition(|k| k % 2 == 0);
    let mut mean = Errors::default();
    let mut found = Vec::new();
    for (learn, judge) in [(&even, &odd), (&odd, &even)] {
        let fit = fit(tosses, learn, Cube::MEASURED)?;
        let errors = tosses.errors(&fit.cube, judge)?;
        mean.place += 0.5 * errors.place;
        mean.angle += 0.5 * errors.angle;
        found.push(fit.cube.to_string());
    }
    Ok(rows(&format!("fitted ({})", found.join("; ")), &mean, OTHERS, "Drake, fitted to all of them"))
}
