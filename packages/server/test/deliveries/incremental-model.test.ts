// Random histories of a destination: runs that find other people, rules, validation policies, refused contacts, syncs
// and retries. After every delivery, what the receiver got and holds, the counters and every `change` match a model,
// and a full resync from any state restores the current one (spec 2.16, 4.4, 8.3). FOOTFALL_SOAK=1 for the full number;
// SEED=… for others.
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Delivery } from "../../src/activation/deliveries/delivery.ts"
import type { ResultDbRow } from "../../src/intent/runs/results/result-row.ts"
import { contactEvent, DeliveryWorld, nameOf, person, status } from "./support.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const histories = isSoak ? 2_000 : 20
const steps = isSoak ? { minLength: 5, maxLength: 50 } : { minLength: 7, maxLength: 11 }
const names = ["a", "b", "c"] as const
type Name = (typeof names)[number]

interface Found {
  readonly name: Name
  /** The version of everything that is sent about the person. */
  readonly version: number
}

/** The strict policy rejects an address in every other version. */
const isValid = ({ version }: Found): boolean => version % 2 === 0

/** The version last sent of each person. Null: it has failed since. Absent: never sent, or skipped since. */
type Known = Map<Name, number | null>

interface Model {
  readonly runs: Array<ReadonlyArray<Found>>
  readonly suppressed: Set<Name>
  refused: ReadonlySet<Name>
  isStrict: boolean
  readonly known: Known
  /** At the receiver. */
  readonly held: Map<Name, number>
  /** The run of the last completed delivery. */
  baseline: number | undefined
  last: { readonly failed: ReadonlyMap<Name, string>; readonly run: number; id: string } | undefined
}

interface Real {
  readonly destination: { readonly id: string; readonly audienceId: string; readonly path: string }
  readonly held: Map<string, number>
}

type Step = fc.AsyncCommand<Model, Real>

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

const rowOf = (found: Found): ResultDbRow =>
  person(found.name, {
    jobTitle: `Title ${found.version}`,
    emailStatus: isValid(found) ? "valid" : "invalid",
  })

const changeOf = (model: Model, { name, version }: Found, wasInBaseline: boolean) => {
  const sent = model.known.get(name)
  if (sent === undefined || !wasInBaseline) return "added"
  return sent === version ? "unchanged" : "updated"
}

/** The people of a delivery, and the change of each. */
const plan = (model: Model, mode: Delivery["mode"]): ReadonlyArray<Found & { change: string }> => {
  const source = model.runs.at(-1)!
  const baseline = model.baseline === undefined ? [] : model.runs[model.baseline]!
  const all = source.map((found) => {
    const wasInBaseline = mode !== "incremental" || baseline.some(({ name }) => name === found.name)
    return {
      ...found,
      change: mode === "initial" ? "added" : changeOf(model, found, wasInBaseline),
    }
  })
  return mode === "incremental" ? all.filter(({ change }) => change !== "unchanged") : all
}

/** Applies a delivery to the model and compares. */
const check = async (
  model: Model,
  real: Real,
  delivery: Delivery,
  planned: ReadonlyArray<Found & { change: string }>,
  run: number,
  since: number,
) => {
  const isSkipped = (found: Found) =>
    model.suppressed.has(found.name) || (model.isStrict && !isValid(found))
  const skipped = planned.filter(isSkipped)
  const asked = planned.filter((found) => !isSkipped(found))
  const failed = asked.filter(({ name }) => model.refused.has(name))
  const sent = asked.filter(({ name }) => !model.refused.has(name))
  for (const { name } of skipped) model.known.delete(name)
  for (const { name } of failed) if (model.known.has(name)) model.known.set(name, null)
  for (const { name, version } of sent) {
    model.known.set(name, version)
    model.held.set(name, version)
  }
  const hasFailed = sent.length === 0 && failed.length > 0
  if (!hasFailed) model.baseline = Math.max(model.baseline ?? 0, run)
  model.last = {
    failed: new Map(failed.map(({ change, name }) => [name, change])),
    run,
    id: delivery.id,
  }

  const came = w
    .contacts(real.destination.path)
    .slice(since)
    .map((body) => `${nameOf(body)} ${body.data.change}`)
  expect(came.toSorted()).toEqual(asked.map(({ change, name }) => `${name} ${change}`).toSorted())
  expect(delivery).toMatchObject({
    status: hasFailed ? "failed" : "completed",
    errorCode: hasFailed ? "ALL_CONTACTS_FAILED" : null,
    sourceCount: planned.length,
    sentCount: sent.length,
    skippedCount: skipped.length,
    failedCount: failed.length,
    processedCount: planned.length,
  })
  expect(Object.fromEntries(real.held)).toEqual(Object.fromEntries(model.held))
  if (delivery.retryOfDeliveryId !== null) return
  // The receiver has the current version of everyone who may be sent and was not refused.
  for (const found of model.runs.at(-1)!) {
    if (isSkipped(found) || model.refused.has(found.name)) continue
    expect([found.name, real.held.get(found.name)]).toEqual([found.name, found.version])
  }
}

const step = (
  said: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): Step => ({ check, run, toString: () => said })

