// What became of a request, in words.
import type { InboundConsent, InboundRequest } from "@footfall/sdk"
import type { Choice } from "../ui/field.tsx"
import { count, plural } from "../ui/time.tsx"

type Outcome = InboundRequest["outcomes"][number]

const reasons: ReadonlyMap<string, string> = new Map([
  ["no_identity", "neither an email address nor a company"],
  ["nothing_found", "none of the expected values"],
  ["not_an_object", "not a record"],
])

const outcomeOf = ({ outcome, reason, records }: Outcome): string => {
  switch (outcome) {
    case "person":
      return plural(records, "person", "people")
    case "company":
      return plural(records, "visit of a company", "visits of companies")
    case "rejected": {
      const why = reason === null ? "" : `: ${reasons.get(reason) ?? reason}`
      return `${count(records)} rejected${why}`
    }
    default:
      return `${count(records)} ${outcome}`
  }
}

/** For example `2 people, 1 rejected: not a record`. */
export const outcomesOf = ({ outcomes, records }: InboundRequest): string => {
  if (records === 0) return "no record in it"
  return outcomes.length === 0 ? "erased" : outcomes.map(outcomeOf).join(", ")
}

const hasOutcome = (
  { outcomes }: InboundRequest,
  ...wanted: ReadonlyArray<Outcome["outcome"]>
): boolean => outcomes.some(({ outcome }) => wanted.includes(outcome))

/** Records that a changed mapping could read better. */
export const canRunAgain = (request: InboundRequest): boolean =>
  hasOutcome(request, "rejected", "company")

export const isTaken = (request: InboundRequest): boolean =>
  hasOutcome(request, "person", "company", "repeated")

export const hasDropped = (request: InboundRequest): boolean => hasOutcome(request, "dropped")

export const consentChoices: ReadonlyArray<Choice<InboundConsent>> = [
  { value: "vouched", text: "The sender has asked people" },
  { value: "pixel", text: "Keep to the consent of the site" },
]

export const consentHint = {
  vouched: "You vouch for it: whoever sends has a reason to hold the address.",
  pixel:
    "Records pass only if the consent of the site, in its settings, is: Already given on the site.",
} as const
