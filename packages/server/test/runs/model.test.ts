// Random configurations over random worlds: the rows, counts and statistics of a run on a real Postgres match a naive
// evaluation in memory, field by field (spec 2.8, 2.11 to 2.13).
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import {
  type AudienceConfig,
  companySizes,
  configHash,
  employeesOf,
  normalizeConfig,
} from "../../src/intent/audiences/config.ts"
import { AudienceLifecycleStore } from "../../src/intent/audiences/lifecycle/store.ts"
import { Materialization } from "../../src/intent/runs/materialization/materialization.ts"
import { MaterializationStore } from "../../src/intent/runs/materialization/store.ts"
import type { ResultDbRow } from "../../src/intent/runs/results/result-row.ts"
import { ResultStore } from "../../src/intent/runs/results/store.ts"
import { RunCompletion } from "../../src/intent/runs/run.ts"
import { fillPaths, type Tallies } from "../../src/intent/runs/statistics/statistics.ts"
import { RunStore } from "../../src/intent/runs/store.ts"
import { emailKind } from "../../src/collect/visits/email-address.ts"
import { audiencesLayer } from "../audiences/audiences-layer.ts"
import { evaluate, type Found } from "../audiences/naive.ts"
import { segmentId } from "../audiences/segments.ts"
import { putWorld } from "../audiences/put-world.ts"
import { isInClickHouse } from "../support/clickhouse.ts"
import { dataDate, scores, topicIds, world, type World } from "../audiences/world.ts"

const worlds = process.env["FOOTFALL_SOAK"] === "1" ? 200 : isInClickHouse ? 10 : 12
const configsOfWorld = 8

const config = fc
  .record({
    segmentId,
    isAlone: fc.boolean(),
    topicIds: fc.uniqueArray(fc.constantFrom(...topicIds), { minLength: 1 }),
    bounds: fc.tuple(fc.constantFrom(...scores), fc.constantFrom(...scores)),
    minTopicOverlap: fc.constantFrom(1, 1, 2),
    filters: fc.constantFrom(
      {},
      {},
      { seniority: ["vp", "director"] },
      { hasBusinessEmail: true },
      { companyIndustry: ["logistics"], hasPhone: true },
      { hasPersonalEmail: false },
    ),
  })
  .map(({ bounds, isAlone, minTopicOverlap, segmentId, topicIds, ...rest }) =>
    normalizeConfig({
      ...rest,
      ...(segmentId === undefined ? {} : { segmentId }),
      topicIds: isAlone && segmentId !== undefined ? [] : topicIds,
      minScore: Math.min(...bounds),
      maxScore: Math.max(...bounds),
      minTopicOverlap: Math.min(minTopicOverlap, topicIds.length),
    }),
  )

const services = Materialization.layer.pipe(
  Layer.provide(Layer.succeed(RunCompletion, { completed: () => Effect.void })),
  Layer.provideMerge(
    Layer.mergeAll(
      AudienceLifecycleStore.layer,
      MaterializationStore.layer,
      ResultStore.layer,
      RunStore.layer,
    ),
  ),
  Layer.provideMerge(audiencesLayer),
)

/** Claims and performs a run. */
const perform = Effect.fnUntraced(function* (organizationId: string, asked: AudienceConfig) {
  const sql = yield* SqlClient.SqlClient
  const runs = yield* RunStore
  const materialization = yield* Materialization
  const key = { organizationId, audienceId: randomUUID() }
  const runId = randomUUID()
  const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
  yield* sql`
    insert into audience (organization_id, id, name, status, config)
    values (${organizationId}, ${key.audienceId}, 'Buyers', 'active', ${json(asked)})`
  yield* runs.insert({
    ...key,
    id: runId,
    runType: "manual",
    config: asked,
    configHash: configHash(asked),
    topics: asked.topicIds.map((topicId) => ({
      topicId,
      topicName: `Topic ${topicId}`,
      type: "b2b",
      industry: "logistics",
      category: "software",
    })),
    dataDate,
    hasSignals: true,
    idempotencyKey: runId,
  })
  const [claim] = yield* runs.jobs.claim({ limit: 1 })
  yield* materialization.perform(claim!)
  const run = (yield* runs.find({ ...key, runId }))!
  const rows = yield* (yield* ResultStore).rows({ organizationId, runId }, { offset: 0 }, 1_000)
  return { run, rows }
})