const suppress = async (model: Model, name: Name): Promise<void> => {
  const hash = person(name).hashedEmail
  if (model.suppressed.delete(name)) {
    await w.sql("delete from suppression_rule where match_key = $1", [hash])
    return
  }
  model.suppressed.add(name)
  await w.sql(
    `insert into suppression_rule
       (organization_id, id, type, value, match_key, created_at, takes_part_at)
     values ($1, gen_random_uuid(), 'email', $2, $3, now(), now() - interval '1 day')`,
    [w.organizationId, `${name}@harbor.example`, hash],
  )
}

const sync = (requested: "full_resync" | "incremental") =>
  step(`sync ${requested}`, async (model, real) => {
    const since = w.contacts(real.destination.path).length
    const mode = model.baseline === undefined ? "initial" : requested
    const planned = plan(model, mode)
    const delivery = await w.delivered(real.destination, requested)
    expect(delivery.mode).toBe(mode)
    await check(model, real, delivery, planned, model.runs.length - 1, since)
  })

const retry = step(
  "retry",
  async (model, real) => {
    const { failed, id, run } = model.last!
    const since = w.contacts(real.destination.path).length
    const planned = model.runs[run]!.flatMap((found) => {
      const change = failed.get(found.name)
      return change === undefined ? [] : [{ ...found, change }]
    })
    const { audienceId } = real.destination
    const delivery = await w.ended(await w.retry({ audienceId, id }))
    expect(delivery.retryOfDeliveryId).toBe(id)
    await check(model, real, delivery, planned, run, since)
  },
  ({ last }) => last !== undefined && last.failed.size > 0,
)

const found: fc.Arbitrary<ReadonlyArray<Found>> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...names),
    version: fc.constantFrom(1, 2, 2, 2, 4),
  }),
  { selector: ({ name }) => name, minLength: 1 },
)

const run = found.map((people) =>
  step(
    `run ${people.map(({ name, version }) => name + version).join(" ")}`,
    async (model, real) => {
      model.runs.push(people)
      await w.run(real.destination.audienceId, people.map(rowOf))
    },
  ),
)

const anyStep = fc.oneof(
  run,
  run,
  fc.constantFrom(...names).map((name) => step(`rule ${name}`, (model) => suppress(model, name))),
  fc.subarray([...names]).map((refused) =>
    step(`refuses ${refused.join(" ")}`, async (model) => {
      model.refused = new Set(refused)
    }),
  ),
  fc.constant(
    step("other policy", async (model, real) => {
      model.isStrict = !model.isStrict
      const validationPolicy = model.isStrict ? "valid_or_catchall" : "none"
      await w.world.changed(real.destination, { validationPolicy })
    }),
  ),
  fc.constant(sync("incremental")),
  fc.constant(sync("incremental")),
  fc.constant(sync("incremental")),
  fc.constant(sync("full_resync")),
  fc.constant(retry),
)

it(
  `${histories} random histories end like the model, and a full resync converges (B11)`,
  async () => {
    await w.sql(
      `insert into suppression_list (organization_id, cycle_at, changed_at)
       values ($1, now() + interval '1 day', now())
       on conflict (organization_id) do update set cycle_at = excluded.cycle_at`,
      [w.organizationId],
    )
    let deliveries = 0
    await fc.assert(
      fc.asyncProperty(
        found,
        fc.array(anyStep, { ...steps, size: "max" }),
        found,
        async (first, commands, last) => {
          await w.sql("delete from suppression_rule where organization_id = $1", [w.organizationId])
          const destination = await w.webhook()
          const model: Model = {
            runs: [],
            suppressed: new Set(),
            refused: new Set(),
            isStrict: true,
            known: new Map(),
            held: new Map(),
            baseline: undefined,
            last: undefined,
          }
          const real: Real = { destination, held: new Map() }
          w.receiver.answer = (one, response) => {
            if (one.event["event"] !== contactEvent) return status(204)(one, response)
            const { contact } = one.event["data"] as {
              readonly contact: { readonly email: string; readonly jobTitle: string }
            }
            const name = contact.email.split("@")[0] as Name
            if (model.refused.has(name)) return status(422)(one, response)
            real.held.set(name, Number(contact.jobTitle.split(" ")[1]))
            status(204)(one, response)
          }
          await w.world.changed(destination, { validationPolicy: "valid_or_catchall" })

          model.runs.push(first)
          await w.run(destination.audienceId, first.map(rowOf))
          await fc.asyncModelRun(() => ({ model, real }), commands)

          for (const name of [...model.suppressed]) await suppress(model, name)
          model.refused = new Set()
          model.runs.push(last)
          await w.run(destination.audienceId, last.map(rowOf))
          await sync("full_resync").run(model, real)
          deliveries += w
            .received(destination.path)
            .filter(({ event }) => event["event"] === "intent.audience.sync.completed").length
        },
      ),
      {
        numRuns: histories,
        seed: Number(process.env["SEED"] ?? 20_260_310),
        endOnFailure: !isSoak,
      },
    )
    expect(deliveries).toBeGreaterThan(histories * 2)
  },
  isSoak ? 3_600_000 : 240_000,
)
