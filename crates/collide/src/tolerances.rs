//! Small numbers of collision: what is as good as nought, as good as parallel, as good as each other.
//!
//! "Of the size" is metres relative to the size of the two shapes. Where no measurement stands beside a number, it was chosen to
//! separate rounding, some 1e-16 of the size, from what shapes have on purpose, from some 1e-6 of it on.
//!
//! Those that only one algorithm knows stand beside it: the walk and the expansion of GJK in `gjk`, when a better axis counts in
//! `separation`, borders and names of points in `manifold`, welding in `mesh/build`, doubtful cuts in `mesh/contact`, what touches in
//! `mesh/proximity`, thickness in `mesh/thickness`, round shapes in `mesh/round`, smooth normals in `mesh/smooth`, judges of normals
//! in `mesh/judged`, bearings in `bearing`, levels of a hull in `polytope/index`, boxes in `near`, balls in `balls`, features and
//! difference steps of slopes in `derivative`, least and largest lengths in `error`.

// vectors without a direction

/// Length of a vector below which it points nowhere, in its own unit: nought itself, and what would overflow when divided by.
/// Larger and tiny shapes lose their directions; nought and a vector of nought becomes NaN.
pub(crate) const NO_LENGTH: f64 = 1e-300;
/// What stands for nought in a denominator, in its own unit: the numerator is nought as well then. Larger and it changes answers of
/// tiny shapes; nought and they are NaN.
pub(crate) const NOT_ZERO: f64 = f64::MIN_POSITIVE;
/// Length of the sum or difference of two unit vectors below which they cancel, and say nothing about a direction between them.
/// Larger and normals that nearly oppose each other have no mean; smaller and it is rounding that decides.
pub(crate) const CANCELLED: f64 = 1e-6;
/// The same of the normals of two swept surfaces that touch, which oppose each other: shorter and they look the same way.
pub(crate) const ALONG_EACH_OTHER: f64 = 1e-3;
/// Length of the next normal in a search below which it is none: it has length one unless a fit gave no numbers, so this only stops
/// NaN.
pub(crate) const NO_NORMAL: f64 = 1e-9;
/// Length of a unit vector's part in a plane below which it is square to it, and no direction in the plane is its own.
pub(crate) const NO_PART: f64 = 1e-12;

// parallel directions

/// Sine between two edges below which they are parallel, and their cross product is no axis: it is a face's or a vertex's then.
/// Larger and axes of long thin shapes are missed; smaller and the axis is rounding, 1e-16 over the sine.
pub(crate) const PARALLEL_EDGES: f64 = 1e-9;
/// The square of it, for circles whose planes are parallel, so that they do not cross.
pub(crate) const PARALLEL_CIRCLES: f64 = 1e-18;
/// Squared sine between two segments from which on the points of least distance on them are one solution of two equations: below,
/// any pair of points is, and the middle is taken.
pub(crate) const PARALLEL_LINES: f64 = 1e-20;
/// Squared sine between borders seen along n below which their crossing is ill placed, by more than 1e-9 of their length, and their
/// ends serve instead.
pub(crate) const PARALLEL_BORDERS: f64 = 1e-14;
/// Squared sine, 1e-4 of a radian: edges of meshes that are more parallel meet at their ends, which the vertices report. Larger and
/// crossings are lost; smaller and they are ill placed.
pub(crate) const PARALLEL_RIDGES: f64 = 1e-8;
/// Squared sine, 0.05 of a radian: segments more parallel than this touch along a line, and get two points; others one.
pub(crate) const ALONGSIDE: f64 = 2.5e-3;
/// Squared difference of unit vectors that are the same up to rounding.
pub(crate) const SAME_DIRECTION: f64 = 1e-18;
/// Sine: how far an arc of the Gauss map may end before another and still cross it. Rounding of unit vectors, no more: larger and
/// axes of edges that do not face each other count.
pub(crate) const ARC_END: f64 = 1e-12;
/// Sine: a flat of a shape as square to the axis as this is supported as a whole.
pub(crate) const SQUARE_TO_AXIS: f64 = 1e-9;
/// Sine between n and a disc below which the disc's rim has no point farthest along n: its direction would be rounding.
pub(crate) const ON_DISC: f64 = 1e-9;
/// Cosine between n and a patch below which it is seen edge on and has no inside.
pub(crate) const EDGE_ON: f64 = 1e-3;
/// Sine of the angle to an axis of symmetry below which a direction is along it, where rims and cones have no curvature of their own.
pub(crate) const ALONG_AXIS: f64 = 1e-12;

