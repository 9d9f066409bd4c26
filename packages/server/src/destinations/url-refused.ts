// The answer to an address that will not be asked (decisions.md 1.9, 9, 13): one issue, which does not say
// what the name stands for.
import { refuse } from "../http/errors.ts"

export type UrlRefusedReason = "malformed" | "not_allowed" | "not_resolvable"

const issues = {
  malformed: { code: "format", message: "Expected a URI, without query where paths are added." },
  not_allowed: {
    code: "url_not_allowed",
    message: "Expected a public https address of at most 2048 characters, without user name.",
  },
  not_resolvable: {
    code: "url_not_resolvable",
    message: "Expected a host whose name can be resolved.",
  },
} as const

/** `path`: JSON pointer to what named the address. */
export const urlRefused = (reason: UrlRefusedReason, path: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: issues[reason].message,
    details: { issues: [{ path, ...issues[reason] }] },
  })
