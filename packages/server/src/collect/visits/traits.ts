// A site's data about the person it identifies. Traits fill empty profile fields and never replace an imported
// value (spec 6.7). An invalid trait is dropped; the event is kept.
import { hiddenCharacter } from "@footfall/normal-form"
import { readCustomAttribution, type CustomAttribution } from "./attribution.ts"
import { cleanText } from "./clean-text.ts"
import { plainHost } from "./host.ts"

export interface Traits {
  readonly firstName?: string
  readonly lastName?: string
  readonly jobTitle?: string
  readonly companyName?: string
  readonly companyDomain?: string
  /** From a source, in lower case. */ // spec 15.2.6
  readonly industry?: string
  /** From a source. */
  readonly employeeCount?: number
  /** E.164. */
  readonly phone?: string
  /** From a vendor, as the next ones are. */ // spec 15.3
  readonly linkedinUrl?: string
  /** A range, such as `10 million to 25 million`. */ // spec 2.9
  readonly revenueRange?: string
  readonly city?: string
  readonly state?: string
  readonly zipCode?: string
  /** ISO 3166-1 alpha-2. */
  readonly country?: string
  /** Merged into the custom attribution. */
  readonly custom?: CustomAttribution
}

/** In code points. The specification has no limit. */
export const traitLengthMax = 255

const texts = ["firstName", "lastName", "jobTitle"] as const

/** Own keys: the names are ours. `company` is the company's name, or an object with `name`, `domain` or `website`. */
export const readTraits = (value: Readonly<Record<string, unknown>>): Traits => {
  const traits: { -readonly [Name in keyof Traits]: Traits[Name] } = {}
  for (const name of texts) {
    const text = readText(value[name])
    if (text !== undefined) traits[name] = text
  }
  const { company } = value
  const employer = isRecord(company) ? company : { name: company }
  const companyName = firstText(value["companyName"], employer["name"])
  if (companyName !== undefined) traits.companyName = companyName
  const companyDomain = readDomain(
    firstText(value["companyDomain"], employer["domain"], employer["website"]),
  )
  if (companyDomain !== undefined) traits.companyDomain = companyDomain
  const phone = readText(value["phone"])?.replaceAll(/[\s().-]/g, "")
  if (phone !== undefined && /^\+[1-9]\d{6,14}$/.test(phone)) traits.phone = phone
  const custom = value["custom"]
  if (isRecord(custom)) traits.custom = readCustomAttribution({ ...custom })
  return traits
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The first value that is a text with content, because clients send an empty text for what they don't know. */
export const firstText = (...values: ReadonlyArray<unknown>): string | undefined => {
  for (const value of values) {
    const text = readText(value)
    if (text !== undefined) return text
  }
  return undefined
}

const readText = (value: unknown): string | undefined =>
  typeof value === "string" ? cleanText(value, traitLengthMax) : undefined

export const readDomain = (text: string | undefined): string | undefined => {
  if (text === undefined || hiddenCharacter(text) !== undefined) return undefined
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  const host = url === null ? "" : plainHost(url.hostname)
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) && !/\.\d+$/.test(host) ? host : undefined
}
