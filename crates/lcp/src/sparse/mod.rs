//! Sparse matrices, and what it takes to solve with a part of one: an order with little fill, and factors.
//!
//! | file     | what it holds                                                                    |
//! |----------|----------------------------------------------------------------------------------|
//! | `matrix` | [`SparseMatrix`]: compressed columns, from triplets, columns or a dense matrix   |
//! | `order`  | an elimination order by approximate minimum degree                               |
//! | `ldl`    | L D Lᵀ of a symmetric principal block                                            |
//! | `lu`     | P A Q = L U of any principal block, by columns                                   |

pub(crate) mod ldl;
pub(crate) mod lu;
mod matrix;
pub(crate) mod order;

pub use matrix::SparseMatrix;
