//! Friction problems of the FCLIB collection: HDF5 files with one local or one global problem.
//!
//! ```text
//!     local    u = W r + q                         /fclib_local/{spacedim, W, vectors/{q, mu}}
//!     global   M v = H r + G λ + f                 /fclib_global/{spacedim, M, H, G, vectors/{f, w, mu, b}}
//!              u = Hᵀ v + w,   Gᵀ v + b = 0
//!     matrix   m, n, nzmax, nz, p, i, x            nz = −1: by columns, −2: by rows, ≥ 0: triplets
//! ```
//!
//! A global problem stays global where M is symmetric positive definite, each block on its diagonal on its
//! own; else it is condensed: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w.

use gudgeon_lcp::{Contact, FrictionProblem, GlobalForm, ProblemError, Row};

use super::blocks::Blocks;
use super::error::FileError;
use super::hdf5::File;
use super::sparse::Triplets;
use super::value::{MAX_ROWS, check_size, whole};

/// Reads the problem of a file.
pub(crate) fn read(data: &[u8]) -> Result<FrictionProblem, FileError> {
    let file = File::new(data)?;
    if file.has("fclib_local") {
        local(&Reader { file, group: "fclib_local" })
    } else if file.has("fclib_global") {
        global(&Reader { file, group: "fclib_global" })
    } else {
        Err(FileError::missing("fclib_local", "it, or fclib_global"))
    }
}

fn local(reader: &Reader<'_>) -> Result<FrictionProblem, FileError> {
    reader.three_dimensions()?;
    if reader.has("R") || reader.has("V") {
        return Err(FileError::field(reader.path("R"), "given", "no equality rows in a local problem"));
    }
    let (m, n, w) = reader.matrix("W")?;
    let q = reader.vector("vectors/q", m)?;
    let mu = reader.vector("vectors/mu", m / 3)?;
    if m != n || m % 3 != 0 {
        let found = format!("{m}x{n}");
        return Err(FileError::field(reader.path("W"), found, "square, three rows for each contact"));
    }
    check_size(n).map_err(|error| error.within(&reader.path("W")))?;
    Ok(FrictionProblem::local_column_major(w.dense(n, n), q, mu)?)
}

fn global(reader: &Reader<'_>) -> Result<FrictionProblem, FileError> {
    reader.three_dimensions()?;
    let (dof, cols, mass) = reader.matrix("M")?;
    if dof != cols || dof == 0 {
        return Err(FileError::field(reader.path("M"), format!("{dof}x{cols}"), "square and not empty"));
    }
    let f = reader.vector("vectors/f", dof)?;
    let (jacobian, w) = reader.rows("H", "vectors/w", dof)?;
    if jacobian.len() % 3 != 0 {
        let found = format!("{} columns wide", jacobian.len());
        return Err(FileError::field(reader.path("H"), found, "three columns for each contact"));
    }
    check_size(jacobian.len()).map_err(|error| error.within(&reader.path("H")))?;
    let mu = reader.vector("vectors/mu", jacobian.len() / 3)?;
    let (equality, b) =
        if reader.has("G") { reader.rows("G", "vectors/b", dof)? } else { (Vec::new(), Vec::new()) };

    let blocks = Blocks::new(dof, &mass).map_err(|error| error.within(&reader.path("M")))?;
    let row = |(entries, &bias): (&Vec<(usize, f64)>, &f64)| Row::new(entries.clone()).with_bias(bias);
    let rows: Vec<Row> = jacobian.iter().zip(&w).map(row).collect();
    let contact = |(rows, &mu): (&[Row], &f64)| Contact {
        mu,
        normal: rows[0].clone(),
        tangents: [rows[1].clone(), rows[2].clone()],
    };
    let mut free_velocity = f;
    blocks.solve(&mut free_velocity);
    let form = GlobalForm {
        mass: blocks.dense().to_vec(),
        free_velocity,
        contacts: rows.chunks_exact(3).zip(&mu).map(contact).collect(),
        equality: equality.iter().zip(&b).map(row).collect(),
        ..GlobalForm::default()
    };
    match FrictionProblem::global(form.clone()) {
        // gyroscopic terms: M is not symmetric, and stays so
        Err(ProblemError::Mass { .. }) if form.equality.is_empty() => {
            let (delassus, q) = condensed(&blocks, &form.free_velocity, &rows);
            Ok(FrictionProblem::local_column_major(delassus, q, mu)?)
        }
        other => Ok(other?),
    }
}

/// W = J M⁻¹ Jᵀ by columns, and q = J v_free + bias.
fn condensed(blocks: &Blocks, free_velocity: &[f64], rows: &[Row]) -> (Vec<f64>, Vec<f64>) {
    let along = |row: &Row, v: &[f64]| row.entries.iter().map(|&(i, x)| x * v[i]).sum::<f64>();
    let mut delassus = Vec::with_capacity(rows.len() * rows.len());
    for row in rows {
        let mut response = vec![0.0; free_velocity.len()];
        row.entries.iter().for_each(|&(i, x)| response[i] += x);
        blocks.solve(&mut response);
        delassus.extend(rows.iter().map(|other| along(other, &response)));
    }
    let q = rows.iter().map(|row| along(row, free_velocity) + row.bias).collect();
    (delassus, q)
}

/// The data sets of one group.
struct Reader<'a> {
    file: File<'a>,
    group: &'static str,
}

/// A Jacobian as rows of (degree of freedom, value) pairs.
type SparseRows = Vec<Vec<(usize, f64)>>;

