// Random sequences of identifications, suppressions, limits, months and releases on a real Postgres match a model
// that only implements the table of spec 2.5: one credit for each person who was identified while not suppressed,
// and only once.
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import fc from "fast-check"
import { CreditStore } from "../../src/people/credits/store.ts"
import {
  credits,
  endMonth,
  identifyAll,
  makeOrganization,
  setLimit,
  setSuppressed,
} from "./credits-layer.ts"
import { testLayer } from "./identification-layer.ts"

const people = Array.from({ length: 8 }, (_, index) => `person${index}@a.example`)
const runs = process.env["FOOTFALL_SOAK"] === "1" ? 1_000 : 30

const person = fc.constantFrom(...people)
const limit = fc.option(fc.integer({ min: 0, max: 6 }))
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ identify: fc.uniqueArray(person, { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ suppress: person, isSuppressed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ limit }) },
  { weight: 1, arbitrary: fc.constant({ ends: "month" } as const) },
  { weight: 2, arbitrary: fc.record({ release: fc.integer({ min: 1, max: 3 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

class Model {
  readonly #known = new Set<string>()
  readonly #charged = new Set<string>()
  /** The held-back people, longest wait first. */
  #waiting: Array<string> = []
  readonly #suppressed = new Set<string>()
  #used = 0
  #limit: number | null

  constructor(limit: number | null) {
    this.#limit = limit
  }

  do(step: Step): void {
    if ("identify" in step) step.identify.forEach((email) => this.#identify(email))
    else if ("suppress" in step) this.#suppress(step.suppress, step.isSuppressed)
    else if ("limit" in step) this.#limit = step.limit
    else if ("ends" in step) this.#used = 0
    else this.#release(step.release)
  }

  /** Only existing people can be marked. */
  isPossible(step: Step): boolean {
    return !("suppress" in step) || this.#known.has(step.suppress)
  }

  get credits() {
    return {
      used: this.#used,
      charged: [...this.#charged].toSorted(),
      heldBack: this.#waiting.toSorted(),
    }
  }

  #identify(email: string): void {
    this.#known.add(email)
    const isWaiting = this.#waiting.includes(email)
    if (this.#suppressed.has(email) || this.#charged.has(email) || isWaiting) return
    const before = this.#waiting.filter((other) => !this.#suppressed.has(other)).length
    if (this.#free() > before) this.#charge(email)
    else this.#waiting.push(email)
  }

  #suppress(email: string, isSuppressed: boolean): void {
    if (isSuppressed) this.#suppressed.add(email)
    else this.#suppressed.delete(email)
  }

  #release(most: number): void {
    const isSuppressed = (email: string) => this.#suppressed.has(email)
    const unsuppressed = this.#waiting.filter((email) => !isSuppressed(email))
    const paid = unsuppressed.slice(0, Math.min(most, this.#free()))
    paid.forEach((email) => this.#charge(email))
    const released = new Set([...this.#waiting.filter(isSuppressed).slice(0, most), ...paid])
    this.#waiting = this.#waiting.filter((email) => !released.has(email))
  }

  #charge(email: string): void {
    this.#charged.add(email)
    this.#used++
  }

  #free(): number {
    return this.#limit === null ? Number.POSITIVE_INFINITY : Math.max(0, this.#limit - this.#used)
  }
}

const run = Effect.fnUntraced(function* (organizationId: string, step: Step) {
  if ("identify" in step) return yield* identifyAll(organizationId, step.identify)
  if ("suppress" in step) {
    return yield* setSuppressed(organizationId, step.suppress, step.isSuppressed)
  }
  if ("limit" in step) return yield* setLimit(organizationId, step.limit)
  if ("ends" in step) return yield* endMonth(organizationId)
  return yield* CreditStore.use((store) => store.release(organizationId, step.release))
})

layer(testLayer, { excludeTestServices: true })("credits, compared with a model", (it) => {
  it.effect(
    "every sequence of steps has the result that the table defines",
    () =>
      Effect.gen(function* () {
        const runPromise = Effect.runPromiseWith(
          yield* Effect.context<Layer.Success<typeof testLayer>>(),
        )
        const sequences = fc.asyncProperty(
          limit,
          fc.array(step, { minLength: 5, maxLength: 20 }),
          (limit, steps) =>
            runPromise(
              Effect.gen(function* () {
                const organizationId = yield* makeOrganization(limit)
                const model = new Model(limit)
                for (const step of steps) {
                  if (!model.isPossible(step)) continue
                  yield* run(organizationId, step)
                  model.do(step)
                  assert.deepStrictEqual(yield* credits(organizationId), model.credits)
                }
              }),
            ),
        )
        yield* Effect.promise(() => fc.assert(sequences, { numRuns: runs }))
      }),
    120_000,
  )
})
