// The operations of the API that tools call, as the OpenAPI document describes them. `operations.json` holds
// those of tool-list.ts; the build writes it (packages/server/scripts/write-agent-operations.ts).

/** The parts of a JSON Schema that are looked at here. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly maximum?: number
  readonly minimum?: number
  readonly additionalProperties?: boolean | JsonSchema
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

export type Schemas = ReadonlyMap<string, JsonSchema>

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With the names of parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Whether an access token is not enough. */
  readonly needsKey: boolean
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: JsonSchema
  }>
  readonly body: JsonSchema | null
  /** The bodies of its successes. */
  readonly answers: ReadonlyArray<JsonSchema>
}

/** As `operations.json` has them. */
export interface Operations {
  readonly operations: Readonly<Record<string, Operation>>
  /** What they name by `#/$defs/…`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

/** The schema that a reference names; the schema itself where it is none. */
export const resolved = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.$ref === undefined ? schema : schemas.get(schema.$ref.slice("#/$defs/".length))!

/** The schemas that a schema names, and those that they name. */
export const namedBy = (
  schema: unknown,
  schemas: Schemas,
): Readonly<Record<string, JsonSchema>> => {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value ?? null).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      look(schemas.get(name))
    }
  }
  look(schema)
  return Object.fromEntries([...schemas].filter(([name]) => found.has(name)))
}
