// Something a verification found on a site: a code, a sentence for people, and values for programs (additive to
// spec 5.2). Findings never change the reason.
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

/** A `problem` keeps events from arriving; a `note` may explain other observations. */
const FindingSeverity = Schema.Literals(["problem", "note"])

export class Finding extends Schema.Opaque<Finding>()(
  Schema.Struct({
    code: FindingCode,
    severity: FindingSeverity,
    message: Schema.String,
    /** The subjects of the code: URLs, ids, a directive, names. */
    values: Schema.Array(Schema.String),
  }).annotate({ identifier: "PixelFinding" }),
) {}
