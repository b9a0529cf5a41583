//! The tree that every format is read into, and typed ways to look at it.
//!
//! Numbers may come one by one (JSON) or as whole arrays (`.npz`); the accessors hide the difference. Their
//! errors know the place inside the value, as `[3]`; the caller adds the name in front of it.

use super::error::FileError;

/// The greatest number of rows of a matrix. A dense matrix of this size takes 800 MB, and a solver needs
/// a few of them.
pub(crate) const MAX_ROWS: usize = 10_000;

/// A value of a problem file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
    Array(Array),
}

/// Numbers with a shape, the last index running fastest. No dimension makes a scalar.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<f64>,
}

const NUMBER: &str = "a finite number";

impl Value {
    /// What an error message calls it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(b) => b.to_string(),
            Self::Number(x) => format!("{x:?}"),
            Self::Text(text) => {
                let short: String = text.chars().take(40).collect();
                format!("{short:?}")
            }
            Self::List(items) if items.is_empty() => "an empty list".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Object(_) => "an object".to_owned(),
            Self::Array(Array { shape, data }) => match (&shape[..], &data[..]) {
                ([], [x]) => format!("{x:?}"),
                _ => format!("an array of shape {shape:?}"),
            },
        }
    }

    fn is_not(&self, expected: impl Into<String>) -> FileError {
        FileError::field("", self.describe(), expected)
    }

    /// A member of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(fields) => fields.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// A member of an object, read by `read`; an error names it.
    pub(crate) fn need<'a, T>(
        &'a self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&'a Self) -> Result<T, FileError>,
    ) -> Result<T, FileError> {
        let value = self.get(name).ok_or_else(|| FileError::missing(name, expected))?;
        read(value).map_err(|error| error.within(name))
    }

    /// A member that may be left out.
    pub(crate) fn may<'a, T>(
        &'a self,
        name: &str,
        read: impl FnOnce(&'a Self) -> Result<T, FileError>,
    ) -> Result<Option<T>, FileError> {
        self.get(name).map(|value| read(value).map_err(|error| error.within(name))).transpose()
    }

    /// Any number, an infinity of an array included.
    fn any_number(&self) -> Option<f64> {
        match self {
            Self::Number(x) => Some(*x),
            Self::Array(Array { shape, data }) if shape.is_empty() => data.first().copied(),
            _ => None,
        }
    }

    /// A finite number.
    pub(crate) fn number(&self) -> Result<f64, FileError> {
        self.any_number().filter(|x| x.is_finite()).ok_or_else(|| self.is_not(NUMBER))
    }

    /// A bound: a number, or null for none.
    pub(crate) fn bound(&self, none: f64) -> Result<f64, FileError> {
        match self {
            Self::Null => Ok(none),
            _ => match self.any_number() {
                Some(x) if x.is_finite() || x == none => Ok(x),
                _ => Err(self.is_not("a finite number or null")),
            },
        }
    }

    /// A whole number from 0 up to, not including, `limit`.
    pub(crate) fn index(&self, limit: usize) -> Result<usize, FileError> {
        self.any_number()
            .and_then(|x| whole(x, limit))
            .ok_or_else(|| self.is_not(format!("a whole number from 0 to below {limit}")))
    }

    /// The entries of a list, each read by `read`.
    pub(crate) fn list<T>(
        &self,
        expected: &str,
        mut read: impl FnMut(&Self) -> Result<T, FileError>,
    ) -> Result<Vec<T>, FileError> {
        let at = |i: usize| move |error: FileError| error.within(&format!("[{i}]"));
        match self {
            Self::List(items) => {
                items.iter().enumerate().map(|(i, item)| read(item).map_err(at(i))).collect()
            }
            Self::Array(Array { shape, data }) if shape.len() == 1 => {
                data.iter().enumerate().map(|(i, &x)| read(&Self::Number(x)).map_err(at(i))).collect()
            }
            _ => Err(self.is_not(expected)),
        }
    }

    /// A list of finite numbers.
    pub(crate) fn vector(&self) -> Result<Vec<f64>, FileError> {
        self.list("a list of numbers", Self::number)
    }

    /// A square matrix, given by rows: its size and its entries by columns.
    pub(crate) fn square(&self) -> Result<(usize, Vec<f64>), FileError> {
        match self {
            Self::List(rows) => {
                let n = rows.len();
                check_size(n)?;
                let mut columns = vec![0.0; n * n];
                for (i, row) in rows.iter().enumerate() {
                    let row = row.list("a list of numbers", Self::number);
                    let row = row.map_err(|error| error.within(&format!("[{i}]")))?;
                    if row.len() != n {
                        let found = format!("{} long", row.len());
                        return Err(FileError::field(
                            format!("[{i}]"),
                            found,
                            format!("{n} entries: a square matrix"),
                        ));
                    }
                    for (j, x) in row.into_iter().enumerate() {
                        columns[j * n + i] = x;
                    }
                }
                Ok((n, columns))
            }
            Self::Array(Array { shape, data }) if shape.len() == 2 && shape[0] == shape[1] => {
                let n = shape[0];
                check_size(n)?;
                let mut columns = vec![0.0; n * n];
                for (k, &x) in data.iter().enumerate() {
                    let (i, j) = (k / n, k % n);
                    if !x.is_finite() {
                        return Err(FileError::field(format!("[{i}][{j}]"), format!("{x:?}"), NUMBER));
                    }
                    columns[j * n + i] = x;
                }
                Ok((n, columns))
            }
            _ => Err(self.is_not("a square matrix, given by rows")),
        }
    }

    /// A text.
    pub(crate) fn text(&self) -> Result<&str, FileError> {
        match self {
            Self::Text(text) => Ok(text),
            _ => Err(self.is_not("a text")),
        }
    }
}

/// A number that is a whole one below a limit.
pub(crate) fn whole(x: f64, limit: usize) -> Option<usize> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked in the same line")]
    (x >= 0.0 && x < limit as f64 && x.fract() == 0.0).then_some(x as usize)
}

/// Refuses a matrix that could not be solved anyway, before it is allocated.
pub(crate) fn check_size(n: usize) -> Result<(), FileError> {
    if n > MAX_ROWS {
        return Err(FileError::field("", format!("{n} rows high"), format!("at most {MAX_ROWS}")));
    }
    Ok(())
}
