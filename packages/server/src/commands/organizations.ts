// `footfall-server organizations`: what only the operator sets of an organization (spec 1.1).
import { Effect } from "effect"
import { Organizations } from "../access/organizations/organizations.ts"
import type { OperatorSettings } from "../access/organizations/store.ts"
import { Output } from "./output.ts"

export const setOrganization = Effect.fn("organizations set")(function* (
  organizationId: string,
  settings: OperatorSettings,
) {
  const organizations = yield* Organizations
  const output = yield* Output
  const set = yield* organizations.set(organizationId, settings)
  const limit = (value: number | null) => (value === null ? "none" : String(value))
  const onOff = (value: boolean) => (value ? "on" : "off")
  yield* output.result(
    set,
    [
      `Organization  ${set.id}`,
      `Status        ${set.status}`,
      `Credit limit  ${limit(set.creditLimit)}`,
      `Intent        ${onOff(set.intentEnabled)}`,
      `Intent slots  ${limit(set.intentSlots)}`,
      `One shot      ${onOff(set.oneShotEligible)}`,
      "",
      "Running servers follow within 5 seconds.",
    ].join("\n"),
  )
})
