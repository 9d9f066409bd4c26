// The API operations that tools call, as the OpenAPI document describes them. `operations.json` holds the operations of
// tool-list.ts, written by the build (packages/server/scripts/write-agent-operations.ts).

/** The parts of a JSON Schema used here. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<string>
  readonly maximum?: number
  readonly minimum?: number
  readonly additionalProperties?: boolean | JsonSchema
  readonly $defs?: Readonly<Record<string, JsonSchema>>
}

export type Schemas = ReadonlyMap<string, JsonSchema>

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** With parameter names in braces. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** Whether it requires an API key, because an access token isn't enough. */
  readonly needsKey: boolean
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: JsonSchema
  }>
  readonly body: JsonSchema | null
  /** The bodies of its success responses. */
  readonly answers: ReadonlyArray<JsonSchema>
}

/** The format of `operations.json`. */
export interface Operations {
  readonly operations: Readonly<Record<string, Operation>>
  /** Schemas referenced as `#/$defs/…`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

/** Resolves a reference. Returns any other schema unchanged. */
export const resolved = (schema: JsonSchema, schemas: Schemas): JsonSchema =>
  schema.$ref === undefined ? schema : schemas.get(schema.$ref.slice("#/$defs/".length))!

/** The schemas that a schema references, directly or through others. */
export const namedBy = (
  schema: unknown,
  schemas: Schemas,
): Readonly<Record<string, JsonSchema>> => {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ""] of JSON.stringify(value ?? null).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(schemas.get(name))
    }
  }
  visit(schema)
  return Object.fromEntries([...schemas].filter(([name]) => found.has(name)))
}
