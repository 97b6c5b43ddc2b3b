//! The names and numbers of BSON types, for `$type` and for messages.

use bson::Bson;

use crate::domain::mongodb::{MongoError, Number};

/// A type as `$type` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeName {
    /// Any of the four types of numbers.
    Number,
    /// The type of this number in BSON's specification.
    Code(i32),
}

const NAMES: [(&str, i32); 21] = [
    ("minKey", -1),
    ("double", 1),
    ("string", 2),
    ("object", 3),
    ("array", 4),
    ("binData", 5),
    ("undefined", 6),
    ("objectId", 7),
    ("bool", 8),
    ("date", 9),
    ("null", 10),
    ("regex", 11),
    ("dbPointer", 12),
    ("javascript", 13),
    ("symbol", 14),
    ("javascriptWithScope", 15),
    ("int", 16),
    ("timestamp", 17),
    ("long", 18),
    ("decimal", 19),
    ("maxKey", 127),
];

impl TypeName {
    /// From the operand of `$type`: a name or a number.
    pub fn parse(value: &Bson) -> Result<TypeName, MongoError> {
        if let Bson::String(name) = value {
            if name == "number" {
                return Ok(TypeName::Number);
            }
            let known = NAMES.iter().find(|(known, _)| known == name);
            return known
                .map(|(_, code)| TypeName::Code(*code))
                .ok_or_else(|| MongoError::bad_value(format!("Unknown type name alias: {name}")));
        }
        let code = Number::of(value).and_then(|number| number.as_integer());
        let known = code.and_then(|code| NAMES.iter().find(|(_, known)| i64::from(*known) == code));
        known
            .map(|(_, code)| TypeName::Code(*code))
            .ok_or_else(|| MongoError::bad_value(format!("Invalid numerical type code: {value}")))
    }

    /// Whether `value` is of this type.
    pub fn fits(self, value: &Bson) -> bool {
        match self {
            TypeName::Number => Number::of(value).is_some(),
            TypeName::Code(code) => code_of(value) == code,
        }
    }
}

/// The name of a value's type: `string`, `int`, `objectId`.
pub(super) fn name_of(value: &Bson) -> &'static str {
    let code = code_of(value);
    NAMES.iter().find(|(_, known)| *known == code).map_or("unknown", |(name, _)| name)
}

fn code_of(value: &Bson) -> i32 {
    match value {
        Bson::MinKey => -1,
        // The byte that BSON gives the type; MinKey's is 255, and 127 is MaxKey's.
        other => i32::from(other.element_type() as u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::bson;
    use rstest::rstest;

    #[rstest]
    #[case(bson!("int"), bson!(1), true)]
    #[case(bson!(16), bson!(1), true)]
    #[case(bson!(16.0), bson!(1.0), false)]
    #[case(bson!("double"), bson!(1.0), true)]
    #[case(bson!("long"), Bson::Int64(1), true)]
    #[case(bson!("number"), Bson::Int64(1), true)]
    #[case(bson!("number"), bson!("1"), false)]
    #[case(bson!(-1), Bson::MinKey, true)]
    #[case(bson!(127), Bson::MaxKey, true)]
    #[case(bson!("null"), Bson::Null, true)]
    fn types_by_name_and_number(#[case] name: Bson, #[case] value: Bson, #[case] fits: bool) {
        assert_eq!(TypeName::parse(&name).expect("known").fits(&value), fits);
    }

    #[rstest]
    #[case(bson!("integer"), "Unknown type name alias: integer")]
    #[case(bson!(99), "Invalid numerical type code: 99")]
    #[case(bson!(true), "Invalid numerical type code: true")]
    fn unknown_types_are_refused(#[case] name: Bson, #[case] words: &str) {
        assert_eq!(TypeName::parse(&name).expect_err("refused").errmsg, words);
    }

    #[test]
    fn every_type_has_a_name() {
        assert_eq!(name_of(&Bson::MinKey), "minKey");
        assert_eq!(name_of(&bson!({})), "object");
    }
}
