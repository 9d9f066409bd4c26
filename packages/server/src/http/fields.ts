// Schemas shared by the rooms' contracts.
import { Schema } from "effect"

/**
 * Adds a description for /openapi.json, /docs and the reference, without changing what is accepted. The description
 * goes on the key and on the encoded form, because the documents lose the key of fields that are trimmed or normalized.
 * A named schema keeps its own description, since other fields use it too.
 */
export const described = <Field extends Schema.Top>(
  description: string,
  field: Field,
): Field["Rebuild"] => {
  const keyed = field.annotateKey({ description })
  if (field.ast.annotations?.["identifier"] !== undefined) return keyed
  // Rebuilding it returns a schema of the same kind.
  return Schema.annotateEncoded<Field>({ description })(keyed as unknown as Field)
}

/**
 * An empty body: `{}`. An empty struct would accept any field, like the type `{}`; this rejects each field by name.
 * With BodyOptional the body may be missing.
 */ // spec 1.4.12
export const noFields = Schema.Record(Schema.String, Schema.Never)

/** The query of an endpoint without parameters: rejects each parameter by name. */ // spec 1.4
export const noParameters = Schema.Record(Schema.String, Schema.Never)
