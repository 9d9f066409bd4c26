// Parses a resolver's answer without trusting it: each value must have the form an import requires, and anything
// else is dropped.
import { Refused } from "../../imports/field.ts"
import { companyFields } from "../../person/person-fields.ts"
import {
  emailHashOf,
  normalizeEmail,
  normalizeEmailHash,
} from "../../../collect/visits/email-address.ts"
import { readTraits, type Traits } from "../../../collect/visits/traits.ts"
import type { NetworkCompany } from "../../../collect/visits/network-companies.ts"
import { companyKeyOf, type Profile } from "../profile.ts"

export interface ReadPerson {
  readonly email: string | null
  readonly emailHash: string
  readonly traits: Traits
}

export interface ReadAnswer {
  readonly person: ReadPerson | undefined
  /** Empty if there is no company. */
  readonly company: Profile
}

/** Undefined if nothing in it is usable. */
export const readAnswer = (answer: unknown): ReadAnswer | undefined => {
  if (!isObject(answer)) return undefined
  const person = isObject(answer["person"]) ? readPerson(answer["person"]) : undefined
  const company = isObject(answer["company"]) ? readCompany(answer["company"]) : {}
  return person === undefined && Object.keys(company).length === 0 ? undefined : { person, company }
}

const readPerson = (person: JsonObject): ReadPerson | undefined => {
  const { email: given, emailHash: digest } = person
  const traits = readTraits(person)
  const email = typeof given === "string" ? normalizeEmail(given) : undefined
  if (email !== undefined) return { email, emailHash: emailHashOf(email), traits }
  const emailHash = typeof digest === "string" ? normalizeEmailHash(digest) : undefined
  return emailHash === undefined ? undefined : { email: null, emailHash, traits }
}

/** Returns the values by column of a person. */
export const readCompany = (company: JsonObject): Profile =>
  Object.fromEntries(
    companyFields.flatMap(({ column, path, read }) => {
      // own keys: `companyFields` names them
      const value = company[path.slice("company.".length)]
      const stored = value === undefined || value === null ? undefined : read(value)
      return stored === undefined || stored instanceof Refused ? [] : [[column, stored]]
    }),
  )

/** Returns the form that an event's network uses; undefined without a domain, because then there is no company. */
export const networkOf = (company: Profile): NetworkCompany | undefined => {
  const domain = companyKeyOf(company)
  if (domain === null) return undefined
  const values = new Map(Object.entries(company))
  const fields = companyFields.flatMap(({ column, path }) => {
    const value = values.get(column)
    return value === null || value === undefined ? [] : [[path.slice("company.".length), value]]
  })
  return { ...Object.fromEntries(fields), domain }
}

type JsonObject = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
