// A record in Footfall's terms: a person or a company, with what is known about them and the visit (spec 15.3.6, 15.3.7).
// A value that can't be read is absent; a record without an address and without a domain is rejected.
import { registrableDomain } from "@footfall/normal-form"
import { externalIdKey, readCustomAttribution } from "../visits/attribution.ts"
import { isObject, nameLengthMax } from "../visits/batch.ts"
import { cleanText } from "../visits/clean-text.ts"
import { readCountry } from "../visits/country.ts"
import { normalizeEmail, normalizeEmailHash } from "../visits/email-address.ts"
import { isFreeMail } from "../visits/free-mail.ts"
import { isPlaceholder } from "../visits/placeholder.ts"
import { revenueRangeOf } from "../visits/revenue-range.ts"
import { readDomain, readTraits, type Traits } from "../visits/traits.ts"
import { readMoment } from "../sources/moment.ts"
import { customKeyOf, type Found, type RecordKind } from "./mapping.ts"

export interface InboundRecord {
  readonly kind: RecordKind
  readonly email?: string
  readonly emailHash?: string
  readonly traits: Traits
  /** Registrable. */
  readonly companyDomain?: string
  readonly url?: string
  readonly referrer?: string
  /** Epoch milliseconds; absent means at receipt. */
  readonly at?: number
  readonly eventName?: string
  /** The vendor's id. */
  readonly id?: string
}

/** Why a record can't be used: a code and words for people. */
export class RecordRejected {
  readonly reason: string
  readonly message: string

  constructor(reason: string, message: string) {
    this.reason = reason
    this.message = message
  }
}

/** The largest number that the column holds. */
const employeesMax = 2_147_483_647
const textLengthMax = 255
/** A URL of any length is read, but the field has the size of the body. */
const urlLengthMax = 8_192
const idLengthMax = 512

export const readRecord = (
  record: unknown,
  found: Found,
  kind: RecordKind,
): InboundRecord | RecordRejected => {
  if (!isObject(record)) return new RecordRejected("not_an_object", "Expected an object.")
  const text = (name: string) => textOf(found.get(name))
  const given = text("email")
  const email = kind === "person" && given !== undefined ? normalizeEmail(given) : undefined
  const hash = text("emailHash")
  const emailHash =
    kind === "person" && email === undefined && hash !== undefined
      ? normalizeEmailHash(hash)
      : undefined
  const companyDomain = domainOf(text("companyDomain")) ?? domainOf(text("website"))
  const isPerson = email !== undefined || emailHash !== undefined
  if (!isPerson && companyDomain === undefined) return nothingIn(found, given)
  const company = companyTraits(found, companyDomain)
  const id = idOf(found.get("id"))
  const url = cleanText(text("url"), urlLengthMax)
  const referrer = cleanText(text("referrer"), urlLengthMax)
  const at = readAt(found.get("at"))
  const eventName = cleanText(text("eventName"), nameLengthMax)
  return {
    kind: isPerson ? "person" : "company",
    ...(email === undefined ? {} : { email }),
    ...(emailHash === undefined ? {} : { emailHash }),
    traits: isPerson ? { ...personTraits(found), ...company } : company,
    ...(companyDomain === undefined ? {} : { companyDomain }),
    ...(url === undefined ? {} : { url }),
    ...(referrer === undefined ? {} : { referrer }),
    ...(at === undefined ? {} : { at }),
    ...(eventName === undefined ? {} : { eventName }),
    ...(id === undefined ? {} : { id }),
  }
}

const nothingIn = (found: Found, email: string | undefined): RecordRejected => {
  if (found.size === 0) {
    return new RecordRejected("nothing_found", "The mapping found no field in the record.")
  }
  return new RecordRejected(
    "no_identity",
    email === undefined
      ? "Expected an email address, or the domain or website of a company. The record has neither."
      : "Expected an email address, or the domain or website of a company. The text of the email field is no address.",
  )
}

const personTraits = (found: Found): Traits => {
  const text = (name: string) => textOf(found.get(name))
  const [first, ...rest] = (cleanText(text("fullName"), textLengthMax) ?? "").split(/\s+/)
  const hasName = text("firstName") !== undefined || text("lastName") !== undefined
  const read = readTraits({
    firstName: hasName ? text("firstName") : first,
    lastName: hasName ? text("lastName") : rest.join(" "),
    jobTitle: text("jobTitle"),
    phone: text("phone"),
  })
  const linkedinUrl = linkedinUrlOf(text("linkedinUrl"))
  const custom = customOf(found)
  return {
    ...read,
    ...(linkedinUrl === undefined ? {} : { linkedinUrl }),
    ...(Object.keys(custom).length === 0 ? {} : { custom }),
  }
}

