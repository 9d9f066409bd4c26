// The content of a sequence: random single steps, and short scenes of steps that rarely coincide at random.
import * as fc from "fast-check"
import { emailHashOf } from "../../../src/collect/visits/email-address.ts"
import { config } from "../config-arbitrary.ts"
import { emails } from "../world.ts"
import { create, grant, move, reconfigure, remove } from "./audience-steps.ts"
import { compare } from "./compare.ts"
import { requestExport } from "./export-steps.ts"
import type { Rule } from "./reference.ts"
import { addRule, beginCycle, removeRule } from "./rule-steps.ts"
import { cancel, start, work } from "./run-steps.ts"
import type { Step } from "./step.ts"

const place = fc.nat(7)
const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({
    type: fc.constant("email" as const),
    key: fc.constantFrom(...emails).map((email) => emailHashOf(email)),
  }),
  fc.record({
    type: fc.constantFrom("domain" as const, "company_domain" as const),
    key: fc.constantFrom("acme.example", "quayline.example", "gmail.com"),
  }),
  fc.record({
    type: fc.constant("industry" as const),
    key: fc.constantFrom("éducation", "logistics"),
  }),
)

const one = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({
  weight,
  arbitrary: arbitrary.map((step) => [step]),
})
const scene = (weight: number, arbitrary: fc.Arbitrary<ReadonlyArray<Step>>) => ({
  weight,
  arbitrary,
})
const latest = -1

const scenes = fc.oneof(
  one(
    3,
    fc
      .tuple(fc.constantFrom("draft", "active"), config)
      .map(([status, given]) => create(status, given)),
  ),
  one(
    3,
    fc
      .tuple(place, fc.constantFrom("draft", "active", "active", "paused"))
      .map(([at, status]) => move(at, status)),
  ),
  one(
    2,
    fc.tuple(place, config).map(([at, given]) => reconfigure(at, given)),
  ),
  one(1, place.map(remove)),
  one(
    6,
    fc
      .tuple(place, fc.option(fc.constantFrom("key 1", "key 2"), { nil: undefined, freq: 3 }))
      .map(([at, key]) => start(at, key)),
  ),
  one(
    2,
    fc.tuple(place, fc.nat(3)).map(([at, run]) => cancel(at, run)),
  ),
  one(
    2,
    fc.tuple(place, fc.nat(3)).map(([at, run]) => requestExport(at, run)),
  ),
  one(3, fc.constant(work)),
  one(2, rule.map(addRule)),
  one(1, rule.map(removeRule)),
  one(1, fc.constant(beginCycle)),
  one(
    1,
    fc
      .tuple(fc.constantFrom(null, 0, 1, 2), fc.boolean())
      .map(([slots, isEligible]) => grant(slots, isEligible)),
  ),
  scene(
    1,
    fc.tuple(fc.array(rule, { minLength: 2, maxLength: 4 }), config).map(([rules, given]) => [
      grant(null, false),
      create("active", given),
      // Neither a new rule nor a removed one takes effect before the next cycle.
      ...[...rules.map(addRule), start(latest, undefined), requestExport(latest, latest), work],
      ...[requestExport(latest, latest), beginCycle, start(latest, undefined), work],
      ...[requestExport(latest, latest), requestExport(latest, latest), work],
      ...[requestExport(latest, latest), move(latest, "paused"), requestExport(latest, 0)],
      move(latest, "active"),
      ...[...rules.map(removeRule), start(latest, undefined), work],
    ]),
  ),
  scene(
    1,
    fc
      .tuple(fc.constantFrom("draft", "active"), config)
      .map(([status, given]) => [
        ...[grant(0, true), create(status, given), move(latest, "active")],
        ...[start(latest, undefined), work],
        ...[move(latest, "active"), create("active", given), grant(null, false)],
        ...[create("active", given), start(latest, undefined), remove(latest), remove(latest)],
      ]),
  ),
)

export const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc
  .array(scenes, { minLength: 15, maxLength: 25 })
  .map((some) => [...some.flat(), compare])
