// The schema of a Parquet file, from the schema of its rows, so a column is written down once (spec 2.13.4). Objects
// become groups and arrays become lists, as in the API's JSON.
import { SchemaAST } from "effect"
import type { ParquetWriter } from "hyparquet-writer"

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number]

/** The elements of the file's schema, depth first, with its root. Throws for a type that no row has so far. */
export const parquetSchema = (row: SchemaAST.AST): Array<SchemaElement> => {
  const { repetition_type: _, ...root } = group("row", row, "REQUIRED")[0]!
  return [root, ...group("row", row, "REQUIRED").slice(1)]
}

type Repetition = "REQUIRED" | "OPTIONAL"

const group = (name: string, ast: SchemaAST.AST, repetition_type: Repetition) => {
  if (!SchemaAST.isObjects(ast)) throw new Error(`${name} has no type in Parquet: ${ast._tag}`)
  const members = ast.propertySignatures.map((member) => element(String(member.name), member.type))
  const own: SchemaElement = { name, repetition_type, num_children: members.length }
  return [own, ...members.flat()]
}

const element = (name: string, ast: SchemaAST.AST): Array<SchemaElement> => {
  const types = SchemaAST.isUnion(ast) ? flat(ast.types) : [ast]
  const present = types.filter((type) => !SchemaAST.isNull(type))
  const repetition_type = present.length < types.length ? "OPTIONAL" : "REQUIRED"
  const [type] = present
  if (present.every(isText)) {
    const form = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const
    return [{ name, repetition_type, ...form, logical_type: { type: "STRING" } }]
  }
  // The contract's numbers are integers, and Postgres keeps them as such.
  if (present.length === 1 && SchemaAST.isNumber(type!)) {
    return [{ name, repetition_type, type: "INT32" }]
  }
  if (present.length === 1 && SchemaAST.isArrays(type!)) {
    const list = { converted_type: "LIST", logical_type: { type: "LIST" } } as const
    return [
      { name, repetition_type, num_children: 1, ...list },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...element("element", type.rest[0]!),
    ]
  }
  return group(name, type!, repetition_type)
}

const flat = (types: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<SchemaAST.AST> =>
  types.flatMap((type) => (SchemaAST.isUnion(type) ? flat(type.types) : [type]))

const isText = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isString(ast) || (SchemaAST.isLiteral(ast) && typeof ast.literal === "string")
