//! JSON schemas of the messages: Foxglove's by their names and fields, and our own.

use serde_json::{Value, json};

fn object(title: &str, properties: impl Into<Value>) -> Value {
    json!({"title": title, "type": "object", "properties": properties.into()})
}

fn list(items: impl Into<Value>) -> Value {
    json!({"type": "array", "items": items.into()})
}

fn number() -> Value {
    json!({"type": "number"})
}

fn text() -> Value {
    json!({"type": "string"})
}

fn moment(title: &str) -> Value {
    let nanoseconds = json!({"type": "integer", "minimum": 0, "maximum": 999_999_999});
    object(title, json!({"sec": {"type": "integer"}, "nsec": nanoseconds}))
}

fn vector(title: &str) -> Value {
    object(title, json!({"x": number(), "y": number(), "z": number()}))
}

fn turn() -> Value {
    object("foxglove.Quaternion", json!({"x": number(), "y": number(), "z": number(), "w": number()}))
}

fn pose() -> Value {
    object("foxglove.Pose", json!({"position": vector("foxglove.Vector3"), "orientation": turn()}))
}

fn color() -> Value {
    object("foxglove.Color", json!({"r": number(), "g": number(), "b": number(), "a": number()}))
}

pub(crate) fn frame_transforms() -> Value {
    let one = json!({
        "timestamp": moment("time"), "parent_frame_id": text(), "child_frame_id": text(),
        "translation": vector("foxglove.Vector3"), "rotation": turn(),
    });
    object("foxglove.FrameTransforms", json!({"transforms": list(object("foxglove.FrameTransform", one))}))
}

pub(crate) fn scene_update() -> Value {
    let arrow = json!({"pose": pose(), "shaft_length": number(), "shaft_diameter": number(),
                       "head_length": number(), "head_diameter": number(), "color": color()});
    let solid = || json!({"pose": pose(), "size": vector("foxglove.Vector3"), "color": color()});
    let mut cylinder = solid();
    cylinder["bottom_scale"] = number();
    cylinder["top_scale"] = number();
    let triangles = json!({"pose": pose(), "points": list(vector("foxglove.Point3")), "color": color(),
                           "colors": list(color()), "indices": list(json!({"type": "integer", "minimum": 0}))});
    let pair = object("foxglove.KeyValuePair", json!({"key": text(), "value": text()}));
    // the lists we never fill are there all the same: a reader may count on them
    let empty = |title: &str| list(json!({"title": title, "type": "object"}));
    let entity = json!({
        "timestamp": moment("time"), "frame_id": text(), "id": text(), "lifetime": moment("duration"),
        "frame_locked": {"type": "boolean"}, "metadata": list(pair),
        "arrows": list(object("foxglove.ArrowPrimitive", arrow)),
        "cubes": list(object("foxglove.CubePrimitive", solid())),
        "spheres": list(object("foxglove.SpherePrimitive", solid())),
        "cylinders": list(object("foxglove.CylinderPrimitive", cylinder)),
        "lines": empty("foxglove.LinePrimitive"),
        "triangles": list(object("foxglove.TriangleListPrimitive", triangles)),
        "texts": empty("foxglove.TextPrimitive"),
        "models": empty("foxglove.ModelPrimitive"),
    });
    let deletion = json!({"timestamp": moment("time"), "type": {"type": "integer"}, "id": text()});
    object(
        "foxglove.SceneUpdate",
        json!({"deletions": list(object("foxglove.SceneEntityDeletion", deletion)),
               "entities": list(object("foxglove.SceneEntity", entity))}),
    )
}

pub(crate) fn stats() -> Value {
    let keys = [
        "contacts",
        "stick",
        "slip",
        "pivots",
        "residual",
        "penetration",
        "loop_gap",
        "kinetic",
        "potential",
        "energy",
        "fallback",
    ];
    let mut fields: serde_json::Map<String, Value> =
        keys.iter().map(|key| ((*key).to_owned(), number())).collect();
    fields.insert("timestamp".to_owned(), moment("time"));
    fields.insert("status".to_owned(), text());
    fields.insert("hash".to_owned(), text());
    object("gudgeon.Stats", Value::Object(fields))
}
