// The two forms a stream of records may have.
import { Schema } from "effect"

export const importFormats = ["csv", "ndjson"] as const
export type ImportFormat = (typeof importFormats)[number]

// An import that cannot begin: nothing of it was imported.

export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", {
  /** What was expected and what was received, for people. */
  message: Schema.String,
}) {}
