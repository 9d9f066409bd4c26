// Names of the rule types.
import type { SuppressionRuleType } from "@footfall/sdk"

export const ruleTypes: ReadonlyArray<SuppressionRuleType> = [
  "email",
  "domain",
  "company_domain",
  "industry",
]

interface RuleWords {
  readonly one: string
  readonly many: string
  /** Who a rule matches. */
  readonly matches: string
  readonly example: string
}

export const ruleWords: Readonly<Record<SuppressionRuleType, RuleWords>> = {
  email: {
    one: "Email",
    many: "Emails",
    matches: "a person with this address",
    example: "jane@acme.example",
  },
  domain: {
    one: "Email domain",
    many: "Email domains",
    matches: "everyone whose primary address ends in this domain",
    example: "acme.example",
  },
  company_domain: {
    one: "Company",
    many: "Companies",
    matches: "everyone of the company with this domain",
    example: "acme.example",
  },
  industry: {
    one: "Industry",
    many: "Industries",
    matches: "everyone whose company is in this industry",
    example: "logistics",
  },
}

/** Why a row isn't a rule. Unknown reasons from a newer server are shown as they are. */
export const rejectionWords = (reason: string): string =>
  rejections.get(reason) ?? reason.replaceAll("_", " ")

const rejections: ReadonlyMap<string, string> = new Map([
  ["not_an_object", "not a rule"],
  ["invalid_type", "an unknown type of rule, or one that you did not choose"],
  ["empty_value", "no value"],
  ["value_too_long", "too long"],
  ["invalid_email", "not an email address"],
  ["invalid_domain", "not a domain"],
  ["invalid_industry", "an industry with a character that can't be seen"],
  ["erased", "your organization erased this person"],
  ["public_suffix", "anyone can register a domain below this one"],
  ["unreadable_text", "not readable as text: save the file as UTF-8"],
  ["value_cut", "more cells than columns: put quotes around the value"],
])
