// What the reference says about operations and fields besides their schemas: texts and examples. A test validates every
// example against the operation's schema.

/** JSON as sent; for CSV and NDJSON, the text. */
type Example = string | boolean | object

export interface OperationText {
  /** Imperative, without a period: "Create a destination". */
  readonly summary: string
  /** Full sentences, in Markdown. */
  readonly description: string
  /** Omitted if the body has no fields; by media type if it is not JSON. */
  readonly request?: Example
  /** Why the operation in particular answers with an error: by status, the end of a sentence. */
  readonly errors?: Readonly<Record<number, string>>
  /** By status. */
  readonly responses: Readonly<Record<number, Example>>
}

/** By `<group>.<endpoint>`. */
export type OperationTexts = Readonly<Record<string, OperationText>>

/**
 * By the name of the schema, then by the path of the field: `stats.lastErrorAt`. The items of a list have the path of the
 * list. `*` is any name. `""` is the schema itself.
 */
export type FieldTexts = Readonly<Record<string, Readonly<Record<string, string>>>>