// gains in separation, of the size

/// A search over axes goes on while it gains more than this: some hundred times the rounding of a separation.
pub(crate) const WORTH_A_SEARCH: f64 = 1e-13;
/// By how much an axis held to more features must win, or it only restates rounding.
pub(crate) const WINS: f64 = 1e-14;
/// What an axis may lose against one found: half of what wins, so that nothing that would win is left out.
pub(crate) const MAY_WIN: f64 = 0.5e-14;
/// How much worse than the rough axis a refined one may be and still be taken for it.
pub(crate) const NO_WORSE: f64 = 1e-12;
/// How much a step of Newton's may lose: near the top the gain is below rounding, and the step is right all the same.
pub(crate) const UPHILL: f64 = 1e-14;
/// A slope of the separation, in metres per radian of the size, that is nought: the rounding of one support point.
pub(crate) const LEVEL_SLOPE: f64 = 1e-16;
/// Of the size: a kink is met where the separation there is what the bounds of both sides allow, a few units in the last place less.
pub(crate) const AT_KINK: f64 = 4.0 * f64::EPSILON;

// places, of the size

/// A point that attains the separation, found again in another way, is off by no more. Larger and a point beside the deepest
/// stands for it; smaller and rounding adds a second point beside it.
pub(crate) const FOUND_AGAIN: f64 = 1e-9;
/// Nearer to a core than this the direction to it is rounding, and inside it is not the way out.
pub(crate) const AT_CORE: f64 = 1e-9;
/// Of the lengths of two segments: below this distance its direction is rounding, and the cross product takes over.
pub(crate) const SEGMENTS_MEET: f64 = 1e-12;
/// Of the product of their lengths: the cross product of two segments that points nowhere.
pub(crate) const SEGMENTS_PARALLEL: f64 = 1e-9;
/// Of the heights compared: room for rounding when vertices below a plane are listed. Those too many are sorted out later; one too
/// few is a contact lost.
pub(crate) const BELOW_PLANE: f64 = 1e-12;
/// How far beside a face a point still lies over it.
pub(crate) const OVER_FACE: f64 = 1e-9;
/// How far below its top a segment may lie and still carry the support.
pub(crate) const AT_TOP: f64 = 1e-9;
/// Parts of an edge: how far beyond its end it still meets another, whatever rounding says.
pub(crate) const BEYOND_END: f64 = 1e-9;
/// Parts of a triangle: how far outside its border a point still lies in it. Smaller and a point on the border of two is in neither.
pub(crate) const IN_TRIANGLE: f64 = 1e-9;
/// A point of a mesh this near the other's surface does not tell whether the mesh is inside.
pub(crate) const ON_SURFACE: f64 = 1e-9;
/// The depth of a contour so thin that it has none: it overlaps, by less than rounding.
pub(crate) const THINNEST: f64 = 1e-16;

// hulls and meshes

