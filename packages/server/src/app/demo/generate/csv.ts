// Generated records as lines of CSV for an import (spec 5.14). Values contain no comma, quote or line break, except
// those quoted here.
import { DateTime } from "effect"
import { createHash } from "node:crypto"
import type { PersonRecord } from "../../../people/person/person.ts"
import { personAt } from "./person.ts"
import { type SignalPlan, signalsOfDay } from "./signals.ts"

const personColumns: ReadonlyArray<
  readonly [column: string, of: (person: PersonRecord) => unknown]
> = [
  ["email", (person) => person.email],
  ["businessEmail", (person) => person.businessEmail],
  ["personalEmail", (person) => person.personalEmail],
  ["emailStatus", (person) => person.emailStatus],
  ["firstName", (person) => person.firstName],
  ["lastName", (person) => person.lastName],
  ["phones", (person) => person.phones?.join("|")],
  ["phonesDnc", (person) => person.phonesDnc],
  ["linkedinUrl", (person) => person.linkedinUrl],
  ["jobTitle", (person) => person.jobTitle],
  ["seniority", (person) => person.seniority],
  ["department", (person) => person.department],
  ["company.name", (person) => person.company?.name],
  ["company.domain", (person) => person.company?.domain],
  ["company.industry", (person) => person.company?.industry],
  ["company.industryGroup", (person) => person.company?.industryGroup],
  ["company.employeeCount", (person) => person.company?.employeeCount],
  ["company.revenueRange", (person) => person.company?.revenueRange],
  ["company.zipCode", (person) => person.company?.zipCode],
  ["geo.city", (person) => person.geo?.city],
  ["geo.state", (person) => person.geo?.state],
  ["geo.country", (person) => person.geo?.country],
  ["demographics.ageRange", (person) => person.demographics?.ageRange],
  ["demographics.gender", (person) => person.demographics?.gender],
  ["isB2b", (person) => person.isB2b],
]

/** The header, then one line per person. */
export function* peopleLines(options: {
  readonly peopleCount: number
  readonly seed: number
}): Iterable<string> {
  yield personColumns.map(([column]) => column).join(",")
  for (let number = 0; number < options.peopleCount; number++) {
    const person = personAt(number, options.seed)
    yield personColumns.map(([, of]) => cell(of(person))).join(",")
  }
}

const cell = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  const text = String(value)
  return text.includes(",") ? `"${text}"` : text
}

const hashBytes = 32

/**
 * The header, then one line per signal, day by day. `lastDate`: the newest day, in UTC; `emailOf`: the address of a
 * person by number.
 */
export function* signalLines(
  plan: SignalPlan & {
    readonly lastDate: string
    readonly emailOf: (number: number) => string
  },
): Iterable<string> {
  yield "topicId,emailHash,score,date"
  const hashes = Buffer.allocUnsafe(plan.peopleCount * hashBytes)
  for (let number = 0; number < plan.peopleCount; number++) {
    createHash("sha256")
      .update(plan.emailOf(number))
      .digest()
      .copy(hashes, number * hashBytes)
  }
  for (let day = 0; day < plan.daysCount; day++) {
    const date = dateBefore(plan.lastDate, plan.daysCount - 1 - day)
    for (const { person, score, topicId } of signalsOfDay(plan, day)) {
      const from = person * hashBytes
      yield `${topicId},${hashes.toString("hex", from, from + hashBytes)},${score},${date}`
    }
  }
}

const dayMs = 86_400_000

/** The date this many days before another. */
export const dateBefore = (date: string, days: number): string => {
  const before = DateTime.toEpochMillis(DateTime.makeUnsafe(`${date}T00:00:00Z`)) - days * dayMs
  return DateTime.formatIsoDateUtc(DateTime.makeUnsafe(before))
}
