//! NumPy in and out.
//!
//! What comes in is whatever NumPy makes of it, checked by name: type, number of dimensions, sizes. What goes out is
//! either a new array or a view of memory that Rust owns and that an owner object keeps alive.

use numpy::npyffi::{self, NPY_ARRAY_WRITEABLE, PY_ARRAY_API, npy_intp};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// Numbers of the caller: C order, checked.
pub(crate) struct Floats<'py> {
    array: PyReadonlyArrayDyn<'py, f64>,
    pub(crate) shape: Vec<usize>,
}

impl Floats<'_> {
    /// All of them, the last index running fastest.
    pub(crate) fn as_slice(&self) -> &[f64] {
        self.array.as_slice().expect("made contiguous")
    }

    /// Refuses NaN and infinities, naming the first.
    pub(crate) fn finite(self, name: &str) -> PyResult<Self> {
        if let Some(at) = self.as_slice().iter().position(|x| !x.is_finite()) {
            let mut index = Vec::new();
            let mut rest = at;
            for size in self.shape.iter().rev() {
                index.push((rest % size).to_string());
                rest /= size;
            }
            index.reverse();
            let (index, value) = (index.join(", "), self.as_slice()[at]);
            return Err(PyValueError::new_err(format!(
                "{name}[{index}] is {value}, expected a finite number"
            )));
        }
        Ok(self)
    }
}

/// The array that `value` is, with the sizes that are given (`None`: any).
pub(crate) fn floats<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
    shape: &[Option<usize>],
) -> PyResult<Floats<'py>> {
    let py = value.py();
    let numpy = numpy_module(py)?;
    let array = numpy.call_method1("asarray", (value,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "f" | "i" | "u" | "b") {
        let dtype = array.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{name} has dtype {dtype}, expected real numbers")));
    }
    let found: Vec<usize> = array.getattr("shape")?.extract()?;
    let fits = found.len() == shape.len() && found.iter().zip(shape).all(|(f, s)| s.is_none_or(|s| s == *f));
    if !fits {
        return Err(PyValueError::new_err(format!(
            "{name} has shape {}, expected {}",
            tuple(found.iter().map(ToString::to_string).collect()),
            tuple(shape.iter().map(|s| s.map_or_else(|| "any".to_owned(), |s| s.to_string())).collect()),
        )));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "float64"))?;
    let array = array.cast_into::<PyArrayDyn<f64>>()?.readonly();
    Ok(Floats { array, shape: found })
}

/// As Python writes a shape.
fn tuple(sizes: Vec<String>) -> String {
    match sizes.as_slice() {
        [one] => format!("({one},)"),
        _ => format!("({})", sizes.join(", ")),
    }
}

fn numpy_module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    Ok(NUMPY.get_or_try_init(py, || py.import("numpy").map(Bound::unbind))?.bind(py))
}

/// Rows of a row-major square matrix as columns, one after another.
pub(crate) fn transposed(rows: &[f64], n: usize) -> Vec<f64> {
    (0..n * n).map(|k| rows[(k % n) * n + k / n]).collect()
}

/// A new array of that shape.
pub(crate) fn array<'py, T: numpy::Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any())
}

/// dtype of one f64.
pub(crate) fn float64(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static FLOAT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let dtype = FLOAT
        .get_or_try_init(py, || numpy_module(py)?.call_method1("dtype", ("float64",)).map(Bound::unbind))?;
    Ok(dtype.bind(py).clone())
}

/// One field of a record: name, format, offset.
pub(crate) type Field = (&'static str, &'static str, usize);

/// dtype of a record laid out as Rust lays it out.
pub(crate) fn record<'py>(py: Python<'py>, fields: &[Field], size: usize) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    dict.set_item("names", fields.iter().map(|f| f.0).collect::<Vec<_>>())?;
    dict.set_item("formats", fields.iter().map(|f| f.1).collect::<Vec<_>>())?;
    dict.set_item("offsets", fields.iter().map(|f| f.2).collect::<Vec<_>>())?;
    dict.set_item("itemsize", size)?;
    numpy_module(py)?.call_method1("dtype", (dict,))
}

/// An array over memory that `owner` keeps alive, without a copy.
///
/// # Safety
/// `data` points to as many items of `dtype` as `shape` says, which stay there, at that address, while `owner` lives.
/// Writable memory may hold any bits.
pub(crate) unsafe fn view<'py, T>(
    dtype: Bound<'py, PyAny>,
    shape: &[usize],
    data: *const T,
    writable: bool,
    owner: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = dtype.py();
    let mut dims: Vec<npy_intp> = shape.iter().map(|&n| npy_intp::try_from(n).expect("sizes fit")).collect();
    // SAFETY: NumPy takes over the references to dtype and owner; the caller answers for the memory.
    unsafe {
        let subtype = npyffi::get_type_object(py, npyffi::NpyTypes::PyArray_Type);
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            subtype,
            dtype.into_ptr().cast(),
            i32::try_from(dims.len()).expect("few dimensions"),
            dims.as_mut_ptr(),
            std::ptr::null_mut(),
            data.cast_mut().cast(),
            if writable { NPY_ARRAY_WRITEABLE } else { 0 },
            std::ptr::null_mut(),
        );
        let array = Bound::from_owned_ptr_or_err(py, array)?;
        if PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), owner.into_ptr()) < 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(array)
    }
}
