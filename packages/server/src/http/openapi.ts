// Parameters that are numbers, in the OpenAPI document: as what they mean, with their bounds, and not as the text
// that they travel as, which says nothing to who generates a client. How a request is read stays as it is.
import { Schema } from "effect"
import type { HttpApiEndpoint, OpenApi } from "effect/http-api"

type Operation = OpenApi.OpenAPISpecOperation

/** As an API has them. */
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

/** For `OpenApi.Transform`: the document with the bounds of the numbers of these endpoints. */
export const numberParameters =
  (groups: Groups) =>
  (document: Record<string, unknown>): Record<string, unknown> => {
    const numbers = numbersOf(groups)
    const { paths } = document as unknown as Document // of the library, which hands it over untyped
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

/** By operation, place and name: the schema of what a text is read as, where that is a number. */
const numbersOf = (groups: Groups): ReadonlyMap<string, NumberSchema> => {
  const numbers = new Map<string, NumberSchema>()
  for (const group of Object.values(groups)) {
    for (const { identifier, params, query } of Object.values(group.endpoints)) {
      for (const [place, schema] of [
        ["path", params],
        ["query", query],
      ] as const) {
        if (schema === undefined) continue
        // Of a struct there are properties.
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

// The descriptions of an OpenAPI document where people and generators look for them. The library puts those of
// keys into an `allOf` of their own beside the schema.
/** The same document, with each description a member of what it describes, and no choice of one. */
export const flatDescriptions = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(flatDescriptions) as Value // of the same form
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).map(([name, inner]) => [name, flatDescriptions(inner)])
  return flat(chosen(Object.fromEntries(members))) as Value // of the same form
}

/** A choice of one is no choice. */
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
  const said = parts.find(isDescription)
  const others = parts.filter((part) => !isDescription(part))
  const described = said === undefined ? schema : { ...said, ...schema }
  const [only, ...more] = others
  if (only === undefined) return described
  return more.length === 0 && only.$ref !== undefined && isDescription(described)
    ? { ...only, ...described }
    : { ...described, allOf: others }
}

const isDescription = (part: object): boolean =>
  Object.keys(part).length === 1 && "description" in part
