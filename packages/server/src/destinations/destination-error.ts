// Why a destination can't be created, found or changed.
import { Schema } from "effect"

/** The audience or its destination does not exist. */
export class DestinationNotFound extends Schema.TaggedError<DestinationNotFound>()(
  "DestinationNotFound",
  {},
) {}

/** Fields that the type does not have, or required fields that are missing. */
export class FieldsInvalid extends Schema.TaggedError<FieldsInvalid>()("FieldsInvalid", {
  issues: Schema.Array(
    Schema.Struct({ path: Schema.String, code: Schema.String, message: Schema.String }),
  ),
}) {}

export class TooManyDestinations extends Schema.TaggedError<TooManyDestinations>()(
  "TooManyDestinations",
  { limit: Schema.Int },
) {}

/** The automation type signs nothing. */
export class NoSecret extends Schema.TaggedError<NoSecret>()("NoSecret", {}) {}
