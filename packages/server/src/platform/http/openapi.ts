// Shows numeric parameters in the OpenAPI document as numbers with their bounds. As the text they are sent as, they
// would be useless to client generators. Parsing is unaffected.
import { Schema } from "effect"
import type { HttpApiEndpoint, OpenApi } from "effect/http-api"

type Operation = OpenApi.OpenAPISpecOperation

/** The groups of an API. */
type Groups = Readonly<
  Record<
    string,
    {
      readonly identifier: string
      readonly endpoints: Readonly<Record<string, HttpApiEndpoint.Top>>
    }
  >
>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** For `OpenApi.Transform`: adds the bounds of the endpoints' numeric parameters. */
export const numberParameters =
  (groups: Groups) =>
  (document: Record<string, unknown>): Record<string, unknown> => {
    const numbers = numbersOf(groups)
    const { paths } = document as unknown as Document // the library passes it untyped
    const counted = (operation: Operation): Operation => ({
      ...operation,
      parameters: operation.parameters.map((one) => {
        const number = numbers.get(`${operation.operationId} ${one.in} ${one.name}`)
        const { pattern: _, ...schema } = one.schema as { readonly pattern?: string }
        return number === undefined ? one : { ...one, schema: { ...schema, ...number } }
      }),
    })
    return {
      ...document,
      paths: Object.fromEntries(
        Object.entries(paths).map(([path, operations]) => [
          path,
          Object.fromEntries(
            Object.entries(operations).map(([method, operation]) => [method, counted(operation)]),
          ),
        ]),
      ),
    }
  }

interface NumberSchema {
  readonly type?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

/** The schema of each numeric parameter, by operation, place and name. */
const numbersOf = (groups: Groups): ReadonlyMap<string, NumberSchema> => {
  const numbers = new Map<string, NumberSchema>()
  for (const group of Object.values(groups)) {
    for (const { identifier, params, query } of Object.values(group.endpoints)) {
      for (const [place, schema] of [
        ["path", params],
        ["query", query],
      ] as const) {
        if (schema === undefined) continue
        // A struct's schema always has properties.
        const properties = Schema.toJsonSchemaDocument(Schema.toType(schema)).schema["properties"]
        for (const [name, property] of Object.entries(properties ?? {})) {
          const { maximum, minimum, type } = property as NumberSchema
          if (type !== "integer" && type !== "number") continue
          numbers.set(`${group.identifier}.${identifier} ${place} ${name}`, {
            type,
            ...(minimum === undefined ? {} : { minimum }),
            ...(maximum === undefined ? {} : { maximum }),
          })
        }
      }
    }
  }
  return numbers
}

// Moves the descriptions of an OpenAPI document to where people and generators look for them. The library puts the
// descriptions of keys into an `allOf` beside the schema.
/** The same document, with each description next to what it describes, and without choices of a single schema. */
export const flatDescriptions = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(flatDescriptions) as Value // the same shape
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).map(([name, inner]) => [name, flatDescriptions(inner)])
  return flat(chosen(Object.fromEntries(members))) as Value // the same shape
}

/** Unwraps a choice with a single member. */
const chosen = ({ anyOf, ...schema }: Part): Part => {
  if (anyOf === undefined) return schema
  const [only, ...more] = anyOf
  return only === undefined || more.length > 0 ? { ...schema, anyOf } : { ...only, ...schema }
}

interface Part {
  readonly anyOf?: ReadonlyArray<Part>
  readonly allOf?: ReadonlyArray<Part>
  readonly description?: unknown
  readonly $ref?: unknown
}

const flat = ({ allOf, ...schema }: Part): Part => {
  if (!Array.isArray(allOf)) return allOf === undefined ? schema : { ...schema, allOf }
  const parts = allOf as ReadonlyArray<Part>
  const description = parts.find(isDescription)
  const others = parts.filter((part) => !isDescription(part))
  const described = description === undefined ? schema : { ...description, ...schema }
  const [only, ...more] = others
  if (only === undefined) return described
  return more.length === 0 && only.$ref !== undefined && isDescription(described)
    ? { ...only, ...described }
    : { ...described, allOf: others }
}

const isDescription = (part: object): boolean =>
  Object.keys(part).length === 1 && "description" in part
