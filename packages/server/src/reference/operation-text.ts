// What the reference says of one operation, beside its schemas: words and examples. A test holds every
// example against the schema of its operation.

/** JSON as it travels; for CSV and NDJSON the text. */
type Example = string | boolean | object

export interface OperationText {
  /** In the imperative, without a full stop: "Create a destination". */
  readonly summary: string
  /** Whole sentences, Markdown. */
  readonly description: string
  /** Left out where the body has no fields. By media type where it is not JSON. */
  readonly request?: Example
  /** By status. */
  readonly responses: Readonly<Record<number, Example>>
}

/** By `<group>.<endpoint>`. */
export type OperationTexts = Readonly<Record<string, OperationText>>
