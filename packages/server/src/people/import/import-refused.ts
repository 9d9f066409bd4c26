// An import that cannot begin: nothing of it was imported.
import { Schema } from "effect"

export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", {
  /** What was expected and what was received, for people. */
  message: Schema.String,
}) {}