impl Reader<'_> {
    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.group)
    }

    fn has(&self, name: &str) -> bool {
        self.file.has(&self.path(name))
    }

    fn numbers(&self, name: &str) -> Result<Vec<f64>, FileError> {
        let path = self.path(name);
        self.file.numbers(&path)?.ok_or_else(|| FileError::missing(path, "a data set of numbers"))
    }

    fn integer(&self, name: &str) -> Result<f64, FileError> {
        match self.numbers(name)?.as_slice() {
            [x] => Ok(*x),
            other => Err(FileError::field(self.path(name), format!("{} numbers", other.len()), "one number")),
        }
    }

    fn three_dimensions(&self) -> Result<(), FileError> {
        match self.integer("spacedim")? {
            3.0 => Ok(()),
            other => Err(FileError::field(self.path("spacedim"), other.to_string(), "3")),
        }
    }

    fn vector(&self, name: &str, length: usize) -> Result<Vec<f64>, FileError> {
        let values = self.numbers(name)?;
        if values.len() != length {
            let found = format!("{} long", values.len());
            return Err(FileError::field(self.path(name), found, format!("{length} long")));
        }
        match values.iter().position(|x| !x.is_finite()) {
            Some(k) => {
                let field = format!("{}[{k}]", self.path(name));
                Err(FileError::field(field, values[k].to_string(), "a finite number"))
            }
            None => Ok(values),
        }
    }

    /// The columns of H or G, which are rows to us, and the vector that goes with them.
    fn rows(&self, matrix: &str, vector: &str, dof: usize) -> Result<(SparseRows, Vec<f64>), FileError> {
        let (m, n, entries) = self.matrix(matrix)?;
        if m != dof {
            let found = format!("{m} rows high");
            return Err(FileError::field(self.path(matrix), found, format!("{dof} rows to match M")));
        }
        let bias = self.vector(vector, n)?;
        let mut rows = vec![Vec::new(); n];
        entries.entries().for_each(|(i, j, x)| rows[j].push((i, x)));
        Ok((rows, bias))
    }

    /// The size and the entries of a sparse matrix.
    fn matrix(&self, name: &str) -> Result<(usize, usize, Triplets), FileError> {
        let part = |part: &str| format!("{name}/{part}");
        let dimension = |which: &str| {
            let value = self.integer(&part(which))?;
            // ten times the largest matrix: mass matrices are sparse
            whole(value, 10 * MAX_ROWS)
                .ok_or_else(|| FileError::field(self.path(&part(which)), value.to_string(), "a size"))
        };
        let (m, n) = (dimension("m")?, dimension("n")?);
        let nz = self.integer(&part("nz"))?;
        let (p, i) = (self.numbers(&part("p"))?, self.numbers(&part("i"))?);
        let values = self.numbers(&part("x"))?;
        let (rows, cols) = match nz {
            -1.0 => {
                let cols = self.expanded(&part("p"), &p, n, i.len())?;
                (self.indices(&part("i"), &i, cols.len(), m)?, cols)
            }
            -2.0 => {
                let rows = self.expanded(&part("p"), &p, m, i.len())?;
                let cols = self.indices(&part("i"), &i, rows.len(), n)?;
                (rows, cols)
            }
            _ => {
                let count = whole(nz, usize::MAX).unwrap_or(values.len()).min(values.len());
                // FCLIB's header calls p the rows; FCLIB's code and Siconos, which writes such files, have
                // them the other way round, as CSparse does. Where only one of the two fits, it is that.
                match (self.indices(&part("i"), &i, count, m), self.indices(&part("p"), &p, count, n)) {
                    (Ok(rows), Ok(cols)) => (rows, cols),
                    _ => (self.indices(&part("p"), &p, count, m)?, self.indices(&part("i"), &i, count, n)?),
                }
            }
        };
        let values: Vec<f64> = values.into_iter().take(rows.len()).collect();
        if values.len() != rows.len() {
            let found = format!("{} long", values.len());
            return Err(FileError::field(self.path(&part("x")), found, format!("{} long", rows.len())));
        }
        match values.iter().position(|x| !x.is_finite()) {
            Some(k) => {
                let field = format!("{}[{k}]", self.path(&part("x")));
                Err(FileError::field(field, values[k].to_string(), "a finite number"))
            }
            None => Ok((m, n, Triplets { rows, cols, values })),
        }
    }

    /// The first `count` of a list of indices, each below `limit`.
    fn indices(&self, name: &str, list: &[f64], count: usize, limit: usize) -> Result<Vec<usize>, FileError> {
        if list.len() < count {
            let found = format!("{} long", list.len());
            return Err(FileError::field(self.path(name), found, format!("{count} long")));
        }
        let index = |(k, &x): (usize, &f64)| {
            let field = || format!("{}[{k}]", self.path(name));
            whole(x, limit)
                .ok_or_else(|| FileError::field(field(), x.to_string(), format!("an index below {limit}")))
        };
        list[..count].iter().enumerate().map(index).collect()
    }

    /// Pointers to the starts of `n` columns among `count` entries, as the column of each entry.
    fn expanded(
        &self,
        name: &str,
        pointers: &[f64],
        n: usize,
        count: usize,
    ) -> Result<Vec<usize>, FileError> {
        let starts = self.indices(name, pointers, n + 1, count + 1)?;
        if !starts.is_sorted() || starts[0] != 0 {
            return Err(FileError::field(self.path(name), "not a list of starts", "0 = p[0] <= p[1] <= ..."));
        }
        Ok((0..n).flat_map(|j| std::iter::repeat_n(j, starts[j + 1] - starts[j])).collect())
    }
}
