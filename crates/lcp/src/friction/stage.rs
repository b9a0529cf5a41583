//! What a stage of the road is called, and what it did: of one solve, or of many.

/// A stage of the road.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Remembered or guessed modes, solved and corrected.
    Modes,
    /// The Delassus matrix of few rows.
    FewRows,
    /// Newton on the maps of the laws.
    Newton,
    /// Sweeps of Gauss and Seidel, then Newton.
    Sweep,
    /// The interior-point method.
    InteriorPoint,
    /// Local repair with frozen surroundings.
    Repair,
    /// The guided search by pivots.
    Pivots,
    /// The convex law.
    Convex,
    /// Newton on the equations of the modes, from kink to kink.
    Climb,
    /// The least loads that stop all contacts, and what slides slowly.
    Jam,
}

impl Stage {
    /// All stages.
    pub const ALL: [Self; 10] = [
        Self::Modes,
        Self::FewRows,
        Self::Newton,
        Self::Sweep,
        Self::InteriorPoint,
        Self::Repair,
        Self::Pivots,
        Self::Convex,
        Self::Climb,
        Self::Jam,
    ];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Modes => "modes",
            Self::FewRows => "few rows",
            Self::Newton => "newton",
            Self::Sweep => "sweep",
            Self::InteriorPoint => "interior point",
            Self::Repair => "repair",
            Self::Pivots => "pivots",
            Self::Convex => "convex",
            Self::Climb => "climb",
            Self::Jam => "jam",
        }
    }
}

/// What one stage did in a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageReport {
    /// Which.
    pub stage: Stage,
    /// Wall time, s; no part of any result.
    pub seconds: f64,
    /// Factorisations of the size of the problem.
    pub factorisations: usize,
    /// The scaled residual before it; infinite if nothing was measured.
    pub before: f64,
    /// And after it.
    pub after: f64,
    /// Whether its answer was taken.
    pub won: bool,
}

/// What the stages did in one solve or many, by stage. `Copy`: logging it is free.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageTotals {
    by_stage: [StageTotal; Stage::ALL.len()],
}

/// What one stage did in all.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageTotal {
    /// How often it was tried.
    pub runs: u32,
    /// How often its answer was taken.
    pub wins: u32,
    /// Factorisations of the size of the problem at hand.
    pub factorisations: u32,
    /// Wall time, s; no part of any result.
    pub seconds: f64,
}

impl StageTotals {
    /// Takes in what a stage did.
    pub fn add(&mut self, report: &StageReport) {
        let total = &mut self.by_stage[report.stage as usize];
        total.runs += 1;
        total.wins += u32::from(report.won);
        total.factorisations =
            total.factorisations.saturating_add(u32::try_from(report.factorisations).unwrap_or(u32::MAX));
        total.seconds += report.seconds;
    }

    /// Takes in other totals.
    pub fn merge(&mut self, other: &Self) {
        for (total, other) in self.by_stage.iter_mut().zip(&other.by_stage) {
            total.runs = total.runs.saturating_add(other.runs);
            total.wins = total.wins.saturating_add(other.wins);
            total.factorisations = total.factorisations.saturating_add(other.factorisations);
            total.seconds += other.seconds;
        }
    }

    /// The stages that ran, in the order of the road.
    pub fn iter(&self) -> impl Iterator<Item = (Stage, StageTotal)> + '_ {
        Stage::ALL.into_iter().zip(self.by_stage).filter(|(_, total)| total.runs > 0)
    }

    /// Factorisations of all stages.
    pub fn factorisations(&self) -> u64 {
        self.by_stage.iter().map(|t| u64::from(t.factorisations)).sum()
    }
}
