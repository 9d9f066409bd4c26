// Why an import rejected a row. The other rows are not affected. Source: spec 5.14.

export const rejectionReasons = [
  "not_an_object",
  "unreadable_row",
  "row_too_long",
  "missing_field",
  "unknown_field",
  "invalid_type",
  "invalid_value",
  "value_too_long",
  "out_of_range",
  "unknown_topic",
  "hash_mismatch",
  "erased",
] as const

export type RejectionReason = (typeof rejectionReasons)[number]

export class Rejection {
  readonly reason: RejectionReason
  /** Path of the field; null if the whole row is meant. */
  readonly field: string | null
  /** Set if the reason alone is not enough: names the invisible character. */
  readonly message: string | undefined

  constructor(reason: RejectionReason, field: string | null = null, message?: string) {
    this.reason = reason
    this.field = field
    this.message = message
  }
}
