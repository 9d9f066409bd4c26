// Schemas that the contracts of the rooms share.
import { Schema } from "effect"

/**
 * The field with a description for /openapi.json, /docs and the reference. Nothing that is read or refused changes.
 * At its key, and at its form on the wire too, because the documents lose the key of what is trimmed or
 * normalized. Not at a form that has a name in the documents: that is the form of other fields as well.
 */
export const described = <Field extends Schema.Top>(
  description: string,
  field: Field,
): Field["Rebuild"] => {
  const keyed = field.annotateKey({ description })
  if (field.ast.annotations?.["identifier"] !== undefined) return keyed
  // Rebuilt, it is a schema of the same kind.
  return Schema.annotateEncoded<Field>({ description })(keyed as unknown as Field)
}

/**
 * The body of a request that says nothing: `{}`. An empty list of fields would accept any, as the type `{}` does;
 * this refuses each one by its name. With BodyOptional no body is as good.
 */ // spec 1.4.12
export const noFields = Schema.Record(Schema.String, Schema.Never)

/** The query of an endpoint without parameters: refuses each one by its name. */ // spec 1.4
export const noParameters = Schema.Record(Schema.String, Schema.Never)
