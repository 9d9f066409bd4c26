// Why a destination is not made, found or changed.
import { Schema } from "effect"

/** The audience, or the destination of it, is not there. */
export class DestinationNotFound extends Schema.TaggedError<DestinationNotFound>()(
  "DestinationNotFound",
  {},
) {}

/** Fields that do not belong to the kind, or are missing in it. */
export class FieldsInvalid extends Schema.TaggedError<FieldsInvalid>()("FieldsInvalid", {
  issues: Schema.Array(
    Schema.Struct({ path: Schema.String, code: Schema.String, message: Schema.String }),
  ),
}) {}

export class TooManyDestinations extends Schema.TaggedError<TooManyDestinations>()(
  "TooManyDestinations",
  { limit: Schema.Int },
) {}

/** The automation kind signs nothing. */
export class NoSecret extends Schema.TaggedError<NoSecret>()("NoSecret", {}) {}
