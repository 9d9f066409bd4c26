// Saving, activating, pausing, changing and deleting audiences, and the operator's limits.
import type { AudienceConfig } from "../../../src/intent/audiences/config.ts"
import type { AudienceStatus } from "../../../src/intent/audiences/lifecycle/audience.ts"
import { path, type Saved } from "../lifecycle/support.ts"
import { about, expectOutcome, Step } from "./step.ts"

export const create = (status: "draft" | "active", given: AudienceConfig) =>
  new Step(`create ${status}`, async (reference, real) => {
    const name = `Audience ${reference.audiences.length}`
    const outcome = reference.create(name, status, given)
    const body = { name, status, config: given }
    const saved = await expectOutcome<Saved>(real, [`POST ${path}`, body], outcome)
    if (outcome.status === 201) reference.audiences.at(-1)!.id = saved.id
  })

export const move = (place: number, status: AudienceStatus) =>
  about(`move to ${status}`, place, (reference, real, audience) =>
    expectOutcome(
      real,
      [`PATCH ${path}/${audience.id}`, { status }],
      reference.move(audience, status),
    ),
  )

export const reconfigure = (place: number, given: AudienceConfig) =>
  about("reconfigure", place, (reference, real, audience) =>
    expectOutcome(
      real,
      [`PATCH ${path}/${audience.id}`, { config: given }],
      reference.reconfigure(audience, given),
    ),
  )

export const remove = (place: number) =>
  about("delete", place, (reference, real, audience) =>
    expectOutcome(real, [`DELETE ${path}/${audience.id}`], reference.delete(audience)),
  )

export const grant = (slots: number | null, isOneShotEligible: boolean) =>
  new Step(`grant ${slots} slots, one shot ${isOneShotEligible}`, async (reference, { ours }) => {
    reference.slots = slots
    reference.isOneShotEligible = isOneShotEligible
    await ours.set(`intent_slots = ${slots}, one_shot_eligible = ${isOneShotEligible}`)
  })
