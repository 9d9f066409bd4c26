// What an erasure did, without anything about the person (spec 2.26).
import { Schema } from "effect"

export const erasureOutcomes = ["pending", "deleted", "removed", "told", "kept", "failed"] as const

export class ErasureReceipt extends Schema.Opaque<ErasureReceipt>()(
  Schema.Struct({
    id: Schema.String,
    requestedAt: Schema.String,
    completedAt: Schema.NullOr(Schema.String),
    kinds: Schema.Array(Schema.Struct({ kind: Schema.String, count: Schema.Int })),
    destinations: Schema.Array(
      Schema.Struct({
        destinationId: Schema.String,
        name: Schema.String,
        outcome: Schema.Literals(erasureOutcomes),
        at: Schema.String,
      }),
    ),
  }).annotate({ identifier: "ErasureReceipt" }),
) {}

/** How many rows of a kind an erasure deletes. */
export interface KindCount {
  readonly kind: string
  readonly count: number
}
