import { Schema } from "effect"

/** Fails an import before anything is imported. */
export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", {
  /** What was expected and what was received, for people to read. */
  message: Schema.String,
}) {}
