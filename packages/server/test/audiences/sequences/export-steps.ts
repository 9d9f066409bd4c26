// Exports and their files: they contain the run's results, whatever happened to the audience and the rules since it
// completed.
import { expect } from "vitest"
import { path } from "../lifecycle/support.ts"
import type { ModelAudience, ModelRun } from "./reference.ts"
import { about, count, expectOutcome, of, type Real } from "./step.ts"

interface Exported {
  readonly export: {
    readonly id: string
    readonly status: string
    readonly rowCount: number | null
  }
  readonly downloadUrl: string | null
}

/** Creates an export for the run, or uses the existing one. */
export const requestExport = (place: number, at: number) =>
  about(`export ${at} of`, place, async (reference, real, audience) => {
    const run = of(audience.runs, at)
    if (run === undefined) return
    const outcome = reference.requestExport(audience, run)
    const request = `POST ${path}/${audience.id}/runs/${run.id}/exports`
    const made = await expectOutcome<Exported>(real, [request], outcome)
    if (outcome.status === 404 || outcome.status === 409) return
    if (outcome.status === 201) run.export!.id = made.export.id
    expect(made.export).toMatchObject(run.export!)
    expect(made.downloadUrl !== null).toBe(run.export!.status === "completed")
  })

/** Compares the export of a run that has one, and its file. */
export const compareExports = async (real: Real, { id }: ModelAudience, run: ModelRun) => {
  const { body } = await real.ours.ask(`GET ${path}/${id}/runs/${run.id}/exports`)
  const expected = run.export === undefined ? [] : [run.export]
  expect(body.data).toMatchObject(expected)
  expect(body.data).toHaveLength(expected.length)
  if (run.export?.status !== "completed") return
  const answer = await real.ours.ask(`GET ${path}/${id}/runs/${run.id}/exports/${run.export.id}`)
  const { downloadUrl, export: found }: Exported = answer.body.data
  expect(found.rowCount).toBe(run.results.length)
  const csv = await (await fetch(downloadUrl!)).text()
  // The hash is the first column and never quoted, so a line that begins with one is a row.
  expect([...csv.matchAll(/^[0-9a-f]{64}(?=,)/gm)].map(([hash]) => hash)).toEqual(
    run.results.map(({ hem }) => hem),
  )
  if (run.results.length > 0) count(real, "an export had someone")
}
