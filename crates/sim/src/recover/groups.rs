//! Rows that nothing connects are opened apart: each group of rows that share degrees of freedom is a problem of its own.
//!
//! What one group is asked for, and whether its rows contradict each other, is nothing to another; one without overlap
//! moves nowhere and costs nothing. A group numbers its degrees of freedom from zero, in the order in which its rows name them: a pile of
//! fifty bodies is many small dense problems in place of one of three hundred columns.

use gudgeon_contact::Assembly;

/// What is not part of any group.
const NONE: usize = usize::MAX;

/// The groups of one step; keeps its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Groups {
    parent: Vec<usize>, // by dof, union and find
    number: Vec<usize>, // by dof: the group of a root
    place: Vec<usize>,  // by dof: in its group
    group: Vec<usize>,  // by row
    start: Vec<usize>,  // by group: its first place in `rows`
    width: Vec<usize>,  // by group: how many dofs it has
    rows: Vec<usize>,   // group after group, each in its order
}

impl Groups {
    /// Groups the rows with a finite room; the first has row 0 or the first that takes part, and so on.
    pub(super) fn find(&mut self, assembly: &Assembly, rooms: &[f64], width: usize) {
        self.parent.clear();
        self.parent.extend(0..width);
        for k in (0..rooms.len()).filter(|&k| rooms[k].is_finite()) {
            if let Some((&first, rest)) = assembly.opening_row(k).index.split_first() {
                for &dof in rest {
                    self.join(first, dof);
                }
            }
        }
        for v in [&mut self.number, &mut self.place] {
            v.clear();
            v.resize(width, NONE);
        }
        self.width.clear();
        self.start.clear();
        self.group.clear();
        for (k, room) in rooms.iter().enumerate() {
            let index = if room.is_finite() { assembly.opening_row(k).index } else { &[] };
            let Some(&first) = index.first() else {
                self.group.push(NONE);
                continue;
            };
            let root = self.root(first);
            let group = self.number_of(root);
            self.group.push(group);
            self.start[group] += 1;
            for &dof in index {
                if self.place[dof] == NONE {
                    self.place[dof] = self.width[group];
                    self.width[group] += 1;
                }
            }
        }
        self.sort();
    }

    /// The number of the group of a root, a new one if it has none.
    fn number_of(&mut self, root: usize) -> usize {
        if self.number[root] == NONE {
            self.number[root] = self.start.len();
            self.start.push(0);
            self.width.push(0);
        }
        self.number[root]
    }

    /// From the number of rows of each group to where they begin, and the rows.
    fn sort(&mut self) {
        let mut end = 0;
        for start in &mut self.start {
            end += std::mem::replace(start, end);
        }
        self.rows.clear();
        self.rows.resize(end, 0);
        for (k, &group) in self.group.iter().enumerate().filter(|(_, group)| **group != NONE) {
            self.rows[self.start[group]] = k;
            self.start[group] += 1;
        }
        // each stands where the next one begins now
        self.start.insert(0, 0);
    }

    pub(super) fn len(&self) -> usize {
        self.width.len()
    }

    /// The rows of a group, in their order.
    pub(super) fn rows(&self, group: usize) -> &[usize] {
        &self.rows[self.start[group]..self.start[group + 1]]
    }

    /// How many degrees of freedom a group has.
    pub(super) fn width(&self, group: usize) -> usize {
        self.width[group]
    }

    /// A degree of freedom as its group numbers it.
    pub(super) fn place(&self, dof: usize) -> usize {
        self.place[dof]
    }

    /// Whether a row takes part that nothing moves.
    pub(super) fn is_alone(&self, row: usize) -> bool {
        self.group[row] == NONE
    }

    fn root(&mut self, mut dof: usize) -> usize {
        while self.parent[dof] != dof {
            self.parent[dof] = self.parent[self.parent[dof]];
            dof = self.parent[dof];
        }
        dof
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
