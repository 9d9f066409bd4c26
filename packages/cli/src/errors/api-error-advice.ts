// The exit code and the next step for an error of the server.

import {
  type ApiError,
  BadRequestError,
  ConflictError,
  PermissionError,
  type SiteUnreadableReason,
  UnprocessableError,
  type ValidationIssue,
} from "@footfall/sdk"
import { ExitCode } from "./cli-error.ts"

/** The ids on a command line, in order. */
type Ids = readonly [audience: string, other: string]

type Advice = (error: ApiError, ids: Ids) => string

/** The next step; null if the code says everything (spec 5, 9). */
const stateAdvice = (error: ApiError, commandLine: ReadonlyArray<string>): string | null => {
  const [audience = "<audience-id>", other = NO_ID] = commandLine.filter((word) => uuid.test(word))
  return advices[error.code]?.(error, [audience, other]) ?? null
}

/** Replaces an id that was not given. */
const NO_ID = "<id>"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const advices: Readonly<Record<string, Advice>> = {
  SLOTS_FULL: () =>
    "Free a slot: footfall audiences pause <id>. Active audiences: footfall audiences list --status active",
  AUDIENCE_LIMIT_REACHED: () => "Delete one first: footfall audiences delete <id>",
  AUDIENCE_NOT_ACTIVE: (_error, [audience]) => `Run: footfall audiences activate ${audience}`,
  RUN_IN_PROGRESS: (error, [audience]) => {
    const runId = error instanceof ConflictError ? error.runId : null
    return runId === null
      ? `See it: footfall runs list ${audience}`
      : `See it: footfall runs get ${audience} ${runId}`
  },
  RUN_NOT_QUEUED: (_error, [audience, run]) =>
    `Only a queued run can be canceled. See it: footfall runs get ${audience} ${run}`,
  RUN_NOT_COMPLETED: (_error, [audience, run]) =>
    `Results are available when the run is completed. See it: footfall runs get ${audience} ${run}`,
  NO_COMPLETED_RUN: (_error, [audience]) => `Start a run first: footfall runs start ${audience}`,
  DESTINATION_NOT_ACTIVE: (_error, [audience, destination]) =>
    `Run: footfall destinations activate ${audience} ${destination}`,
  DELIVERY_IN_PROGRESS: (error, [audience]) => {
    const id = error instanceof ConflictError ? error.deliveryId : null
    return id === null
      ? `See it: footfall deliveries list ${audience}`
      : `See it: footfall deliveries get ${audience} ${id}. To cancel it: footfall deliveries cancel ${audience} ${id}`
  },
  DELIVERY_NOT_ELIGIBLE: (error, [audience, destination]) =>
    reasonOf(error) === "config_not_approved"
      ? "Its settings changed after they were approved. " +
        `To approve them: footfall destinations activate ${audience} ${destination}`
      : "Your organization has no intent access. Ask the server operator to enable it. " +
        "Run: footfall account",
  ACCOUNT_UNHEALTHY: () =>
    "Run: footfall integrations accounts check <id>. To use a new key: footfall integrations accounts create",
  INVALID_TRANSITION: (_error, [audience, other]) =>
    other === NO_ID
      ? `To see its status: footfall audiences get ${audience}`
      : `To see its status: footfall destinations get ${audience} ${other}`,
  MAIL_NOT_CONFIGURED: () => "Ask the server operator to set SMTP_URL.",
  LIST_CHANGED: () => "Run the command again to see what it would do now.",
  IDEMPOTENCY_MISMATCH: () => "Use another --idempotency-key, or repeat the same request.",
  INTEGRATION_UNAVAILABLE: () =>
    "The mailing-list provider does not respond. Try again later, or ask the server operator.",
  PROVIDER_ERROR: () => "Run: footfall integrations accounts check <id>",
}

const reasonOf = ({ details }: ApiError): unknown =>
  typeof details === "object" && details !== null && "reason" in details ? details.reason : null

/** Exit code and next step for a rejected request (spec 1.1, 9). */
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

/** Commands that use a session. */
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

