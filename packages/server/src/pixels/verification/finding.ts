// One thing a verification found on a site, for people: what it is, in a sentence, and the values a
// program may want (additive to spec 5.2). Findings never change the reason.
import { Schema } from "effect"

export const FindingCode = Schema.Literals([
  "page_read",
  "page_unreadable",
  "page_of_other_host",
  "page_excluded",
  "tag_missing",
  "tag_inert",
  "tag_debug",
  "tag_crossorigin_missing",
  "tag_integrity_unpinned",
  "other_pixel",
  "csp_blocks_script",
  "csp_blocks_connect",
  "consent_denied",
  "consent_required",
  "consent_manager",
])
export type FindingCode = typeof FindingCode.Type

/** A `problem` keeps events back; a `note` may explain what is seen. */
const FindingSeverity = Schema.Literals(["problem", "note"])

export class Finding extends Schema.Opaque<Finding>()(
  Schema.Struct({
    code: FindingCode,
    severity: FindingSeverity,
    message: Schema.String,
    /** What the code is about: addresses, ids, a directive, names. */
    values: Schema.Array(Schema.String),
  }).annotate({ identifier: "PixelFinding" }),
) {}
