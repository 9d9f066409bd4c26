// The normal form of a suppression rule, and why a row is invalid (spec 2.6). The server stores only this form. The CLI
// and the SDK use the same check before they send.
import { getPublicSuffix } from "tldts"
import { isPlainDomain, normalizeDomain } from "./domain.ts"
import { normalizeEmail } from "./email.ts"
import { hiddenCharacter } from "./hidden-character.ts"

export const ruleTypes = ["email", "domain", "company_domain", "industry"] as const
export type RuleType = (typeof ruleTypes)[number]

/** In order of the checks. The first that applies is reported. */
export const ruleRejections = [
  "not_an_object",
  "invalid_type",
  "type_not_in_types",
  "empty_value",
  "value_too_long",
  "invalid_email",
  "invalid_domain",
  "invalid_industry",
  "public_suffix",
] as const
export type RuleRejection = (typeof ruleRejections)[number]

export interface NormalRule {
  readonly type: RuleType
  readonly value: string
}

/** In Unicode code points, after normalization. spec 2.6. */
const valueLengthMax: Readonly<Record<RuleType, number>> = {
  email: 320,
  domain: 253,
  company_domain: 253,
  industry: 255,
}

/**
 * The rule of a row, or the reason why it's invalid. `types`: the types that a replacement is limited to; all if
 * absent.
 *
 * *Guarantee*: normalizing a normalized rule changes nothing. Other properties of a row are ignored.
 */
export const normalizeRule = (
  row: unknown,
  types?: ReadonlyArray<RuleType>,
): NormalRule | RuleRejection => {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return "not_an_object"
  const { type, value }: { readonly type?: unknown; readonly value?: unknown } = row
  if (!isRuleType(type)) return "invalid_type"
  if (types !== undefined && !types.includes(type)) return "type_not_in_types"
  if (typeof value !== "string") return "empty_value"
  const text = value.trim()
  if (text === "") return "empty_value"
  return normalize[type](text, type)
}

/** Names the character that makes the value invalid if it's invisible. Otherwise it's just the reason. */
export const rejectionMessage = (value: string, reason: string): string | undefined => {
  const isOfCharacters = ["invalid_email", "invalid_domain", "invalid_industry"].includes(reason)
  const hidden = isOfCharacters ? hiddenCharacter(value.trim()) : undefined
  return hidden === undefined ? undefined : `Expected no invisible character, received ${hidden}.`
}

const isRuleType = (type: unknown): type is RuleType => ruleTypes.some((known) => known === type)

const isTooLong = (text: string, type: RuleType): boolean =>
  text.length > 2 * valueLengthMax[type] ||
  (text.length > valueLengthMax[type] && [...text].length > valueLengthMax[type])

const normalizeEmailRule = (text: string, type: RuleType): NormalRule | RuleRejection => {
  if (isTooLong(text, type)) return "value_too_long"
  const value = normalizeEmail(text, Number.POSITIVE_INFINITY)
  if (value === undefined) return "invalid_email"
  return isTooLong(value, type) ? "value_too_long" : { type, value }
}

const normalizeIndustryRule = (text: string, type: RuleType): NormalRule | RuleRejection => {
  const value = text.toLowerCase().trim()
  if (isTooLong(value, type)) return "value_too_long"
  return hiddenCharacter(value) === undefined ? { type, value } : "invalid_industry"
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i

/** A URL may contain credentials. Without a scheme, an `@` makes it an email address. */
const normalizeDomainRule = (text: string, type: RuleType): NormalRule | RuleRejection => {
  if (text.length <= valueLengthMax[type] && isPlainDomain(text)) return domainRule(text, type)
  const host = text.replace(scheme, "").replace(/[/?#\\].*$/s, "")
  if (host === "") return "empty_value"
  const isEmail = host.includes("@") && !scheme.test(text)
  const value = isEmail ? undefined : normalizeDomain(text, Number.POSITIVE_INFINITY)
  if (isTooLong(value ?? host, type)) return "value_too_long"
  if (value === undefined || value === "localhost") return "invalid_domain"
  return domainRule(value, type)
}

/** `value`: in normal form. */
const domainRule = (value: string, type: RuleType): NormalRule | RuleRejection =>
  getPublicSuffix(value, suffixOptions) === value ? "public_suffix" : { type, value }

/**
 * Only the ICANN section of the list counts. There, an unlisted name of two or more labels is never a suffix. A domain
 * in normal form is a valid host name and needs no further checks.
 */
const suffixOptions = {
  allowPrivateDomains: false,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
}

const normalize: Readonly<
  Record<RuleType, (text: string, type: RuleType) => NormalRule | RuleRejection>
> = {
  email: normalizeEmailRule,
  domain: normalizeDomainRule,
  company_domain: normalizeDomainRule,
  industry: normalizeIndustryRule,
}
