// What can happen to the audiences of an organization: each step does it to the reference and to the
// server, and holds the answer of the one to that of the other.
import * as fc from "fast-check"
import { expect, vi } from "vitest"
import type { AudienceConfig } from "../../../src/audiences/config.ts"
import type { AudienceStatus } from "../../../src/audiences/lifecycle/audience.ts"
import { emailHashOf } from "../../../src/visits/email-address.ts"
import type { TestServer } from "../../support/server.ts"
import { config } from "../config-arbitrary.ts"
import type { Keeper } from "../lifecycle/support.ts"
import { path, type Saved } from "../lifecycle/support.ts"
import { emails } from "../world.ts"
import type { ModelAudience, ModelRun, Outcome, Reference, Rule } from "./reference.ts"

export interface Real {
  readonly server: TestServer
  readonly ours: Keeper
  /** What happened, over all sequences: that nothing is left out by chance. */
  readonly seen: Map<string, number>
}

/** One thing that happens; numbers choose among the audiences, or runs, that there are by then. */
export class Step {
  readonly run: (reference: Reference, real: Real) => Promise<void>
  readonly #words: string

  constructor(words: string, run: Step["run"]) {
    this.#words = words
    this.run = run
  }

  toString = () => this.#words
}

const count = ({ seen }: Real, what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

/** Asks, and holds the answer to what was expected of it; gives the data of a success. */
const expectOutcome = async <Data>(
  real: Real,
  [operation, body, headers]: readonly [string, unknown?, Readonly<Record<string, string>>?],
  { code, details, status }: Outcome,
): Promise<Data> => {
  const credentials = { apiKey: real.ours.apiKey, ...(headers && { headers }) }
  const answer = await real.ours.ask(operation, body, credentials)
  expect({ operation, status: answer.status, code: answer.body.error?.code }).toEqual({
    operation,
    status,
    code,
  })
  if (details !== undefined) expect(answer.body.error.details).toEqual(details)
  count(real, `${operation.split(" ")[0]} ${status} ${code ?? ""}`.trim())
  return answer.body.data
}

const of = <One>(all: ReadonlyArray<One>, place: number): One | undefined =>
  all.at(place < 0 ? place : place % all.length)

const create = (status: "draft" | "active", given: AudienceConfig) =>
  new Step(`create ${status}`, async (reference, real) => {
    const name = `Audience ${reference.audiences.length}`
    const outcome = reference.create(name, status, given)
    const body = { name, status, config: given }
    const saved = await expectOutcome<Saved>(real, [`POST ${path}`, body], outcome)
    if (outcome.status === 201) reference.audiences.at(-1)!.id = saved.id
  })

/** A command about one of the audiences that were ever saved, deleted ones too. */
const about = (
  words: string,
  place: number,
  step: (reference: Reference, real: Real, audience: ModelAudience) => Promise<unknown>,
) =>
  new Step(`${words} ${place}`, async (reference, real) => {
    const audience = of(reference.audiences, place)
    if (audience !== undefined) await step(reference, real, audience)
  })

const move = (place: number, status: AudienceStatus) =>
  about(`move to ${status}`, place, (reference, real, audience) =>
    expectOutcome(
      real,
      [`PATCH ${path}/${audience.id}`, { status }],
      reference.move(audience, status),
    ),
  )

const reconfigure = (place: number, given: AudienceConfig) =>
  about("reconfigure", place, (reference, real, audience) =>
    expectOutcome(
      real,
      [`PATCH ${path}/${audience.id}`, { config: given }],
      reference.reconfigure(audience, given),
    ),
  )

const remove = (place: number) =>
  about("delete", place, (reference, real, audience) =>
    expectOutcome(real, [`DELETE ${path}/${audience.id}`], reference.delete(audience)),
  )

interface Run {
  readonly id: string
  readonly status: string
}

const start = (place: number, key: string | undefined) =>
  about(`start ${key ?? "without a key"}`, place, async (reference, real, audience) => {
    const outcome = reference.start(audience, key)
    const headers = key === undefined ? {} : { "idempotency-key": key }
    const request = [`POST ${path}/${audience.id}/runs`, undefined, headers] as const
    const started = await expectOutcome<Run>(real, request, outcome)
    if (outcome.run === undefined) return
    if (outcome.status === 202) outcome.run.id = started.id
    expect(started).toMatchObject({ id: outcome.run.id, status: outcome.run.status })
  })

const cancel = (place: number, at: number) =>
  about(`cancel ${at} of`, place, async (reference, real, audience) => {
    const run = of(audience.runs, at)
    if (run === undefined) return
    const outcome = reference.cancel(audience, run)
    await expectOutcome(real, [`DELETE ${path}/${audience.id}/runs/${run.id}`], outcome)
  })

const work = new Step("work", async (reference, real) => {
  const { server } = real
  await server.embedded.workers.start()
  await vi.waitFor(
    async () => {
      const [row] = await server.sql(
        "select count(*)::int as left from audience_run where status in ('queued', 'running')",
      )
      expect(row?.["left"]).toBe(0)
    },
    { timeout: 20_000, interval: 5 },
  )
  await server.embedded.workers.stop()
  const queued = reference.kept.flatMap((audience) =>
    audience.runs.filter(({ status }) => status === "queued").map((run) => ({ audience, run })),
  )
  reference.work()
  for (const { audience, run } of queued) {
    await compareRun(real, audience, run)
    if (run.results.length > 0) count(real, "a run found somebody")
    if (run.suppressed > 0) count(real, "a rule left somebody out")
    if (audience.accessType === "one_shot") count(real, "one-shot access was used up")
  }
})

interface Results {
  readonly run: Readonly<Record<string, unknown>>
  readonly results: ReadonlyArray<{
    readonly hashedEmail: string
    readonly email: string | null
    readonly jobTitle: string | null
    readonly company: { readonly name: string | null }
    readonly intent: {
      readonly score: number
      readonly topicOverlap: number
      readonly matchedTopics: ReadonlyArray<{ readonly topicId: number }>
    }
  }>
}

const compareRun = async (real: Real, { id }: ModelAudience, run: ModelRun) => {
  const isCompleted = run.status === "completed"
  const outcome = { completed: 200, queued: 202, cancelled: 409 }[run.status]
  const { body, status } = await real.ours.ask(`GET ${path}/${id}/runs/${run.id}/results`)
  expect(status).toBe(outcome)
  if (!isCompleted) return
  const data: Results = body.data
  expect(data.run).toMatchObject({
    status: "completed",
    candidateCount: run.candidates,
    resultCount: run.results.length,
  })
  const found = data.results.map(({ company, email, hashedEmail, intent, jobTitle }) => [
    ...[hashedEmail, intent.score, intent.topicOverlap, intent.matchedTopics[0]?.topicId],
    ...[email, company.name, jobTitle],
  ])
  const expected = run.results.map(({ company, email, hem, jobTitle, overlap, score, topicId }) => [
    ...[hem, score, overlap, topicId],
    ...[email, company, jobTitle],
  ])
  expect(found).toEqual(expected)
}

/** Everything there is, as lists and the account tell it; results stay what they were. */
const compare = new Step("compare", async (reference, real) => {
  const { body } = await real.ours.ask(`GET ${path}?limit=100`)
  const listed: ReadonlyArray<Saved> = body.data
  const byId = new Map(listed.map((audience) => [audience.id, audience]))
  expect([...byId.keys()].toSorted()).toEqual(reference.kept.map(({ id }) => id).toSorted())
  for (const audience of reference.kept) {
    const { accessType, config: expected, isRefreshed, name, runs, size, status } = audience
    const { config: given, ...found } = byId.get(audience.id)!
    expect(found).toMatchObject({ name, status, accessType, audienceSize: size })
    expect(found.dailyRefreshEnabled).toBe(status === "active" && accessType === "paid")
    expect(found.lastRefreshedAt !== null).toBe(isRefreshed)
    expect(found.pausedAt !== null).toBe(status === "paused")
    expect(given).toMatchObject(expected)
    const list = await real.ours.ask(`GET ${path}/${audience.id}/runs?limit=100`)
    const statuses = new Map(
      (list.body.data as ReadonlyArray<Run>).map((run) => [run.id, run.status]),
    )
    expect(statuses).toEqual(new Map(runs.map((run) => [run.id, run.status])))
    for (const run of runs) await compareRun(real, audience, run)
  }
  const { ours, server } = real
  const gone = await server.sql(
    `select run.id, run.status from audience_run run
     join audience on audience.organization_id = run.organization_id and audience.id = audience_id
     where run.organization_id = $1 and deleted_at is not null`,
    [ours.organizationId],
  )
  expect(new Map(gone.map(({ id, status }) => [id, status]))).toEqual(
    new Map(
      reference.audiences
        .filter(({ isDeleted }) => isDeleted)
        .flatMap(({ runs }) => runs.map(({ id, status }) => [id, status])),
    ),
  )
  expect(await real.ours.intent()).toMatchObject({
    slots: { used: reference.slotsUsed, limit: reference.slots },
    oneShotEligible: reference.isOneShotEligible,
  })
})

const rulesPath = "/v1/data/suppression-rules"
const written = ({ key, type }: Rule) =>
  type === "email" ? emails.find((email) => emailHashOf(email) === key) : key

const addRule = (rule: Rule) =>
  new Step(`add rule ${rule.type}`, async (reference, real) => {
    reference.addRule(rule)
    const body = { rules: [{ type: rule.type, value: written(rule) }] }
    await expectOutcome(real, [`POST ${rulesPath}`, body], { status: 200 })
  })

const removeRule = (rule: Rule) =>
  new Step(`remove rule ${rule.type}`, async (reference, real) => {
    reference.removeRule(rule)
    const body = { rules: [{ type: rule.type, value: written(rule) }] }
    await expectOutcome(real, [`DELETE ${rulesPath}`, body], { status: 200 })
  })

/** As the worker of the cycle does it, at once. */
const beginCycle = new Step("begin a sync cycle", async (reference, { ours, server }) => {
  reference.beginCycle()
  await server.sql(
    `update suppression_list
     set cycle_at = greatest(clock_timestamp(), changed_at + interval '1 millisecond')
     where organization_id = $1`,
    [ours.organizationId],
  )
})

const grant = (slots: number | null, isOneShotEligible: boolean) =>
  new Step(`grant ${slots} slots, one shot ${isOneShotEligible}`, async (reference, { ours }) => {
    reference.slots = slots
    reference.isOneShotEligible = isOneShotEligible
    await ours.set(`intent_slots = ${slots}, one_shot_eligible = ${isOneShotEligible}`)
  })

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

/** Single steps, and short scenes of steps that seldom meet by chance. */
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
      // Neither a new rule nor the end of one counts before the next cycle.
      ...[...rules.map(addRule), start(latest, undefined), work],
      ...[beginCycle, start(latest, undefined), work],
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
