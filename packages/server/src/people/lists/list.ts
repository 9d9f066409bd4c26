// A list: domains of companies or addresses of people that a team has put together (spec 2.22). Rules test whether
// someone is in it.
import { registrableDomain, rejectionMessage } from "@footfall/normal-form"
import { ruleAsWritten } from "@footfall/normal-form/reading"
import { Schema } from "effect"
import { emailHashOf, normalizeEmailHash } from "../../collect/visits/email-address.ts"

/** Maximum lists of an organization. */ // spec 10.3
export const listsMax = 100
/** Maximum values of a list. */ // spec 10.3
export const valuesMax = 1_000_000
/** Maximum values in a request. */ // spec 10.3
export const valuesPerRequestMax = 25_000
/** Maximum rejected values listed individually. */ // spec 10.3
const rejectedMax = 100
/** Code points of a rejected value that are returned. */
const rejectedLengthMax = 512

export const ListSubject = Schema.Literals(["companies", "people"])
export type ListSubject = typeof ListSubject.Type

/** Why a value is rejected, in order of the checks. `erased`: the organization erased this person. */
export const valueRejections = [
  "not_a_text",
  "empty_value",
  "value_too_long",
  "invalid_email",
  "invalid_domain",
  "public_suffix",
  "erased",
] as const
type ValueRejection = (typeof valueRejections)[number]

/** A value as it is stored. */
export interface Member {
  /** What visitors are compared by: a registrable domain, or the SHA-256 of an address. */
  readonly key: string
  readonly value: string
}

export interface RejectedValue {
  /** Position in the submitted array. */
  readonly index: number
  /** Null if it is not a text. */
  readonly value: string | null
  readonly reason: ValueRejection
  /** Set if the reason alone is not enough: which invisible character was found. */
  readonly message?: string
}

export interface Submission {
  /** Each distinct member, in order of first appearance, with its position in the array. */
  readonly members: ReadonlyArray<Member & { readonly index: number }>
  /** Values that repeat a member of the same request. */
  readonly repeated: number
  readonly rejectedCount: number
  /** The first 100. */
  readonly rejected: ReadonlyArray<RejectedValue>
}

/** Reads the values of a request. An invalid value never rejects the others. */
export const readValues = (subject: ListSubject, values: ReadonlyArray<unknown>): Submission => {
  const members = new Map<string, Member & { readonly index: number }>()
  const rejected: Array<RejectedValue> = []
  let rejectedCount = 0
  for (const [index, value] of values.entries()) {
    const member = readValue(subject, value)
    if (typeof member === "string") {
      rejectedCount++
      if (rejected.length < rejectedMax) rejected.push(rejectedValue(index, value, member))
    } else if (!members.has(member.key)) members.set(member.key, { ...member, index })
  }
  const repeated = values.length - rejectedCount - members.size
  return { members: [...members.values()], repeated, rejectedCount, rejected }
}

/** The submission without the members of these keys, which belong to people whom the organization erased. */
export const withoutErased = (
  { members, rejected, rejectedCount, repeated }: Submission,
  erased: ReadonlySet<string>,
): Submission => {
  const gone = members.filter(({ key }) => erased.has(key))
  const all = gone.map(({ index, value }) => rejectedValue(index, value, "erased"))
  return {
    members: members.filter(({ key }) => !erased.has(key)),
    repeated,
    rejectedCount: rejectedCount + gone.length,
    rejected: [...rejected, ...all]
      .toSorted((one, other) => one.index - other.index)
      .slice(0, rejectedMax),
  }
}

/** A value as it is stored, or why it is invalid. */
export const readValue = (subject: ListSubject, value: unknown): Member | ValueRejection => {
  if (typeof value !== "string") return "not_a_text"
  return subject === "people" ? readAddress(value) : readDomain(value)
}

const readAddress = (text: string): Member | ValueRejection => {
  const digest = normalizeEmailHash(text)
  if (digest !== undefined) return { key: digest, value: digest }
  const rule = ruleAsWritten({ type: "email", value: text })
  if (typeof rule === "string") return rule as ValueRejection // A text of type `email` has no other reasons.
  return { key: emailHashOf(rule.value), value: rule.value }
}

/** Any name below a registrable domain is read as that domain. */
const readDomain = (text: string): Member | ValueRejection => {
  const rule = ruleAsWritten({ type: "company_domain", value: text })
  if (typeof rule === "string") return rule as ValueRejection // A text of this type has no other reasons.
  const domain = registrableDomain(rule.value)
  return domain === undefined ? "invalid_domain" : { key: domain, value: domain }
}

const rejectedValue = (index: number, value: unknown, reason: ValueRejection): RejectedValue => {
  if (typeof value !== "string") return { index, value: null, reason }
  const message = rejectionMessage(value, reason)
  const shown = Array.from(value.slice(0, 2 * rejectedLengthMax))
    .slice(0, rejectedLengthMax)
    .join("")
  return { index, value: shown, reason, ...(message === undefined ? {} : { message }) }
}