const companyTraits = (found: Found, companyDomain: string | undefined): Traits => {
  const text = (name: string) => cleanText(textOf(found.get(name)), textLengthMax)
  const employeeCount = employeeCountOf(found.get("employeeCount"))
  const revenueRange = revenueRangeOf(found.get("revenue"))
  const entries = {
    companyName: text("companyName"),
    companyDomain,
    industry: text("industry")?.toLowerCase(),
    employeeCount,
    revenueRange,
    city: text("city"),
    state: text("state"),
    zipCode: text("zipCode"),
    country: countryOf(text("country")),
  }
  return Object.fromEntries(
    Object.entries(entries).filter(([, value]) => value !== undefined),
  ) as Traits // the values are those of the fields
}

/** Numbers count as texts, because vendors send postal codes and ids as either. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return typeof value === "number" && Number.isFinite(value) ? String(value) : undefined
}

const idOf = (value: unknown): string | undefined => {
  const id = textOf(value)?.trim()
  return id === undefined || id === "" || id.length > idLengthMax || isPlaceholder(id)
    ? undefined
    : id
}

/** The registrable domain of a host or URL. A mail provider's is no company's. */
const domainOf = (text: string | undefined): string | undefined => {
  if (text === undefined || text.length > urlLengthMax) return undefined
  const host = readDomain(text.trim())
  const domain = host === undefined ? undefined : registrableDomain(host)
  return domain === undefined || isFreeMail(domain) ? undefined : domain
}

const linkedinUrlOf = (text: string | undefined): string | undefined => {
  if (text === undefined || text.length > textLengthMax) return undefined
  const trimmed = text.trim()
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (url === null || !/(?:^|\.)linkedin\.com$/.test(url.hostname)) return undefined
  return `https://${url.hostname}${url.pathname.replace(/(?<!\/)\/+$/, "")}`
}

/** A number, or the lower end of a range such as `51-200`, `1,001-5,000`, `10000+` or `1K-5K`. */
const employeeCountOf = (value: unknown): number | undefined => {
  const count = typeof value === "number" ? Math.floor(value) : countIn(value)
  return count !== undefined && count >= 0 && count <= employeesMax ? count : undefined
}

const countIn = (text: unknown): number | undefined => {
  if (typeof text !== "string" || text.length > textLengthMax || /^\s*-/.test(text))
    return undefined
  const [, thousands] = /^\D*(\d{1,4}(?:[.,]\d{1,2})?) ?k\b/i.exec(text) ?? []
  if (thousands !== undefined) return Math.round(Number(thousands.replace(",", ".")) * 1_000)
  const [digits] = /\d{1,3}(?:[,.']\d{3})+(?!\d)|\d+/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits.replaceAll(/[,.']/g, ""))
}

const customOf = (found: Found) => {
  const entries = [...found].flatMap(([field, value]) => {
    const key = customKeyOf(field)
    // An id of your own leads to a person, and a vendor joins no one.
    if (key === undefined || key === externalIdKey) return []
    const text = typeof value === "object" ? undefined : cleanText(String(value), textLengthMax)
    return text === undefined ? [] : [[key, text] as const]
  })
  return readCustomAttribution(Object.fromEntries(entries))
}

const regions = new Intl.DisplayNames("en", { type: "region" })
/** Countries by their English name in lower case. */
const countries: ReadonlyMap<string, string> = new Map(
  alphabet().flatMap((code) => {
    const name = readCountry(code) === undefined ? code : (regions.of(code) ?? code)
    return name === code ? [] : [[name.toLowerCase(), code] as const]
  }),
)

/** Every pair of letters. */
function alphabet(): ReadonlyArray<string> {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
  return letters.flatMap((one) => letters.map((other) => one + other))
}

const countryOf = (text: string | undefined): string | undefined =>
  text === undefined
    ? undefined
    : text.length === 2
      ? readCountry(text.toUpperCase())
      : countries.get(text.toLowerCase())

/** RB2B writes `2024-01-01T12:34:56:00.00+00.00`. */
const oddTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?::\d\d)?(?:\.\d{1,9})?(Z|[+-]\d\d[.:]?\d\d)?$/i
const timeLengthMax = 64

const readAt = (value: unknown): number | undefined => {
  const known = readMoment(value)
  if (known !== undefined || typeof value !== "string" || value.length > timeLengthMax) return known
  const [, time, zone = "Z"] = oddTime.exec(value.trim()) ?? []
  return time === undefined ? undefined : readMoment(`${time}${zone.replace(".", ":")}`)
}
