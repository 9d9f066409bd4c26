// Error responses for a rule or list that took too long, and for one that got no turn (spec 5, standard errors).
import { refuse } from "../../platform/http/errors.ts"
import type { WrongSegment } from "./segments/segments.ts"
import { show } from "../../platform/http/issues.ts"
import type { DaysRefused } from "./overview/windows.ts"
import type { QueryTooSlow } from "./query/rule-turns.ts"
import type { InvalidRule } from "./query/invalid-rule.ts"

export const queryTooSlow = ({ seconds }: QueryTooSlow) =>
  refuse({
    code: "QUERY_TOO_SLOW",
    message: `The rule took longer than ${seconds} seconds. Use a shorter window or a simpler rule, then try again.`,
    details: { seconds },
  })

export const listTooSlow = ({ seconds }: QueryTooSlow) =>
  refuse({
    code: "QUERY_TOO_SLOW",
    message: `Reading the list took longer than ${seconds} seconds. Use a shorter period or fewer filters, then try again.`,
    details: { seconds },
  })

export const rulesBusy = () =>
  refuse({
    code: "SERVICE_UNAVAILABLE",
    message: "Too many rules, searches and lists are being evaluated. Try again in a moment.",
  })

// The error response for an invalid rule (spec 9): its error and JSON pointer.
export const invalidRuleRefused = ({ message, path, reason }: InvalidRule) =>
  refuse({
    code: "INVALID_RULE",
    message,
    details: { path, reason },
  })

/** `path`: JSON pointer to the segment's id. */
export const wrongSegment =
  (path: string) =>
  ({ wanted }: WrongSegment) => {
    const message = `Expected a segment of ${wanted}, received one of ${wanted === "people" ? "companies" : "people"}.`
    return refuse({
      code: "VALIDATION_ERROR",
      message,
      details: { issues: [{ path, code: "invalid_value", message }] },
    })
  }

export const daysRefused = ({ code, expected, from }: DaysRefused) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "These days cannot be shown.",
    details: {
      issues: [
        { path: "/query/from", code, message: `Expected ${expected}, received ${show(from)}.` },
      ],
    },
  })