/** The first address of a kind, in the order of records, then of the visitor's addresses. */
const emailOf = ({ records, visitor }: Found["known"], kind: "business" | "personal") => {
  const other = kind === "business" ? "personal_email" : "business_email"
  for (const record of records) {
    const named = record[`${kind}_email`]
    if (named !== null) return named
    const found = [record.email, ...record.emails].find(
      (email) => email !== null && email !== record[other] && emailKind(email) === kind,
    )
    if (found !== undefined) return found
  }
  const [primary, ...rest] = visitor?.addresses ?? []
  if (primary === undefined) return null
  const ordered = [primary, ...rest.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))]
  return ordered.find((address) => address.kind === kind)?.email ?? null
}

const expected = (found: Found, place: number): ResultDbRow => {
  const { known } = found
  const employees = known.field("company_employee_count")
  const all = [...known.records, ...(known.visitor === undefined ? [] : [known.visitor])]
  return {
    position: place + 1,
    hashedEmail: found.hem,
    firstName: null,
    lastName: null,
    email: found.email,
    businessEmail: emailOf(known, "business"),
    personalEmail: emailOf(known, "personal"),
    emailStatus: null,
    phone: all.find(({ phones }) => phones.length > 0)?.phones[0] ?? null,
    linkedinUrl: known.field("linkedin_url"),
    headline: null,
    jobTitle: found.jobTitle,
    seniority: known.field("seniority"),
    department: known.field("department"),
    companyName: found.company,
    companyDomain: known.field("company_domain"),
    companyIndustry: known.field("industry"),
    companyIndustryGroup: null,
    companyRevenueRange: known.field("company_total_revenue"),
    companySize:
      employees === null
        ? null
        : (companySizes.find((size) => {
            const [least, most] = employeesOf(size)
            return least <= employees && employees <= most
          }) ?? null),
    companyLinkedinUrl: null,
    city: null,
    state: known.field("state"),
    country: null,
    ageRange: known.field("age_range"),
    gender: known.field("gender"),
    isB2b: known.field("is_b2b") as "y" | "n" | null,
    score: found.score,
    topicOverlap: found.overlap,
    matchedTopics: found.matched,
  }
}

const tally = (rows: ReadonlyArray<ResultDbRow>): Tallies => {
  const values: Readonly<Record<string, (row: ResultDbRow) => string | null>> = {
    fullName: (row) => row.firstName ?? row.lastName,
    primaryContactEmail: (row) => row.businessEmail ?? row.personalEmail,
  }
  const flat = (path: string) =>
    path.startsWith("company.")
      ? `company${path[8]!.toUpperCase()}${path.slice(9)}`
      : path.slice(path.indexOf(".") + 1)
  const count = (test: (row: ResultDbRow) => boolean) => rows.filter(test).length
  const sum = (value: (row: ResultDbRow) => number | null) =>
    rows.reduce((total, row) => total + (value(row) ?? 0), 0)
  const between = (least: number, most: number) =>
    count(({ score }) => score !== null && score >= least && score <= most)
  const filled = fillPaths.map((path) => {
    const value = values[path] ?? ((row) => row[flat(path) as keyof ResultDbRow] as string | null)
    return [path, count((row) => value(row) !== null)]
  })
  return {
    ...(Object.fromEntries(filled) as Tallies),
    "50-69": between(50, 69),
    "70-89": between(70, 89),
    "90-99": between(90, 100),
    "intent.score": sum(({ score }) => score),
    "intent.topicOverlap": sum(({ topicOverlap }) => topicOverlap),
  }
}

const unfiltered = (scene: World, asked: AudienceConfig) =>
  evaluate({ ...scene, rules: [] }, { ...asked, filters: {} }).length

layer(services)("the stored results of a run", (it) => {
  it.effect(
    "match a naive evaluation, with counts and tallies",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Layer.Success<typeof services>>()
        const seen = { people: 0, left: 0 }

        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              world,
              fc.array(config, { minLength: configsOfWorld, maxLength: configsOfWorld }),
              async (scene, configs) => {
                const { ours } = await Effect.runPromiseWith(context)(putWorld(scene))
                for (const asked of configs) {
                  const { rows, run } = await Effect.runPromiseWith(context)(perform(ours, asked))
                  const people = evaluate(scene, asked).map(expected)

                  assert.deepInclude(run, {
                    status: "completed",
                    errorMessage: null,
                    resultCount: people.length,
                    candidateCount: unfiltered(scene, asked),
                  })
                  assert.deepStrictEqual(rows, people)
                  assert.deepStrictEqual(run.tallies, tally(people))
                  seen.people += people.length
                  seen.left += run.candidateCount - people.length
                }
              },
            ),
            {
              numRuns: worlds,
              seed: Number(process.env["SEED"] ?? 20_260_310),
              endOnFailure: true,
            },
          ),
        )

        assert.isAtLeast(seen.people, worlds * 4)
        assert.isAtLeast(seen.left, worlds)
      }),
    600_000,
  )
})