/// Of the size: how far a point may lie outside a face of its own hull. Ten times [`COPLANAR`], for one more merge of faces.
pub(crate) const OUTSIDE_HULL: f64 = 1e-7;
/// Of the size: corners this near a plane are on it: rounding is some 1e-15, and contact cannot tell them from it. Larger and flat
/// cones become prisms; smaller and faces of a box fall into triangles.
pub(crate) const COPLANAR: f64 = 1e-8;
/// Of the size: points thinner than this in some direction span no solid.
pub(crate) const NO_SOLID: f64 = 1e-9;
/// Area over the squared longest side: below it the normal of a triangle is rounding.
pub(crate) const SLIVER: f64 = 1e-12;
/// Sine of the angle from which on an edge stands out. Larger and shallow ridges make no contact; smaller and rounding of flat faces
/// makes ridges.
pub(crate) const RIDGE: f64 = 1e-6;
/// Radians that a surface bends over an edge: four-byte coordinates bend a flat face by some 1e-5.
pub(crate) const BENDS: f64 = 1e-4;
/// Of the larger bend, the smaller one of a surface that bends both ways: a fine torus has a hundredth along its top.
pub(crate) const BENDS_BOTH_WAYS: f64 = 1e-3;
/// Area of a contour over its squared length below which it has no normal of its own: two edges that just cross.
pub(crate) const NO_AREA: f64 = 1e-9;
/// Of the deepest: contacts as deep as that are equally deep.
pub(crate) const EQUALLY_DEEP: f64 = 1e-9;
/// Units in the last place that boxes of a tree grow by: rounding of the centre must not shave them. Smaller and contacts are lost;
/// larger costs a little time.
pub(crate) const BOX_ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Least concavity that a decomposition may be asked for, of the size: chosen to bound the number of parts, not measured.
pub(crate) const LEAST_CONCAVITY: f64 = 1e-5;

// few contacts out of many

/// Metres within which contacts become one, unless asked otherwise. Larger and feet closer together lose a contact; smaller and more
/// points say the same. From [Yamane, §V].
pub(crate) const MERGE: f64 = 1e-3;
/// Of the merging distance: contacts this alike in depth are as deep, and the corner stays.
pub(crate) const AS_DEEP: f64 = 1e-6;
/// Of the spread of a patch: points this near a straight border are on it and no corners of the hull.
pub(crate) const STRAIGHT_BORDER: f64 = 1e-6;
/// Of the spread of a patch: how much deeper than its corners a point must be to add something.
pub(crate) const DEEPER: f64 = 1e-9;
/// Of a wrench of size one: by how much a point must be more extreme than one before it. Smaller and rounding chooses.
pub(crate) const MORE_EXTREME: f64 = 1e-9;

// rays and nearest points

/// Coefficient of t² of a unit ray with a cone below which it runs along the cone's side and the equation is linear.
pub(crate) const ALONG_CONE: f64 = 1e-14;
/// Relative: how near a pole of its secular equation an ellipsoid is looked at, and axes that are equal to rounding.
pub(crate) const ELLIPSOID_POLE: f64 = 1e-15;

// sweeps and gears

/// Metres: corners of a section nearer than this are one, and a section this near the axis reaches it.
pub(crate) const ONE_CORNER: f64 = 1e-9;
/// Square metres: the square of it, for a section without area.
pub(crate) const NO_SECTION: f64 = 1e-18;
/// Parts of a chord or of a step that are not worth another one: rounding of the quotient.
pub(crate) const PART_OF_A_CHORD: f64 = 1e-9;
/// Metres: teeth whose outline runs back by more than this meet.
pub(crate) const TEETH_MEET: f64 = 1e-12;
/// Of the product of the squared section's tangent and the bend along the turn: a Hessian with a smaller determinant has no minimum,
/// for the ball is flatter than the groove is deep.
pub(crate) const NO_MINIMUM: f64 = 1e-12;
/// Radians, and parts of a side: a step of Newton's below this is rounding of the parameters.
pub(crate) const NEWTON_DONE: f64 = 1e-14;
/// Parts of a side: a foot on a corner belongs to the side if rounding lets it.
pub(crate) const ON_CORNER: f64 = 1e-12;
/// Of the ball's radius: a centre this near the axis has no nearest angle.
pub(crate) const ON_AXIS: f64 = 1e-9;
/// Of the ball's radius: a centre this near the surface has no direction to it.
pub(crate) const CENTRE_ON_SURFACE: f64 = 1e-12;
/// Metres: what the surface may lie farther from a chord than its swell: rounding.
pub(crate) const BEYOND_CHORD: f64 = 1e-9;
