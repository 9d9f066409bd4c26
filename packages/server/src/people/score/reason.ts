// Why an entry of a score counts, as a code with parameters that a program can say in its reader's language (spec 2.23.10).
// Both follow from the entry's rule, and none of what a person wrote is in them. Pure.
import { DateTime } from "effect"
import type { Predicate } from "../visitors/query/predicate.ts"
import type { RuleNode } from "../visitors/query/rule.ts"
import type { Reason, ReasonCode, TopReason } from "../visitors/score-reason.ts"
import type { CountedEntry } from "./score.ts"

/** A rule with more values than this, or longer ones, is said by the entry's name. */ // spec 2.23.10
const valuesMax = 10
const valuesLengthMax = 200

/** `at` is when they were last here. */
export const reasonOf = ({ entry: { name, rule }, seenMs }: CountedEntry): Reason => {
  const lone = loneOf(rule)
  const reason: Reason = (lone && said(lone)) ?? { code: "rule", params: { name } }
  if (seenMs === null) return reason
  const at = DateTime.formatIso(DateTime.makeUnsafe(Math.floor(seenMs)))
  return { code: reason.code, params: { ...reason.params, at } }
}

/** The first of those with most points; null if none adds any. */
export const topOf = (counted: ReadonlyArray<CountedEntry>): TopReason | null => {
  let top: CountedEntry | undefined
  for (const each of counted) if (each.points > (top?.points ?? 0)) top = each
  if (top === undefined) return null
  return { part: top.part, ...reasonOf(top), points: top.points }
}

/** The predicate of a rule that has just one. */
const loneOf = (node: RuleNode): Predicate | undefined => {
  if (!("all" in node) && !("any" in node)) return node
  const members = "all" in node ? node.all : node.any
  return members.length === 1 ? loneOf(members[0]!) : undefined
}

const said = (predicate: Predicate): Reason | undefined => {
  const { field, of, op, value } = predicate
  const counted = (as: ReasonCode, params: Reason["params"] = {}): Reason | undefined => {
    const count = leastOf(predicate)
    return count === undefined ? undefined : { code: as, params: { ...params, count } }
  }
  const valued = (as: ReasonCode): Reason | undefined => {
    const values = op === "eq" || op === "in" ? [value].flat().map(String) : []
    const isShort =
      values.length > 0 && values.length <= valuesMax && values.join("").length <= valuesLengthMax
    return isShort ? { code: as, params: { values } } : undefined
  }
  switch (field) {
    case "behavior.path_views":
      return counted("visited_path", { path: String(of) })
    case "behavior.visited_paths":
      return op === "any_eq"
        ? { code: "visited_path", params: { path: value, count: 1 } }
        : undefined
    case "behavior.pricing_page_views":
      return counted("visited_pricing")
    case "behavior.demo_page_views":
      return counted("visited_demo")
    case "behavior.sessions":
      return counted("visits")
    case "behavior.pageviews":
      return counted("pageviews")
    case "behavior.active_days":
      return counted("active_days")
    case "behavior.form_submissions":
      return counted("submitted_form")
    case "behavior.event_count":
      return counted("event", { name: String(of) })
    case "behavior.custom_events":
      return op === "any_eq" ? { code: "event", params: { name: value, count: 1 } } : undefined
    case "timing.days_since_last_seen":
      return op === "lt" || op === "lte" ? { code: "last_seen", params: {} } : undefined
    case "timing.last_seen_at":
      return op === "within" ? { code: "last_seen", params: {} } : undefined
    case "intent.score": {
      const score = leastOf(predicate)
      const topic = typeof of === "number" ? { topicId: of } : {}
      return score === undefined ? undefined : { code: "researches", params: { ...topic, score } }
    }
    case "intent.topics":
      return op === "any_in" && value.length === 1
        ? { code: "researches", params: { topicId: value[0]!, score: 1 } }
        : undefined
    case "company.seniority":
      return valued("seniority")
    case "company.department":
      return valued("department")
    case "company.industry":
      return valued("industry")
    case "contact.country":
      return valued("country")
    case "company.employee_count": {
      const min = leastOf(predicate)
      const max = mostOf(predicate)
      if (min === undefined && max === undefined) return undefined
      return {
        code: "company_size",
        params: { ...(min !== undefined && { min }), ...(max !== undefined && { max }) },
      }
    }
    case "company.domain":
      return op === "exists" && value === true ? { code: "company_known", params: {} } : undefined
    case "contact.has_business_email":
      return op === "eq" && value ? { code: "business_email", params: {} } : undefined
    default:
      return undefined
  }
}

/** The least whole number for which a test of numbers holds, if it is 1 or more. */
const leastOf = ({ op, value }: Predicate): number | undefined => {
  const from = Array.isArray(value) ? Number(value[0]) : Number(value)
  const least =
    op === "gt"
      ? Math.floor(from) + 1
      : op === "gte" || op === "eq" || op === "between"
        ? Math.ceil(from)
        : 0
  return least >= 1 && Number.isSafeInteger(least) ? least : undefined
}

/** The greatest one, if there is one and it is 1 or more. */
const mostOf = ({ op, value }: Predicate): number | undefined => {
  const to = Array.isArray(value) ? Number(value[1]) : Number(value)
  const most =
    op === "lt"
      ? Math.ceil(to) - 1
      : op === "lte" || op === "eq" || op === "between"
        ? Math.floor(to)
        : 0
  return most >= 1 && Number.isSafeInteger(most) ? most : undefined
}
