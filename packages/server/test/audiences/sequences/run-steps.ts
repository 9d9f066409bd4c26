// Starts, cancels and performs runs, and checks the contents of a completed one.
import { expect, vi } from "vitest"
import { path } from "../lifecycle/support.ts"
import type { ModelAudience, ModelRun } from "./reference.ts"
import { about, count, expectOutcome, of, type Real, Step } from "./step.ts"

export interface Run {
  readonly id: string
  readonly status: string
}

export const start = (place: number, key: string | undefined) =>
  about(`start ${key ?? "without a key"}`, place, async (reference, real, audience) => {
    const outcome = reference.start(audience, key)
    const headers = key === undefined ? {} : { "idempotency-key": key }
    const request = [`POST ${path}/${audience.id}/runs`, undefined, headers] as const
    const started = await expectOutcome<Run>(real, request, outcome)
    if (outcome.run === undefined) return
    if (outcome.status === 202) outcome.run.id = started.id
    expect(started).toMatchObject({ id: outcome.run.id, status: outcome.run.status })
  })

export const cancel = (place: number, at: number) =>
  about(`cancel ${at} of`, place, async (reference, real, audience) => {
    const run = of(audience.runs, at)
    if (run === undefined) return
    const outcome = reference.cancel(audience, run)
    await expectOutcome(real, [`DELETE ${path}/${audience.id}/runs/${run.id}`], outcome)
  })

/** Workers continue until nothing is left to do. */
export const work = new Step("work", async (reference, real) => {
  const { server } = real
  await server.embedded.workers.start()
  await vi.waitFor(
    async () => {
      const [row] = await server.sql(
        `select (select count(*) from audience_run where status in ('queued', 'running'))::int
           + (select count(*) from run_export where status = 'processing')::int as left`,
      )
      expect(row?.["left"]).toBe(0)
    },
    { timeout: 30_000, interval: 5 },
  )
  await server.embedded.workers.stop()
  const queued = reference.kept.flatMap((audience) =>
    audience.runs.filter(({ status }) => status === "queued").map((run) => ({ audience, run })),
  )
  reference.work()
  for (const { audience, run } of queued) {
    await compareRun(real, audience, run)
    if (run.results.length > 0) count(real, "a run found someone")
    if (run.suppressed > 0) count(real, "a rule left someone out")
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

export const compareRun = async (real: Real, { id }: ModelAudience, run: ModelRun) => {
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
