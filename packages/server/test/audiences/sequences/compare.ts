// The last step of every sequence compares everything the server returns with the reference.
import { expect } from "vitest"
import { path, type Saved } from "../lifecycle/support.ts"
import { compareExports } from "./export-steps.ts"
import { compareRun, type Run } from "./run-steps.ts"
import { Step } from "./step.ts"

/** Compares everything in the lists and in the account. Results stay as they were. */
export const compare = new Step("compare", async (reference, real) => {
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
    for (const run of runs) {
      await compareRun(real, audience, run)
      await compareExports(real, audience, run)
    }
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
