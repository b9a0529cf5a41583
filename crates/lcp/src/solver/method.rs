//! The methods by name.

use std::str::FromStr;

/// One line a method: the enum, the list of all and their names.
macro_rules! methods {
    ($($(#[$of_one:meta])* $method:ident = $name:literal,)*) => {
        /// The closed set of methods, as data for settings, command lines and tests.
        ///
        /// ```
        /// use gudgeon_lcp::Method;
        ///
        /// assert_eq!("block-pivot".parse(), Ok(Method::BlockPivot));
        /// assert_eq!(Method::default(), Method::Robust);
        /// assert!("simplex".parse::<Method>().is_err());
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub enum Method {
            $($(#[$of_one])* $method,)*
        }

        impl Method {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$method),*];

            /// The name used on the command line and in files.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$method => $name),*
                }
            }
        }
    };
}

methods! {
    /// Least ratio, ties to the least row, incremental arithmetic [Yamane, §II-A].
    Lemke = "lemke",
    /// Lexicographic ties within a threshold, incremental arithmetic [Yamane, §V-A].
    Lexicographic = "lexicographic",
    /// Best-first search over pivots, incremental arithmetic [Yamane, §III].
    Search = "search",
    /// Guided search over a basis that is solved from the original matrix: the default.
    #[default]
    Robust = "robust",
    /// Lexicographic Lemke on the structure of a friction problem [Lloyd, §5.1]. Other problems have no such
    /// structure: they are solved as by `lexicographic`.
    Structural = "structural",
    /// The same, starting without friction and growing it where contacts are pressed [Lloyd, §5.3].
    Reduced = "reduced",
    /// Principal pivoting by least index.
    Murty = "murty",
    /// Block principal pivoting of Júdice and Pires; takes bounds as they are.
    BlockPivot = "block-pivot",
    /// Dantzig's pivoting in the manner of ODE; takes bounds and friction indices as they are.
    Dantzig = "dantzig",
    /// Projected Gauss-Seidel; takes bounds and friction indices as they are.
    Pgs = "pgs",
}

impl Method {
    /// Whether it works on sparse matrices as they are; the others write them out, up to 4,000 unknowns.
    pub fn is_sparse(self) -> bool {
        match self {
            Self::Robust | Self::Murty | Self::BlockPivot | Self::Pgs => true,
            Self::Lemke
            | Self::Lexicographic
            | Self::Search
            | Self::Structural
            | Self::Reduced
            | Self::Dantzig => false,
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A method name that is none.
///
/// ```
/// use gudgeon_lcp::Method;
///
/// assert_eq!("murty".parse::<Method>(), Ok(Method::Murty));
/// let error = "lemkee".parse::<Method>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown method 'lemkee', expected one of lemke"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown method '{0}', expected one of {list}", list = Method::ALL.map(Method::name).join(", "))]
pub struct UnknownMethod(pub String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Self::ALL.into_iter().find(|m| m.name() == name).ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}
