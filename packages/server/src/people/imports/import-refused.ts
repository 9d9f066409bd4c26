import { Schema } from "effect"

/** Ends an import because of what the stream contains. */
export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", {
  /** What was expected and what was received, for people to read. */
  message: Schema.String,
  /** Default: VALIDATION_ERROR. */
  code: Schema.optionalKey(Schema.Literals(["COLUMN_UNKNOWN", "NOT_FOUND", "PAYLOAD_TOO_LARGE"])),
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
}) {}
