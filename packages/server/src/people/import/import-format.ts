import { Schema } from "effect"

export const importFormats = ["csv", "ndjson"] as const
export type ImportFormat = (typeof importFormats)[number]

// Fails an import before anything is imported.

export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", {
  /** What was expected and what was received, for people to read. */
  message: Schema.String,
}) {}
