// Adding and removing suppression rules, and the cycles in which they take effect.
import { emailHashOf } from "../../../src/collect/visits/email-address.ts"
import { emails } from "../world.ts"
import type { Rule } from "./reference.ts"
import { expectOutcome, Step } from "./step.ts"

const rulesPath = "/v1/data/suppression-rules"
const written = ({ key, type }: Rule) =>
  type === "email" ? emails.find((email) => emailHashOf(email) === key) : key

export const addRule = (rule: Rule) =>
  new Step(`add rule ${rule.type}`, async (reference, real) => {
    reference.addRule(rule)
    const body = { rules: [{ type: rule.type, value: written(rule) }] }
    await expectOutcome(real, [`POST ${rulesPath}`, body], { status: 200 })
  })

export const removeRule = (rule: Rule) =>
  new Step(`remove rule ${rule.type}`, async (reference, real) => {
    reference.removeRule(rule)
    const body = { rules: [{ type: rule.type, value: written(rule) }] }
    await expectOutcome(real, [`DELETE ${rulesPath}`, body], { status: 200 })
  })

/** Does what the cycle's worker does, but at once. */
export const beginCycle = new Step("begin a sync cycle", async (reference, { ours, server }) => {
  reference.beginCycle()
  await server.sql(
    `update suppression_list
     set cycle_at = greatest(clock_timestamp(), changed_at + interval '1 millisecond')
     where organization_id = $1`,
    [ours.organizationId],
  )
})
