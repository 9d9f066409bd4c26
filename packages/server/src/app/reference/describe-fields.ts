// Describes the fields of the OpenAPI document's schemas. Only the document is built with these texts: a schema with a
// description of its own costs every start 26 µs.
import { accessFields } from "./fields/access.ts"
import { audiencesFields } from "./fields/audiences.ts"
import { destinationsFields } from "./fields/destinations.ts"
import { pixelsFields } from "./fields/pixels.ts"
import { topicsFields } from "./fields/topics.ts"
import { visitorsFields } from "./fields/visitors.ts"
import type { FieldTexts } from "./operation-text.ts"

export const fieldTexts: FieldTexts = {
  ...accessFields,
  ...audiencesFields,
  ...destinationsFields,
  ...pixelsFields,
  ...topicsFields,
  ...visitorsFields,
}

const texts = new Map(
  Object.entries(fieldTexts).map(([schema, fields]) => [schema, new Map(Object.entries(fields))]),
)

/** Fields of every response, and of the `meta` of lists. */
const common: ReadonlyMap<string, string> = new Map(
  Object.entries({
    data: "What you asked for.",
    meta: "When and under which id the response was made; on a list, also its page.",
    error: "What went wrong.",
    "error.code": "A fixed code for programs. More may be added within /v1.",
    "error.message": "One sentence for people: what was expected, and what was received.",
    "error.details": "More about the error, depending on its code.",
    timestamp: "Time of the response. ISO 8601, UTC, milliseconds.",
    request_id: "Request id: `req_` and 26 characters. Include it when you report a problem.",
    limit: "Rows per page.",
    offset: "Rows before this page.",
    page: "Page number, from 1, also when you read the list by cursor.",
    hasMore: "Whether there is another page.",
    nextCursor: "The `cursor` of the next page. Valid for 24 hours. Null on the last page.",
    total: "Rows in all pages.",
    asOf: "The time that every page of this cursor shows.",
    coverage: "What the list is based on. Absent if there is nothing to report.",
    "coverage.partial":
      "True: data of the period was left out, because it is not processed yet or no longer kept.",
    "coverage.from": "Time of the oldest data used; null if there is none.",
    scope: "The pixels that the list covers.",
  }),
)

interface FieldSchema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly items?: FieldSchema
  readonly anyOf?: ReadonlyArray<FieldSchema>
  readonly oneOf?: ReadonlyArray<FieldSchema>
  readonly allOf?: ReadonlyArray<FieldSchema>
}

/** For `OpenApi.Transform`. A description in a schema of the contract takes precedence. */
export const describeFields = (document: Record<string, unknown>): Record<string, unknown> => {
  const { components } = document as unknown as Document // the library passes it untyped
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    const description = schema.description ?? texts.get(name)?.get("")
    const described = describe(schema, (path) => textOf(name, path))
    return [name, description === undefined ? described : { ...described, description }]
  })
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } }
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, FieldSchema>> }
}

const textOf = (schema: string, path: ReadonlyArray<string>): string | undefined => {
  const own = texts.get(schema)
  return (
    own?.get(path.join(".")) ??
    own?.get(withStars(own, path) ?? "") ??
    common.get((path[0] === "meta" && path.length > 1 ? path.slice(1) : path).join("."))
  )
}

const withStars = (own: ReadonlyMap<string, string>, path: ReadonlyArray<string>) =>
  [...own.keys()].find((pattern) => {
    const parts = pattern.split(".")
    return (
      parts.length === path.length &&
      parts.every((part, place) => part === "*" || part === path[place])
    )
  })

const describe = (
  schema: FieldSchema,
  text: (path: ReadonlyArray<string>) => string | undefined,
  path: ReadonlyArray<string> = [],
): FieldSchema => {
  const { allOf, anyOf, items, oneOf, properties } = schema
  const all = (some: ReadonlyArray<FieldSchema>) => some.map((one) => describe(one, text, path))
  return {
    ...schema,
    ...(items === undefined ? {} : { items: describe(items, text, path) }),
    ...(allOf === undefined ? {} : { allOf: all(allOf) }),
    ...(anyOf === undefined ? {} : { anyOf: all(anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: all(oneOf) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => {
              const description = field.description ?? text([...path, name])
              const described = describe(field, text, [...path, name])
              return [name, description === undefined ? described : { ...described, description }]
            }),
          ),
        }),
  }
}
