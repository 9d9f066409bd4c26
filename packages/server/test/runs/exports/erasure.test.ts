// Export files and an erased person (spec 5.1): from the commit on, no downloadable file contains the person, and soon
// after no file on disk does.
import { randomUUID } from "node:crypto"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest"
import { emailHashOf } from "../../../src/collect/visits/email-address.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { putPerson, putSessions } from "../../visitors/sessions/person.ts"
import { endedExport, people, putRun, type PutRow, requestExport } from "./support.ts"

let server: TestServer
let dataDir: string
beforeAll(async () => {
  dataDir = join(inject("temporaryDirectory"), `exports-${randomUUID()}`)
  server = await startServer({ dataDir })
})
afterAll(() => server.close())

const email = "erased@acme.example"
const rows: ReadonlyArray<PutRow> = [{ business_email: email }, ...people(2)]

const identified = async () => {
  const person = await putPerson(server, server, email)
  await putSessions(server, server, { person, startedAt: new Date().toISOString() })
}

const erase = async () => {
  const response = await fetch(`${server.url}/v1/data/visitors/${emailHashOf(email)}`, {
    method: "DELETE",
    headers: { "x-api-key": server.apiKey },
  })
  expect(response.status).toBe(200)
}

it("ends the files that contain the person, and no others", async () => {
  const run = await putRun(server, server, { rows })
  const other = await putRun(server, server, { rows: people(2) })
  const [file, kept] = [await endedExport(server, run), await endedExport(server, other)]
  await identified()

  await erase()

  expect((await fetch(String(file.downloadUrl))).status).toBe(404)
  expect((await fetch(String(kept.downloadUrl))).status).toBe(200)
  const again = await endedExport(server, run)
  const text = await (await fetch(String(again.downloadUrl))).text()
  expect(again.export).toMatchObject({ status: "completed", rowCount: 2 })
  expect(again.export.id).not.toBe(file.export.id)
  expect(text).not.toContain(email)
  await vi.waitFor(
    async () => {
      const names = await readdir(join(dataDir, "exports", server.organizationId))
      expect(names.some((name) => name.startsWith(file.export.id))).toBe(false)
    },
    { timeout: 12_000, interval: 100 },
  )
})

it("makes a file that is being created start over without the person", async () => {
  const quiet = await startServer({ beside: server, workers: false, dataDir })
  const run = await putRun(server, server, { rows })
  await identified()
  // A worker that has read the results and has not written its outcome yet.
  const { data } = await requestExport(quiet, run)
  await endedExport(server, run)
  await server.sql(
    `update run_export set status = 'processing', attempts = 1, claim = claim + 1,
       leased_until = now() + interval '1 hour', completed_at = null, expires_at = null
     where id = $1`,
    [data.export.id],
  )
  const [before] = await server.sql("select claim from run_export where id = $1", [data.export.id])

  await erase()

  const ended = await endedExport(server, run)
  expect(ended.export).toMatchObject({ id: data.export.id, status: "completed", rowCount: 2 })
  const [after] = await server.sql("select claim from run_export where id = $1", [data.export.id])
  expect(Number(after?.["claim"])).toBeGreaterThan(Number(before?.["claim"]))
  expect(await (await fetch(String(ended.downloadUrl))).text()).not.toContain(email)
  await quiet.close()
})
