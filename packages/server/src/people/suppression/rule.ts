// A suppression rule, and the result of a bulk write (spec 2.6). packages/normal-form defines a row's normal form.
import {
  type NormalRule,
  rejectionMessage,
  type RuleType,
  ruleRejections,
  ruleTypes,
} from "@footfall/normal-form"
import { Schema } from "effect"
import { hash } from "node:crypto"
import { spellingsOf } from "../../collect/visits/host.ts"

/** Maximum rules in a POST or PUT, and elements in a DELETE. */ // spec 10.3
export const rulesPerRequestMax = 25_000
/** Maximum rejected rows listed individually. */ // spec 2.6.12
export const rejectedRowsMax = 100
/** Characters of a note. */ // spec 2.6.15
export const noteLengthMax = 500
/** Code points of a rejected value that are returned. spec 2.6. */
const rejectedValueLengthMax = 512

export const RuleTypeSchema = Schema.Literals(ruleTypes)

export const RuleOrigin = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["member", "import", "source"]),
  name: Schema.NullOr(Schema.String),
  member: Schema.NullOr(Schema.String),
})

export class SuppressionRule extends Schema.Opaque<SuppressionRule>()(
  Schema.Struct({
    id: Schema.String,
    type: RuleTypeSchema,
    value: Schema.String,
    createdAt: Schema.String,
    origin: Schema.NullOr(RuleOrigin),
    note: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "SuppressionRule" }),
) {}

export class RejectedRule extends Schema.Opaque<RejectedRule>()(
  Schema.Struct({
    /** Position in the submitted array. */
    index: Schema.Int,
    type: Schema.NullOr(Schema.String),
    value: Schema.NullOr(Schema.String),
    reason: Schema.Literals(ruleRejections),
    /** Set when the reason alone is not enough: which invisible character was found. */
    message: Schema.optionalKey(Schema.String),
  }).annotate({ identifier: "RejectedRule" }),
) {}

/** Number of rules per type. */
export const RuleCounts = Schema.Struct({
  email: Schema.Int,
  domain: Schema.Int,
  company_domain: Schema.Int,
  industry: Schema.Int,
})
export type RuleCounts = typeof RuleCounts.Type

export const totalOf = ({ company_domain, domain, email, industry }: RuleCounts): number =>
  email + domain + company_domain + industry

export interface RuleKeys {
  /** Key of the ASCII form, which also decides whether two rules are the same. */
  readonly matchKey: string
  /** Key of a domain's other spelling, which people may have been imported or hashed with; null without one. */
  readonly alsoKey: string | null
}

/** The keys that people are compared by. Addresses use their hash, because some are known by hash only. */
export const ruleKeys = ({ type, value }: NormalRule): RuleKeys => {
  if (type === "industry") return { matchKey: value, alsoKey: null }
  const at = value.lastIndexOf("@") + 1
  const { ascii, unicode } = spellingsOf(value.slice(at))
  const key = (domain: string) =>
    type === "email" ? hash("sha256", value.slice(0, at) + domain) : domain
  return { matchKey: key(ascii), alsoKey: unicode === ascii ? null : key(unicode) }
}

/** Part of an address or a domain as it is stored, if it contains whole labels of the domain. */
export const storedText = (text: string): string => {
  const at = text.lastIndexOf("@") + 1
  return text.slice(0, at).normalize("NFC") + spellingsOf(text.slice(at)).ascii
}

/** A rejected row as returned to the client, cut to a useful length. */
export const rejectedRule = (
  index: number,
  row: unknown,
  reason: RejectedRule["reason"],
): RejectedRule => {
  const { type, value }: { readonly type?: unknown; readonly value?: unknown } =
    typeof row === "object" && row !== null ? row : {}
  const message = typeof value === "string" ? rejectionMessage(value, reason) : undefined
  return {
    index,
    type: textOf(type),
    value: textOf(value),
    reason,
    ...(message === undefined ? {} : { message }),
  }
}

const textOf = (value: unknown): string | null => {
  if (typeof value !== "string") return null
  return value.length <= rejectedValueLengthMax
    ? value
    : Array.from(value.slice(0, 2 * rejectedValueLengthMax))
        .slice(0, rejectedValueLengthMax)
        .join("")
}

export { ruleTypes }
export type { NormalRule, RuleType }
