// What the generator reads: the OpenAPI document as the server publishes it, the texts of errors, and the table with the
// name of each operation's method.

import { type Client, clientOf } from "../api-reference/clients.ts"
import { operationTexts } from "../../src/app/reference/document.ts"
import { openApiDocument } from "../../src/app/reference/openapi.ts"

/** The parts of a JSON Schema that decide a type. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string | number | boolean>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Described {
  readonly operationId: string
  readonly description: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Omit<Response, "description">
  readonly responses: Readonly<Record<string, Response>>
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
}

export interface Operation extends Described {
  readonly method: string
  readonly path: string
  readonly client: Client
  /** By status. */
  readonly reasons: Readonly<Record<number, string>>
}

const document = openApiDocument() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
} // read as the form it is published in

export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      client: clientOf(operation.operationId),
      reasons: operationTexts.get(operation.operationId)?.errors ?? {},
    })),
)

const schemas = new Map(Object.entries(document.components.schemas))

export const schemaNamed = (name: string): Schema => {
  const schema = schemas.get(name)
  if (schema === undefined) throw new Error(`The contract has no schema ${name}.`)
  return schema
}

export const nameOf = ({ $ref = "" }: Schema): string => $ref.slice($ref.lastIndexOf("/") + 1)

export const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(schemaNamed(nameOf(schema)))

/** The schema of JSON, if it is JSON. */
export const jsonOf = ({ content }: Pick<Response, "content">): Schema | undefined => {
  const schema = content?.["application/json"]?.schema
  // Two kinds of responses: the first is that of the method, the other that of a method by hand.
  return schema?.anyOf?.every(({ $ref }) => $ref !== undefined) ? schema.anyOf[0] : schema
}

/** Without null, and whether it had it. */
export const withoutNull = (
  schema: Schema,
): { readonly schema: Schema; readonly isNullable: boolean } => {
  const { anyOf, ...rest } = schema
  const others = anyOf?.filter(({ type }) => type !== "null") ?? []
  if (anyOf === undefined || others.length === anyOf.length) return { schema, isNullable: false }
  const [only] = others
  return {
    schema: others.length === 1 ? { ...only, ...rest } : { ...rest, anyOf: others },
    isNullable: true,
  }
}

/** The schema at a place such as `Pixel.settings.spa`: a member, or the member of the items of a list. */
export const schemaAt = (place: string): Schema => {
  const [name = "", ...path] = place.split(".")
  return path.reduce((schema, member) => {
    const inner = resolved(itemOf(schema)).properties?.[member]
    if (inner === undefined) throw new Error(`The contract has no ${place}.`)
    return itemOf(inner)
  }, schemaNamed(name))
}

const itemOf = (given: Schema): Schema => {
  const { schema } = withoutNull(given)
  return schema.items ?? schema
}

/** What makes two schemas the same type. */
export const shapeOf = (schema: Schema): string =>
  schema.enum === undefined
    ? JSON.stringify(schema, (key, value) => (limits.has(key) ? undefined : value))
    : [...schema.enum].toSorted().join("|")

const limits: ReadonlySet<string> = new Set([
  ...["description", "pattern", "format", "minimum", "maximum"],
  ...["minLength", "maxLength", "minItems", "maxItems"],
])
