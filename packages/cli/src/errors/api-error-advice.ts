// What an answer of the server means for the exit code, and what the person can do about it.

import type { ApiError, ValidationIssue } from "@footfall/sdk"
import { ExitCode } from "./exit-code.ts"

/** Exit code and next step for a refused request. Source: decisions.md 1.1 and 9. */
export const apiErrorAdvice = (
  error: ApiError,
): { readonly exitCode: number; readonly nextStep: string | null } => ({
  exitCode: exitCodeByStatus.get(error.status) ?? ExitCode.failed,
  nextStep: nextStep(error),
})

const exitCodeByStatus: ReadonlyMap<number, number> = new Map([
  [401, ExitCode.authentication],
  [403, ExitCode.authentication],
  [404, ExitCode.notFound],
  [409, ExitCode.conflict],
])

const nextStep = (error: ApiError): string | null => {
  // Whatever answered knows nothing of keys and visitors, so its status says nothing of them either.
  if (error.code === "INVALID_RESPONSE") {
    return "Is this the address of a Footfall server? --base-url or a profile names another one."
  }
  switch (error.status) {
    case 400:
      return issuesAsLines(error)
    case 401:
      return "The key is wrong, expired or revoked. Run: footfall profile add <name>"
    case 404:
      return "It may lie outside the window or the pixel. Run: footfall visitors list --all"
    case 429:
    case 503:
      return waitAdvice(error.retryAfterSeconds)
    default:
      return null
  }
}

const waitAdvice = (retryAfterSeconds: number | null): string =>
  retryAfterSeconds === null ? "Try again later." : `Try again in ${retryAfterSeconds} seconds.`

/** The issues the message of the server does not tell already. */
const issuesAsLines = ({ details, message }: ApiError): string | null => {
  if (!hasIssues(details)) return null
  const untold = details.issues.filter((issue) => !message.includes(issue.message))
  return untold.map((issue) => `${issue.path}: ${issue.message}`).join("; ") || null
}

/** A server of a later version may send details of another shape; then they are not shown. */
const hasIssues = (
  details: unknown,
): details is { readonly issues: ReadonlyArray<ValidationIssue> } =>
  typeof details === "object" &&
  details !== null &&
  "issues" in details &&
  Array.isArray(details.issues)
