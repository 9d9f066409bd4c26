// What /openapi.json, /docs and the reference say of a field of a body, told where the field is. Nothing that is
// read or refused changes by it.
import { Schema } from "effect"

/**
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
