// Unwraps what mail programs and spreadsheets write around an address or a host name: `Jane <jane@acme.example>`,
// `mailto:`, `="acme.example"`, straight and curly quotes. Linear in the length.

import {
  normalizeRule,
  type NormalRule,
  type RuleRejection,
  type RuleType,
} from "../suppression-rule.ts"

/** Like `normalizeRule`. A value that is invalid as written is read without its wrapping. */
export const ruleAsWritten = (
  row: { readonly type: string; readonly value: string },
  types?: ReadonlyArray<RuleType>,
): NormalRule | RuleRejection => {
  // A curly quote is a letter of an international host name to the parser.
  const first = row.value.charCodeAt(0)
  const isQuoted = first > 0x7f && curly.has(first) && row.type !== "industry"
  const rule = isQuoted ? "invalid_domain" : normalizeRule(row, types)
  // Most rows are valid, so they never get here.
  if (typeof rule !== "string" || !isOfWrapping(rule, row.type)) return rule
  const value = unwrapped(row.value, row.type)
  const inner = normalizeRule({ type: row.type, value }, types)
  return typeof inner === "string" && !isQuoted ? rule : inner
}

/** An industry may contain any of it. A host name that begins with slashes counts as empty. */
const isOfWrapping = (reason: RuleRejection, type: string): boolean =>
  reason === "invalid_email" ||
  reason === "invalid_domain" ||
  (reason === "empty_value" && type !== "industry")

/** The address or the host name inside a cell; the trimmed text if nothing is around it. */
const unwrapped = (text: string, type: string): string => {
  let value = unquoted(text.trim())
  const open = value.endsWith(">") ? value.lastIndexOf("<") : -1
  const inner = open < 0 ? "" : unquoted(value.slice(open + 1, -1).trim())
  if (open >= 0 && isName(unquoted(value.slice(0, open).trim()), inner)) value = inner
  if (type === "email")
    return /^mailto:/i.test(value) ? value.slice(7).replace(/\?.*$/s, "") : value
  // `@acme.example` means everyone at that domain.
  return value.replace(/^(?:\/\/|@(?=[^@]*$))/, "")
}

/** Whether the text before an address is its owner's name, which may be the same address, and no other address. */
const isName = (text: string, address: string): boolean =>
  !/[<>@]/.test(text) || text.toLowerCase() === address.toLowerCase()

const unquoted = (text: string): string => {
  const value = text.startsWith('="') ? text.slice(1) : text
  return value.length > 1 && opening.has(value[0]!) && closing.has(value.at(-1)!)
    ? value.slice(1, -1).trim()
    : value
}

const opening = new Set(`"'\`‘‚‛“„‟«‹`)
const curly = new Set([..."‘‚‛“„‟«‹"].map((each) => each.charCodeAt(0)))
const closing = new Set(`"'\`´’‘”“»›`)

/** Says what a rejected address looks like; undefined if it looks like nothing in particular. `isOfList`: for a list. */
export const adviceFor = (value: string, reason: string, isOfList = false): string | undefined => {
  if (reason !== "invalid_email") return undefined
  const text = value.trim()
  if (isHash(text)) {
    return isOfList
      ? "This looks like a hash, but not SHA-256. Lists take an address or its SHA-256."
      : "This looks like a hash. Rules need the address itself."
  }
  return isSeveral(text) ? "This looks like several addresses. Write one per row." : undefined
}

/** A digest of MD5, SHA-1 or SHA-256, as advertising platforms take them. */
export const isHash = (text: string): boolean =>
  /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)

const isSeveral = (text: string): boolean =>
  text.length < 1_000 && text.split(/[\s,;|/]+/).filter(isAddress).length > 1

const isAddress = (value: string): boolean =>
  typeof ruleAsWritten({ type: "email", value }) !== "string"
