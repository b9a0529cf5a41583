//! The keys of a scene file as a JSON schema, for editors; made from the same tables as the page in `reference`.
//!
//! A number may be a formula, a text that begins with `=`; any table of a list may have `repeat`; the file may have `include` and
//! `[parameters]`. What a schema cannot say (exactly one kind of shape, names that exist) the reader says.

use serde_json::{Map, Value, json};

use super::reference::{PARTS, Part, bare, meaning, name};
use super::schema::Key;

/// The schema, JSON Schema draft 7.
pub(crate) fn schema() -> Value {
    let mut tables = Map::new();
    let mut top = Value::Null;
    for part in PARTS {
        if part.rust == "SceneTable" {
            top = table(part);
        } else {
            tables.insert(part.rust.to_owned(), table(part));
        }
    }
    tables
        .insert("formula".into(), json!({ "type": "string", "pattern": "^=", "description": "A formula." }));
    tables.insert("number".into(), json!({ "anyOf": [{ "type": "number" }, reference("formula")] }));
    tables.insert("whole".into(), json!({ "anyOf": [{ "type": "integer" }, reference("formula")] }));
    let properties = top["properties"].as_object_mut().expect("the top of the file has keys");
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    properties.insert(
        "include".into(),
        json!({ "anyOf": [{ "type": "string" }, texts], "description": "Files whose keys go before." }),
    );
    let numbers = json!({ "type": "object", "additionalProperties": reference("number") });
    properties.insert("parameters".into(), numbers);
    top["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    top["title"] = json!("A scene of Gudgeon");
    top["definitions"] = Value::Object(tables);
    top
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

fn table(part: &Part) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in part.keys {
        let mut value = of(&bare(key.kind));
        if !meaning(key).is_empty() {
            // beside a reference nothing else counts, so it goes into a list of one
            if value.get("$ref").is_some() {
                value = json!({ "allOf": [value] });
            }
            value["description"] = json!(meaning(key));
        }
        properties.insert(name(key).to_owned(), value);
        if needed(key) {
            required.push(name(key));
        }
    }
    if part.heading.contains("[[") {
        let about = json!({ "allOf": [reference("whole")], "description": "Writes the table so often, with i = 0, 1, .." });
        properties.insert("repeat".into(), about);
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn needed(key: &Key) -> bool {
    let may_miss = key.kind.starts_with("Option") || key.notes.iter().any(|n| n.contains("default"));
    !may_miss
}

fn list(of: &Value) -> Value {
    json!({ "type": "array", "items": of })
}

fn exactly(n: usize, of: &Value) -> Value {
    json!({ "type": "array", "items": of, "minItems": n, "maxItems": n })
}

fn any(of: &[Value]) -> Value {
    json!({ "anyOf": of })
}

/// A Rust type as a schema.
fn of(ty: &str) -> Value {
    if let Some(inner) = ty.strip_prefix("Vec<").and_then(|t| t.strip_suffix('>')) {
        return list(&of(inner));
    }
    if let Some(inner) = ty.strip_prefix("Table<").and_then(|t| t.strip_suffix('>')) {
        return of(inner);
    }
    if let Some((inner, n)) =
        ty.strip_prefix('[').and_then(|t| t.strip_suffix(']')).and_then(|t| t.rsplit_once(';'))
    {
        return exactly(n.parse().expect("an array's length"), &of(inner));
    }
    let (text, number) = (json!({ "type": "string" }), reference("number"));
    match ty {
        "f64" | "f32" => number,
        "usize" | "u32" => reference("whole"),
        "bool" => json!({ "type": "boolean" }),
        "String" => text,
        "EmptyTable" => json!({ "type": "object", "additionalProperties": false }),
        "NumberOrList" => any(&[number.clone(), list(&number)]),
        "BTreeMap<String,NumberOrList>" => {
            json!({ "type": "object", "additionalProperties": of("NumberOrList") })
        }
        "ScaleValue" => any(&[number.clone(), exactly(3, &number)]),
        "FacetsValue" => any(&[reference("whole"), text]),
        "OrientationValue" => any(&[exactly(4, &number), reference("TurnTable"), reference("EulerTable")]),
        "RoundTable" => any(&[
            exactly(2, &number),
            json!({ "type": "object", "properties": { "half_height": number, "radius": number },
                "required": ["half_height", "radius"], "additionalProperties": false }),
        ]),
        "MeshValue" => any(&[text, reference("FileTable"), reference("TrianglesTable")]),
        "HullValue" => any(&[text, reference("FileTable"), reference("PointsTable")]),
        table => {
            assert!(PARTS.iter().any(|p| p.rust == table), "the schema does not know {table}");
            reference(table)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_every_table_has_a_type_and_references_lead_somewhere() {
        let schema = schema();
        let text = schema.to_string();
        for found in text.split("#/definitions/").skip(1) {
            let name = found.split('"').next().unwrap();
            assert!(schema["definitions"].get(name).is_some(), "{name}");
        }
        assert_eq!(schema["definitions"]["JointTable"]["required"], json!(["type", "child"]));
        assert!(schema["properties"]["body"]["items"]["$ref"].is_string());
    }
}