/** The arguments of these nouns' `list` commands. */
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
  // Another server responded, so the status means nothing.
  if (error.code === "INVALID_RESPONSE") {
    return "Is this a Footfall server? To use another one: --base-url or a profile."
  }
  switch (error.status) {
    case 400:
      return issuesAsLines(error)
    case 401:
      return commandLine.includes("accept-invitation")
        ? "Paste the whole invitation. If it has expired, ask an admin of the organization for a new one."
        : credentialAdvice(noun)
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
  if (noun === "login") return "Check the email address and the password."
  return noun !== null && nounsOfLogin.has(noun)
    ? "Your session has expired. Run: footfall login"
    : "To use another key: footfall profiles update <name>, or FOOTFALL_API_KEY."
}

const permissionAdvice = (error: ApiError): string => {
  if (error.code === "ORGANIZATION_INACTIVE") {
    return "Ask the server operator to activate it. Run: footfall account"
  }
  if (error instanceof PermissionError && error.scope !== null) {
    return `Create a key that has it: footfall keys create <name> --scope ${error.scope}`
  }
  if (error.code === "NOT_FOR_SITE_KEYS") {
    return "Use a key without --site. To see the keys: footfall keys list"
  }
  if (error.code === "NETWORK_NOT_ALLOWED") {
    return "Use it from its networks, or create a key for this one: footfall keys create <name> --network <network>"
  }
  const role = error instanceof PermissionError ? error.required : null
  if (role === "operator") {
    return "Only owners of the operator's organization can do this. Run: footfall whoami"
  }
  return role === null
    ? "Run: footfall whoami"
    : `This requires the role ${role}. Run: footfall whoami`
}

const lookAgainAdvice = (noun: string | null): string | null => {
  if (noun === "visitors") {
    return "The visitor may be outside the timeframe, or on another pixel. Run: footfall visitors list --all"
  }
  if (noun === null) return null
  if (noun === "integrations") return "To list them: footfall integrations accounts list"
  return `To list them: footfall ${noun} list${listedOf.get(noun) ?? ""}`
}

const conflictAdvice = (error: ApiError): string | null => {
  if (!(error instanceof ConflictError)) return null
  if (error.pixelId !== null) return `Run: footfall pixels get ${error.pixelId}`
  const uses = [
    ...error.audienceIds.map((id) => `footfall audiences get ${id}`),
    ...error.segmentIds.map((id) => `footfall segments get ${id}`),
    ...error.webhookIds.map((id) => `footfall webhooks get ${id}`),
    ...error.suppressionSourceIds.map((id) => `footfall suppression sources get ${id}`),
  ]
  return uses.length === 0 ? null : `To see what uses it: ${uses.join(", ")}`
}

const unprocessableAdvice = (error: ApiError): string | null => {
  if (error.code === "QUERY_TOO_SLOW") return "Use a shorter timeframe or fewer rows."
  const reason = error instanceof UnprocessableError ? error.reason : null
  return reason === null ? null : (siteReasons[reason] ?? null)
}

/** spec 9. A newer server may have more. */
const siteReasons: Readonly<Partial<Record<string, string>>> = {
  unreachable: "Check the spelling of the URL.",
  timeout: "Try again, or try another page of the site.",
  not_html: "Try the home page of the site.",
  too_large: "Try another page of the site.",
  empty: "Try another page of the site; this one may need JavaScript.",
  status: "Open the URL in a browser to see the response.",
} satisfies Record<SiteUnreadableReason, string>

const waitAdvice = (retryAfterSeconds: number | null): string =>
  retryAfterSeconds === null ? "Try again later." : `Try again in ${retryAfterSeconds} seconds.`

/** The issues that the server's message does not already contain. */
const issuesAsLines = (error: ApiError): string | null => {
  const issues: ReadonlyArray<ValidationIssue> =
    error instanceof BadRequestError ? error.issues : []
  const sentences = issues
    .filter(({ code, path }) => code !== "unknown_topic" && !error.message.includes(path))
    .map(({ path, message }) =>
      error.message.includes(message) ? `Where: ${path}` : `${path}: ${message}`,
    )
  const isTopicMissing = error instanceof BadRequestError && error.unknownTopicIds.length > 0
  if (isTopicMissing) sentences.push("To list them: footfall topics search <words>")
  return sentences.join(" ") || null
}
