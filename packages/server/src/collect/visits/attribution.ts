// Reads the origin of a visit from the page address and the script address: UTM values, click ids and custom
// attribution. Drops anything that looks like a secret, because storing a copy would make the leak worse (spec
// 6.5).
import { cleanText, isAtMost } from "./clean-text.ts"
import { isPlaceholder } from "./placeholder.ts"

export interface Utm {
  readonly source?: string
  readonly medium?: string
  readonly campaign?: string
  readonly term?: string
  readonly content?: string
}

/** Click ids by query parameter. */
export type ClickIds = Readonly<Record<string, string>>

export type CustomAttribution = Readonly<Record<string, string>>

export const utmLengthMax = 255
export const attributionKeysMax = 20
export const attributionValueLengthMax = 255
/** Longer click ids are dropped, because a truncated one identifies nothing. */
export const clickIdLengthMax = 512

/** Click ids that responses include, by parameter. */ // spec 2.2 and 6.5
export const exposedClickIds = [
  "gclid",
  "gbraid",
  "wbraid",
  "fbclid",
  "msclkid",
  "li_fat_id",
] as const
const storedClickIds = [
  ...exposedClickIds,
  "dclid",
  "ttclid",
  "twclid",
  "rdt_cid",
  "sccid",
  "epik",
] as const
const utmFields = ["source", "medium", "campaign", "term", "content"] as const

export const readUtm = (query: URLSearchParams): Utm => {
  const utm: { -readonly [Field in keyof Utm]: Utm[Field] } = {}
  for (const field of utmFields) {
    const value = cleanText(query.get(`utm_${field}`), utmLengthMax)
    if (value !== undefined && !isPrivate(value)) utm[field] = value
  }
  return utm
}

/** Names as links spell them by mistake: in upper case, or after an ampersand that was escaped twice. */
const misspelled = /^(?:amp;)+|[A-Z]/

/** The query with the names of campaign and click ids as they should be; a name that is right already counts. */
export const withUsualNames = (query: URLSearchParams): URLSearchParams => {
  const renamed = [...query].flatMap(([name, value]) => {
    const usual = misspelled.test(name) ? name.toLowerCase().replace(/^(?:amp;)+/, "") : name
    return usual !== name && isRead(usual) && !query.has(usual) ? [[usual, value] as const] : []
  })
  if (renamed.length === 0) return query
  const usual = new URLSearchParams(query)
  for (const [name, value] of renamed) if (!usual.has(name)) usual.append(name, value)
  return usual
}

const isRead = (name: string): boolean =>
  utmFields.some((field) => name === `utm_${field}`) || storedClickIds.some((id) => name === id)

export const readClickIds = (query: URLSearchParams): ClickIds => {
  const clickIds: Record<string, string> = {}
  for (const name of storedClickIds) {
    const value = cleanText(query.get(name), clickIdLengthMax + 1)
    if (value !== undefined && isAtMost(value, clickIdLengthMax) && !isPrivate(value))
      clickIds[name] = value
  }
  return clickIds
}

const keyForm = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/
const cacheKeys: ReadonlySet<string> = new Set(["v", "cb", "nocache"])
const secretKeys: ReadonlySet<string> = new Set([
  "key",
  "api_key",
  "apikey",
  "token",
  "secret",
  "password",
  "auth",
])
const secretValue = /^(?:sk_|eyJ[\w-]+\.[\w-]+\.[\w-]*$)/
/** A mail tool may put an address in its links, which would identify a visitor without their consent. */
const mailAddress = /\S@[^\s@]+\.\S/

const isPrivate = (value: string): boolean => secretValue.test(value) || mailAddress.test(value)

/** The custom attribute that holds an external id. It may lead to a person. */ // spec 6.7.3
export const externalIdKey = "external_id"

/** Returns the valid entries, at most 20, and silently drops the rest. */
export const readCustomAttribution = (entries: Readonly<Record<string, unknown>>) => {
  const kept: Array<readonly [string, string]> = []
  for (const [key, value] of Object.entries(entries)) {
    if (kept.length === attributionKeysMax) break
    // The script sends numbers and booleans unchanged.
    const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value
    if (typeof text === "string" && isValid(key, text)) kept.push([key, text])
  }
  return Object.fromEntries(kept) as CustomAttribution // fromEntries widens the keys
}

const isValid = (key: string, value: string): boolean =>
  keyForm.test(key) &&
  !cacheKeys.has(key) &&
  !key.startsWith("data-") &&
  !secretKeys.has(key.toLowerCase()) &&
  !(key === externalIdKey && isPlaceholder(value)) &&
  !secretValue.test(value.trim()) &&
  isAtMost(value, attributionValueLengthMax)
