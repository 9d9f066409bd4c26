// The error for an address that nothing is sent to (spec 1.9, 9): one issue that says what was expected. It does not
// reveal the addresses of a name, because the caller may be probing.
import { refuse } from "../http/errors.ts"
import type { UrlNotAllowed } from "./outbound-error.ts"

/**
 * `query`: the address has a query, but paths are appended to it. `not_resolvable`: the name has no address right now.
 */
export type UrlRefusedReason = UrlNotAllowed["reason"] | "not_resolvable" | "query"

export const urlRefusedReasons = [
  "malformed",
  "too_long",
  "scheme",
  "user_info",
  "address",
  "not_resolvable",
  "query",
] as const satisfies ReadonlyArray<UrlRefusedReason>

/** `path`: JSON pointer to the field with the address. */
export const urlRefused = (reason: UrlRefusedReason, path: string) => refusal(issues[reason], path)

/** For a page to read: `http:` is allowed, and every redirect must pass the same checks. */
export const pageUrlRefused = (reason: UrlNotAllowed["reason"], path: string) => {
  const { code, expected } = { ...issues, ...issuesOfPages }[reason]
  return refusal({ code, expected: `${expected}, also after redirects` }, path)
}

interface UrlIssue {
  readonly code: string
  readonly expected: string
}

const refusal = ({ code, expected }: UrlIssue, path: string) => {
  const message = `Expected ${expected}.`
  return refuse({
    code: "VALIDATION_ERROR",
    message: `Invalid URL: ${path} ${message}`,
    details: { issues: [{ path, code, message }] },
  })
}

const notAllowed = (expected: string) => ({ code: "url_not_allowed", expected })

const issues: Readonly<Record<UrlRefusedReason, UrlIssue>> = {
  malformed: { code: "format", expected: "a URL that starts with https://" },
  too_long: notAllowed("a URL of at most 2048 characters"),
  scheme: notAllowed("a URL that starts with https:"),
  user_info: notAllowed("a URL without a user name or password"),
  address: notAllowed("a URL on the public internet"),
  not_resolvable: { code: "url_not_resolvable", expected: "a host name that can be resolved" },
  query: { code: "format", expected: "a URL without query or fragment" },
}

const issuesOfPages = {
  malformed: { code: "format", expected: "a URL that starts with https:// or http://" },
  scheme: notAllowed("a URL that starts with https: or http:"),
} as const satisfies Partial<Record<UrlRefusedReason, UrlIssue>>
