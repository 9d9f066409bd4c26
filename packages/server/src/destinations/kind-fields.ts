// Which fields a body may have for each kind of destination, and which it must have when one is made
// (spec 5.10.1).
import type { Issue } from "../http/issues.ts"
import type { DestinationType } from "./destination.ts"

/** Fields of one kind alone, those first that creation requires. */
const required = {
  webhook: ["url", "eventTypes"],
  automation: ["connectedAccountId", "appSlug", "config"],
} as const satisfies Record<DestinationType, ReadonlyArray<string>>
const fields: Readonly<Record<DestinationType, ReadonlyArray<string>>> = {
  webhook: [...required.webhook, "timeoutMs"],
  automation: required.automation,
}

/** Fields of the other kind, which a body of this kind does not have. */
export const foreignFields = (type: DestinationType, body: object): ReadonlyArray<Issue> =>
  fields[type === "webhook" ? "automation" : "webhook"]
    .filter((field) => Object.hasOwn(body, field))
    .map((field) => ({
      path: `/body/${field}`,
      code: "unknown_field",
      message: `There is no field of this name in a destination of the kind ${type}.`,
    }))

export const missingFields = (type: DestinationType, body: object): ReadonlyArray<Issue> =>
  required[type]
    .filter((field) => !Object.hasOwn(body, field))
    .map((field) => ({
      path: `/body/${field}`,
      code: "required",
      message: "This field is required.",
    }))
