// An error about a state names the command that changes the state, with the given ids.

import { ApiError, ConflictError } from "@footfall/sdk"
import { expect, it } from "vitest"
import { apiErrorAdvice } from "./api-error-advice.ts"

const audience = "70865832-8a6e-409c-95c5-d15bafae1a05"
const other = "efb5aab5-6869-4672-9dc1-601e8732e865"
const third = "0b3f9c2e-5d1a-4f57-9b1c-2d3e4f5a6b7c"

const refused = (status: number, code: string, details?: object) => {
  const init = {
    status,
    code,
    message: "No.",
    requestId: null,
    details,
    retryAfterSeconds: null,
  }
  return status === 409 ? new ConflictError(init) : new ApiError(init)
}

it.each([
  [403, "SLOTS_FULL", {}, `audiences activate ${audience}`, "footfall audiences pause <id>"],
  [409, "AUDIENCE_LIMIT_REACHED", {}, "audiences create", "footfall audiences delete <id>"],
  [409, "AUDIENCE_NOT_ACTIVE", {}, `runs start ${audience}`, `audiences activate ${audience}`],
  [409, "RUN_IN_PROGRESS", { runId: third }, `runs start ${audience}`, `get ${audience} ${third}`],
  [409, "RUN_IN_PROGRESS", {}, `runs start ${audience}`, `footfall runs list ${audience}`],
  [409, "RUN_NOT_QUEUED", {}, `runs cancel ${audience} ${other}`, `runs get ${audience} ${other}`],
  [409, "RUN_NOT_COMPLETED", {}, `runs results ${audience} ${other}`, `get ${audience} ${other}`],
  [409, "NO_COMPLETED_RUN", {}, `sync ${audience} ${other}`, `footfall runs start ${audience}`],
  [409, "DESTINATION_NOT_ACTIVE", {}, `sync ${audience} ${other}`, `activate ${audience} ${other}`],
  [
    409,
    "DELIVERY_IN_PROGRESS",
    { deliveryId: third },
    `sync ${audience} ${other}`,
    `footfall deliveries get ${audience} ${third}.`,
  ],
  [
    403,
    "DELIVERY_NOT_ELIGIBLE",
    { reason: "config_not_approved" },
    `sync ${audience} ${other}`,
    `footfall destinations activate ${audience} ${other}`,
  ],
  [
    403,
    "DELIVERY_NOT_ELIGIBLE",
    { reason: "intent_disabled" },
    `sync ${audience} ${other}`,
    "Run: footfall account",
  ],
  [409, "ACCOUNT_UNHEALTHY", {}, `destinations create ${audience}`, "integrations accounts check"],
  [409, "INVALID_TRANSITION", {}, `audiences pause ${audience}`, `audiences get ${audience}`],
  [
    409,
    "INVALID_TRANSITION",
    {},
    `destinations pause ${audience} ${other}`,
    `destinations get ${audience} ${other}`,
  ],
  [409, "IDEMPOTENCY_MISMATCH", {}, `runs start ${audience}`, "another --idempotency-key"],
  [500, "PROVIDER_ERROR", { status: 500 }, "integrations lists x", "integrations accounts check"],
  [503, "INTEGRATION_UNAVAILABLE", {}, "integrations lists x", "Try again later"],
  [409, "MAIL_NOT_CONFIGURED", {}, "webhooks create", "Ask the server operator to set SMTP_URL."],
  [
    409,
    "SEGMENT_IN_USE",
    { audienceIds: [third], webhookIds: [] },
    `segments delete ${audience}`,
    `To see what uses it: footfall audiences get ${third}`,
  ],
  [
    409,
    "LIST_IN_USE",
    { segmentIds: [third], webhookIds: [other], suppressionSourceIds: [], score: false },
    `lists delete ${audience}`,
    `footfall segments get ${third}, footfall webhooks get ${other}`,
  ],
  [404, "NOT_FOUND", {}, `runs get ${audience} ${other}`, "footfall runs list <audience-id>"],
  [404, "NOT_FOUND", {}, `integrations lists ${other}`, "footfall integrations accounts list"],
  [404, "NOT_FOUND", {}, `webhooks get ${other}`, "To list them: footfall webhooks list"],
])("%i %s %j of `%s`: %s", (status, code, details, words, step) => {
  const { nextStep } = apiErrorAdvice(refused(status, code, details), words.split(" "))

  expect(nextStep).toContain(step)
})

it("a conflict with something that already exists says how to show it", () => {
  expect(apiErrorAdvice(refused(409, "CONFLICT"), ["webhooks", "create"]).nextStep).toBe(
    "To list them: footfall webhooks list",
  )
})
