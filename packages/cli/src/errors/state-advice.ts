// What to do about a refusal that comes of a state: of an audience, a run, a destination, a delivery.
// The ids of the command that helps are those that were given, or a placeholder.

import { ConflictError, type ApiError } from "@footfall/sdk"

/** The ids of a command line, in their order. */
type Ids = readonly [audience: string, other: string]

type Advice = (error: ApiError, ids: Ids) => string

/** The next step; null for a code that says all itself. Source: spec 5 and 9. */
export const stateAdvice = (error: ApiError, commandLine: ReadonlyArray<string>): string | null => {
  const [audience = "<audience-id>", other = NO_ID] = commandLine.filter((word) => uuid.test(word))
  return advices[error.code]?.(error, [audience, other]) ?? null
}

/** Stands in for an id that was not given. */
const NO_ID = "<id>"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const advices: Readonly<Record<string, Advice>> = {
  SLOTS_FULL: () =>
    "Free a slot: footfall audiences pause <id>. What is active: footfall audiences list --status active",
  AUDIENCE_LIMIT_REACHED: () => "Make room: footfall audiences delete <id>",
  AUDIENCE_NOT_ACTIVE: (_error, [audience]) => `Run: footfall audiences activate ${audience}`,
  RUN_IN_PROGRESS: (error, [audience]) => {
    const runId = error instanceof ConflictError ? error.runId : null
    return runId === null
      ? `See it: footfall runs list ${audience}`
      : `See it: footfall runs get ${audience} ${runId}`
  },
  RUN_NOT_QUEUED: (_error, [audience, run]) =>
    `Only a run that waits can be cancelled. See it: footfall runs get ${audience} ${run}`,
  RUN_NOT_COMPLETED: (_error, [audience, run]) =>
    `It has results when it is completed. See it: footfall runs get ${audience} ${run}`,
  NO_COMPLETED_RUN: (_error, [audience]) =>
    `Find its people first: footfall runs start ${audience}`,
  DESTINATION_NOT_ACTIVE: (_error, [audience, destination]) =>
    `Run: footfall destinations activate ${audience} ${destination}`,
  DELIVERY_IN_PROGRESS: (error, [audience]) => {
    const id = error instanceof ConflictError ? error.deliveryId : null
    return id === null
      ? `See it: footfall deliveries list ${audience}`
      : `See it: footfall deliveries get ${audience} ${id}. End it: footfall deliveries cancel ${audience} ${id}`
  },
  DELIVERY_NOT_ELIGIBLE: (error, [audience, destination]) =>
    reasonOf(error) === "config_not_approved"
      ? "Its settings changed since they were approved. " +
        `Approve them: footfall destinations activate ${audience} ${destination}`
      : "Your organization has no intent access; the operator of the server gives it. " +
        "Run: footfall account",
  ACCOUNT_UNHEALTHY: () =>
    "Run: footfall integrations accounts check <id>. With a new key: footfall integrations accounts create",
  INVALID_TRANSITION: (_error, [audience, other]) =>
    other === NO_ID
      ? `What state it is in: footfall audiences get ${audience}`
      : `What state it is in: footfall destinations get ${audience} ${other}`,
  IDEMPOTENCY_MISMATCH: () => "Give another --idempotency-key, or the same request again.",
  INTEGRATION_UNAVAILABLE: () =>
    "The server has no mailing-list provider that answers. Try again later, or ask its operator.",
  PROVIDER_ERROR: () => "Run: footfall integrations accounts check <id>",
}

const reasonOf = ({ details }: ApiError): unknown =>
  typeof details === "object" && details !== null && "reason" in details ? details.reason : null
