//! Many random states of many scenes: how many have the derivative of their differences, and what the others are.

use gudgeon_sim::{KinkKind, Scene};

use super::check::{self, Origin, Random, Verdict};

/// Relative error that a derivative may have against the differences.
const CLOSE: f64 = 1e-6;

/// Counts over scenes.
#[derive(Debug, Default, Clone)]
struct Tally {
    states: usize,
    /// Every direction within 1e-6 of central differences.
    smooth: usize,
    /// Every direction so, some of them of the step that remembers its answer.
    remembered: usize,
    /// Every direction so, or at a named kink within 1e-6 of one-sided differences.
    one_sided: usize,
    /// Besides these: a direction of a state with a named kink.
    kinks: usize,
    /// Besides these: differences no better than the error.
    unclear: usize,
    /// Besides these.
    wrong: usize,
    refused: usize,
    directions: usize,
    good: usize,
    worst: f64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.smooth += other.smooth;
        self.remembered += other.remembered;
        self.one_sided += other.one_sided;
        self.kinks += other.kinks;
        self.unclear += other.unclear;
        self.wrong += other.wrong;
        self.refused += other.refused;
        self.directions += other.directions;
        self.good += other.good;
        self.worst = self.worst.max(other.worst);
    }
}

/// Runs `states` of every scene and prints a line for each; `words` adds a line for every direction that is off.
pub(crate) fn run(
    scenes: Vec<(&'static str, Scene)>,
    states: std::ops::Range<u64>,
    origin: Origin,
    words: u8,
) {
    let mut all = Tally::default();
    for (name, scene) in scenes {
        let mut own = Tally::default();
        for seed in states.clone() {
            let mut r = Random::new(seed + 77_000);
            let Some(start) = check::start(&scene, origin, &mut r) else { continue };
            match check::examine(&scene, &start, &mut r, words > 1) {
                Ok((verdicts, kinks)) => {
                    let mut kinds: Vec<&str> = kinks.iter().map(|k| KinkKind::name(k.kind)).collect();
                    kinds.dedup();
                    judge(&mut own, &verdicts, &kinds, |v, what| {
                        if words > 0 {
                            println!(
                                "    {name} {seed} {:?}: {:.1e}, differences good to {:.1e}, one-sided {:?}, {what} {kinds:?}",
                                v.input, v.error, v.doubt, v.one_sided
                            );
                        }
                    });
                }
                Err(why) => {
                    own.refused += 1;
                    if words > 0 {
                        println!("    {name} {seed}: {why}");
                    }
                }
            }
        }
        line(name, &own);
        all.add(&own);
    }
    line("all", &all);
}

fn judge(tally: &mut Tally, verdicts: &[Verdict], kinks: &[&str], mut tell: impl FnMut(&Verdict, &str)) {
    tally.states += 1;
    let (mut smooth, mut fresh, mut sided, mut worst) = (true, true, true, 0);
    for v in verdicts {
        tally.directions += 1;
        if v.error <= CLOSE {
            tally.good += 1;
            fresh &= !v.remembered;
            tally.worst = tally.worst.max(v.error);
            continue;
        }
        smooth = false;
        if v.good() {
            continue;
        }
        sided = false;
        let (rank, what) = if !kinks.is_empty() {
            (1, "beside a kink")
        } else if v.error <= 3.0 * v.doubt {
            (2, "unclear")
        } else {
            (3, "OFF")
        };
        worst = worst.max(rank);
        tell(v, what);
    }
    tally.smooth += usize::from(smooth && fresh);
    tally.remembered += usize::from(smooth);
    tally.one_sided += usize::from(sided);
    match worst {
        1 => tally.kinks += 1,
        2 => tally.unclear += 1,
        3 => tally.wrong += 1,
        _ => {}
    }
}

fn line(name: &str, t: &Tally) {
    println!(
        "{name:>18}: {} states, {} directions ({} within 1e-6, worst {:.0e}); states: {} smooth, {} with those that remember, {} with one-sided ones; else {} at a kink, {} unclear, {} off; {} refused",
        t.states,
        t.directions,
        t.good,
        t.worst,
        t.smooth,
        t.remembered,
        t.one_sided,
        t.kinks,
        t.unclear,
        t.wrong,
        t.refused
    );
}
