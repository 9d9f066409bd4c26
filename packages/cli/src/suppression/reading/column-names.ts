// What columns of other people's files are called that hold rules. Anything else has to be said.

import type { RuleType } from "@footfall/normal-form"

/** What a column holds by its name: `type` and `value` are those of a rule. */
export type KnownColumn = RuleType | "type" | "value"

/** Null when the name does not say it. A text with a dot is no name: it may be a domain. */
export const knownColumn = (name: string): KnownColumn | null =>
  knownColumns.get(
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, ""),
  ) ?? null

const names = {
  type: ["type", "ruletype"],
  value: ["value", "rule", "rulevalue"],
  email: ["email", "emails", "mail", "emailaddress", "mailaddress", "businessemail", "workemail"],
  domain: ["domain", "domains", "emaildomain", "maildomain", "domainname"],
  company_domain: ["companydomain", "website", "companywebsite", "companyurl", "accountdomain"],
  industry: ["industry", "industries", "companyindustry"],
} satisfies Record<KnownColumn, ReadonlyArray<string>>

const knownColumns = new Map(
  // The keys of an object literal are of its own type.
  (Object.keys(names) as ReadonlyArray<keyof typeof names>).flatMap((known) =>
    names[known].map((name) => [name, known] as const),
  ),
)
