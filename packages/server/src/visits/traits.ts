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
  /** Merged into the custom attribution. */
  readonly custom?: CustomAttribution
}

/** In code points. The specification has no limit. */
export const traitLengthMax = 255

const texts = ["firstName", "lastName", "jobTitle", "companyName"] as const

export const readTraits = (value: Readonly<Record<string, unknown>>): Traits => {
  const traits: { -readonly [Name in keyof Traits]: Traits[Name] } = {}
  for (const name of texts) {
    const text = readText(value[name])
    if (text !== undefined) traits[name] = text
  }
  const companyDomain = readDomain(readText(value["companyDomain"]))
  if (companyDomain !== undefined) traits.companyDomain = companyDomain
  const phone = readText(value["phone"])?.replaceAll(/[\s().-]/g, "")
  if (phone !== undefined && /^\+[1-9]\d{6,14}$/.test(phone)) traits.phone = phone
  const custom = value["custom"]
  if (typeof custom === "object" && custom !== null && !Array.isArray(custom)) {
    traits.custom = readCustomAttribution({ ...custom })
  }
  return traits
}

const readText = (value: unknown): string | undefined =>
  typeof value === "string" ? cleanText(value, traitLengthMax) : undefined

export const readDomain = (text: string | undefined): string | undefined => {
  if (text === undefined || hiddenCharacter(text) !== undefined) return undefined
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  const host = url === null ? "" : plainHost(url.hostname)
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) && !/\.\d+$/.test(host) ? host : undefined
}
