// What a preview reveals about people: enough to judge an audience, too little to contact anyone (spec 2.10).
import { Schema } from "effect"
import type { SampleRow } from "./store.ts"

/** Maximum people in a sample. */ // spec 10.3
export const sampleMax = 50

export const MaskedPerson = Schema.Struct({
  hem: Schema.String,
  intentScore: Schema.NullOr(Schema.Int),
  topicId: Schema.NullOr(Schema.Int),
  email: Schema.String,
  company: Schema.String,
  jobTitle: Schema.String,
  masked: Schema.Literal(true),
}).annotate({ identifier: "MaskedPerson" })

/** How an audience comes about: who is left after each part, and the scores to choose from. */
const Explanation = Schema.Struct({
  parts: Schema.Array(
    Schema.Struct({ part: Schema.String, count: Schema.Int }).annotate({
      identifier: "AudiencePart",
    }),
  ),
  scores: Schema.Array(
    Schema.Struct({ score: Schema.Int, people: Schema.Int }).annotate({
      identifier: "AudienceScoreCount",
    }),
  ),
}).annotate({ identifier: "AudienceExplanation" })

export const Preview = Schema.Struct({
  totalCount: Schema.Int,
  sample: Schema.Array(MaskedPerson),
  previewKey: Schema.String,
  dataDate: Schema.String,
  configHash: Schema.String,
  explanation: Schema.NullOr(Explanation),
  explanationTooSlow: Schema.Boolean,
}).annotate({ identifier: "AudiencePreviewResult" })

export type Preview = typeof Preview.Type

/** `topicIds`: in the order of a row's scores: ascending. */
export const maskedPerson = (
  { company, email, hem, jobTitle, score, scores }: SampleRow,
  topicIds: ReadonlyArray<number>,
): typeof MaskedPerson.Type => ({
  hem,
  intentScore: score,
  // Among topics with the highest score, the first, which has the lowest id.
  topicId: scores === null ? null : topicIds[scores.indexOf(score)]!,
  email: email === null ? "" : maskedEmail(email),
  company: company ?? "",
  jobTitle: jobTitle ?? "",
  masked: true,
})

/** `j***@acme.example`. */
const maskedEmail = (email: string): string =>
  `${String.fromCodePoint(email.codePointAt(0)!)}***${email.slice(email.lastIndexOf("@"))}`

// A preview's key: the same for the same configuration, data date and organization, and impossible to forge (spec
// 2.10).
const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
/** Characters after `pv_`; 130 bits. */
const length = 26

/**
 * *Requires*: at least 17 bytes of signature.
 */
export const previewKey = (signature: Uint8Array): string => {
  let key = "pv_"
  for (let place = 0; place < length; place++) {
    const bit = place * 5
    const pair = (signature[bit >> 3]! << 8) | signature[(bit >> 3) + 1]!
    key += alphabet[(pair >> (11 - (bit & 7))) & 31]!
  }
  return key
}
