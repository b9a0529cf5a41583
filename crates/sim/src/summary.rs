//! A run in numbers: what `gudgeon sim` prints at its end.

use gudgeon_lcp::{StageTotals, Status};
use serde_json::{Value, json};

use crate::report::{Fallback, StepReport};
use crate::simulator::Simulator;

/// Collects the reports of a run.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    steps: u64,
    micros: Vec<f32>,
    contacts: u64,
    contacts_max: usize,
    active: u64,
    solves: u64,
    by_status: [u64; 5],
    fallbacks: [u64; Fallback::ALL.len()],
    recoveries: [u64; 2], // all, and those not solved
    deepened: u64,
    curbed: u64,
    held: u64,
    pivots: u64,
    penetration: f64,
    loop_gap: f64,
    residual: f64,
    collision_seconds: f64,
    solver_seconds: f64,
    wall_seconds: f64,
    energy_start: f64,
    stages: StageTotals,
    slowest: (f64, u64), // seconds, and the number of the step
}

impl Summary {
    /// Before the first step.
    pub fn new(sim: &Simulator) -> Self {
        Self { energy_start: sim.energy().iter().sum(), ..Self::default() }
    }

    /// Takes in a step that took `seconds`.
    pub fn add(&mut self, report: &StepReport, seconds: f64) {
        self.steps += 1;
        #[expect(clippy::cast_possible_truncation, reason = "a time in microseconds needs no more digits")]
        self.micros.push((seconds * 1e6) as f32);
        self.wall_seconds += seconds;
        if seconds > self.slowest.0 {
            self.slowest = (seconds, self.steps);
        }
        self.contacts += report.contacts as u64;
        self.contacts_max = self.contacts_max.max(report.contacts);
        self.active += report.active as u64;
        self.penetration = self.penetration.max(report.penetration);
        self.loop_gap = self.loop_gap.max(report.loop_gap);
        self.collision_seconds += report.collision_seconds;
        self.solver_seconds += report.solver_seconds;
        self.deepened += u64::from(report.deepened);
        self.curbed += u64::from(report.curbed);
        self.held += u64::from(report.held);
        if let Some(status) = report.recovery {
            self.recoveries[0] += 1;
            self.recoveries[1] += u64::from(status != Status::Solved);
        }
        if let Some(solve) = report.solve {
            self.solves += 1;
            self.by_status[solve.status as usize] += 1;
            self.fallbacks[solve.fallback as usize] += 1;
            self.pivots += solve.pivots as u64;
            self.residual = self.residual.max(solve.residual.natural);
            self.stages.merge(&solve.stages);
        }
    }

    /// Steps taken in.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Solves that did not end as solved, by the method that was asked for.
    pub fn failed(&self) -> u64 {
        self.solves - self.by_status[Status::Solved as usize]
    }

    /// Solves that ended so, by the method that was asked for.
    pub fn ended(&self, status: Status) -> u64 {
        self.by_status[status as usize]
    }

    /// What the stages of the solver did.
    pub fn stages(&self) -> &StageTotals {
        &self.stages
    }

    /// Steps saved by some rung of the ladder.
    pub fn fallback(&self) -> u64 {
        self.fallbacks[1..].iter().sum()
    }

    /// Steps whose overlap could not be undone as it should be.
    pub fn unrecovered(&self) -> u64 {
        self.recoveries[1]
    }

    /// Steps that led deeper into overlap than ever before, by more than a hundredth of the smaller body.
    pub fn deepened(&self) -> u64 {
        self.deepened
    }

    /// Steps that would have made energy that no motion could pay back, and were cut short.
    pub fn curbed(&self) -> u64 {
        self.curbed
    }

    /// Steps without an answer that were kept from leading deeper into overlap.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Deepest overlap, m.
    pub fn max_penetration(&self) -> f64 {
        self.penetration
    }

    /// Largest loop gap, m.
    pub fn max_loop_gap(&self) -> f64 {
        self.loop_gap
    }

    /// Mean over the steps, in microseconds: whole step, collision, solver.
    pub fn mean_micros(&self) -> [f64; 3] {
        let n = self.steps.max(1) as f64;
        [self.wall_seconds, self.collision_seconds, self.solver_seconds].map(|s| 1e6 * s / n)
    }

    /// Mean contacts, active contacts and pivots per step.
    pub fn means(&self) -> [f64; 3] {
        let n = self.steps.max(1) as f64;
        [self.contacts, self.active, self.pivots].map(|x| x as f64 / n)
    }

    /// Median, 99th percentile and largest time of a step, µs.
    pub fn percentiles(&self) -> [f64; 3] {
        let mut sorted = self.micros.clone();
        sorted.sort_by(f32::total_cmp);
        let at = |part: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a length")]
            let k = (part * (sorted.len().saturating_sub(1)) as f64).round() as usize;
            sorted.get(k).copied().map_or(0.0, f64::from)
        };
        [at(0.5), at(0.99), at(1.0)]
    }

    /// The object of `gudgeon sim --json`.
    pub fn to_json(&self, scene: &str, sim: &Simulator) -> Value {
        let [median, p99, max] = self.percentiles();
        let [contacts, active, _] = self.means();
        let [ray, cycle] = [Status::Ray, Status::Cycle].map(|s| self.by_status[s as usize]);
        let mut rungs = serde_json::Map::new();
        for (rung, n) in Fallback::ALL.iter().zip(self.fallbacks).skip(1) {
            rungs.insert(rung.name().to_owned(), json!(n));
        }
        let stages: Vec<Value> = self
            .stages
            .iter()
            .map(|(stage, total)| {
                json!({
                    "name": stage.name(),
                    "runs": total.runs,
                    "wins": total.wins,
                    "factorisations": total.factorisations,
                    "seconds": total.seconds,
                })
            })
            .collect();
        json!({
            "scene": scene,
            "steps": self.steps,
            "sim_seconds": sim.time(),
            "wall_seconds": self.wall_seconds,
            "us_per_step": {"median": median, "p99": p99, "max": max},
            "contacts": {"mean": contacts, "max": self.contacts_max},
            "active_mean": active,
            "solves": {
                "total": self.solves,
                "solved": self.by_status[Status::Solved as usize],
                "ray": ray,
                "cycle": cycle,
                "inaccurate": self.by_status[Status::Inaccurate as usize],
                "budget": self.by_status[Status::Budget as usize],
                "fallback": self.fallback(),
            },
            "fallbacks": rungs,
            "recoveries": {"total": self.recoveries[0], "unsolved": self.recoveries[1], "deepened": self.deepened, "held": self.held},
            "stages": stages,
            "slowest_step": self.slowest.1,
            "pivots": self.pivots,
            "max_residual": self.residual,
            "max_penetration": self.penetration,
            "max_loop_gap": self.loop_gap,
            "energy": {"start": self.energy_start, "end": sim.energy().iter().sum::<f64>(), "curbed": self.curbed},
            "state_hash": format!("{:016x}", sim.state_hash()),
        })
    }
}
