// What an answer of the server means for the exit code, and what the person can do about it.

import {
  BadRequestError,
  ConflictError,
  PermissionError,
  UnprocessableError,
  type ApiError,
  type SiteUnreadableReason,
  type ValidationIssue,
} from "@footfall/sdk"
import { ExitCode } from "./exit-code.ts"
import { stateAdvice } from "./state-advice.ts"

/** Exit code and next step for a refused request. Source: spec 1.1 and 9. */
export const apiErrorAdvice = (
  error: ApiError,
  commandLine: ReadonlyArray<string>,
): { readonly exitCode: number; readonly nextStep: string | null } => ({
  exitCode: exitCodeByStatus.get(error.status) ?? ExitCode.failed,
  nextStep: stateAdvice(error, commandLine) ?? nextStep(error, commandLine),
})

const exitCodeByStatus: ReadonlyMap<number, number> = new Map([
  [401, ExitCode.authentication],
  [403, ExitCode.authentication],
  [404, ExitCode.notFound],
  [409, ExitCode.conflict],
])

/** Commands that ask with a log-in. */
const nounsOfLogin: ReadonlySet<string> = new Set([
  "keys",
  "members",
  "organizations",
  "import",
  "login",
  "logout",
  "whoami",
])

const nouns: ReadonlySet<string> = new Set([
  ...nounsOfLogin,
  "visitors",
  "segments",
  "pixels",
  "suppression",
  "topics",
  "topic-lists",
  "audiences",
  "runs",
  "exports",
  "destinations",
  "deliveries",
  "integrations",
  "webhooks",
])

/** What the lists of these nouns are of. */
const listedOf: ReadonlyMap<string, string> = new Map(
  Object.entries({
    runs: " <audience-id>",
    exports: " <audience-id> <run-id>",
    destinations: " <audience-id>",
    deliveries: " <audience-id>",
  }),
)

const nextStep = (error: ApiError, commandLine: ReadonlyArray<string>): string | null => {
  const noun = commandLine.find((word) => nouns.has(word)) ?? null
  // Whatever answered knows nothing of keys and visitors, so its status says nothing of them either.
  if (error.code === "INVALID_RESPONSE") {
    return "Is this the address of a Footfall server? --base-url or a profile names another one."
  }
  switch (error.status) {
    case 400:
      return issuesAsLines(error)
    case 401:
      return credentialAdvice(noun)
    case 403:
      return permissionAdvice(error)
    case 404:
      return lookAgainAdvice(noun)
    case 409:
      return conflictAdvice(error) ?? lookAgainAdvice(noun)
    case 422:
      return unprocessableAdvice(error)
    case 429:
    case 503:
      return waitAdvice(error.retryAfterSeconds)
    default:
      return null
  }
}

const credentialAdvice = (noun: string | null): string => {
  if (noun === "login") return "Check the address and the password."
  return noun !== null && nounsOfLogin.has(noun)
    ? "The log-in has ended. Run: footfall login"
    : "The key is wrong, expired or revoked. Give another one: footfall profiles update <name>, or FOOTFALL_API_KEY."
}

const permissionAdvice = (error: ApiError): string => {
  if (error.code === "ORGANIZATION_INACTIVE") {
    return "The operator of the server can make it active. Run: footfall account"
  }
  const role = error instanceof PermissionError ? error.required : null
  if (role === "operator") {
    return "Only owners of the server's operator organization may do this. Run: footfall whoami"
  }
  return role === null ? "Run: footfall whoami" : `It takes the role ${role}. Run: footfall whoami`
}

const lookAgainAdvice = (noun: string | null): string | null => {
  if (noun === "visitors") {
    return "It may lie outside the window or the pixel. Run: footfall visitors list --all"
  }
  if (noun === null) return null
  if (noun === "integrations") return "What there is: footfall integrations accounts list"
  return `What there is: footfall ${noun} list${listedOf.get(noun) ?? ""}`
}

const conflictAdvice = (error: ApiError): string | null => {
  if (!(error instanceof ConflictError)) return null
  if (error.pixelId !== null) return `Run: footfall pixels get ${error.pixelId}`
  return error.webhookIds.length === 0 ? null : `Used by webhook ${error.webhookIds.join(", ")}.`
}

const unprocessableAdvice = (error: ApiError): string | null => {
  if (error.code === "QUERY_TOO_SLOW") return "Narrow the window, or ask for less."
  const reason = error instanceof UnprocessableError ? error.reason : null
  return reason === null ? null : (siteReasons[reason] ?? null)
}

/** Source: spec 9. A later server may know further ones. */
const siteReasons: Readonly<Partial<Record<string, string>>> = {
  unreachable: "Is the address spelt right?",
  timeout: "Try again, or another page of the site.",
  not_html: "Try the home page of the site.",
  too_large: "Try another page of the site.",
  empty: "Try another page of the site; this one may be drawn by JavaScript.",
  status: "Open the address in a browser to see what it answers.",
} satisfies Record<SiteUnreadableReason, string>

const waitAdvice = (retryAfterSeconds: number | null): string =>
  retryAfterSeconds === null ? "Try again later." : `Try again in ${retryAfterSeconds} seconds.`

/** The issues the message of the server does not tell already. */
const issuesAsLines = (error: ApiError): string | null => {
  const issues: ReadonlyArray<ValidationIssue> =
    error instanceof BadRequestError ? error.issues : []
  const sentences = issues
    .filter(({ code, path }) => code !== "unknown_topic" && !error.message.includes(path))
    .map(({ path, message }) =>
      error.message.includes(message) ? `Where: ${path}` : `${path}: ${message}`,
    )
  const isTopicMissing = error instanceof BadRequestError && error.unknownTopicIds.length > 0
  if (isTopicMissing) sentences.push("What there is: footfall topics search <words>")
  return sentences.join(" ") || null
}
