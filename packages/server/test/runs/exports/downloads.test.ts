// Files of exports and their signed links (spec 2.14, 4.6, 5.9).
import { createHash, randomUUID } from "node:crypto"
import { readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { rotateDataKeys } from "../../support/data-keys.ts"
import { startServer, testSecret, type TestServer } from "../../support/server.ts"
import { ask } from "../support.ts"
import {
  endedExport,
  type ExportAnswer,
  people,
  putRun,
  type PutRun,
  readExport,
  requestExport,
} from "./support.ts"

let server: TestServer
let dataDir: string
beforeAll(async () => {
  dataDir = join(inject("temporaryDirectory"), `exports-${randomUUID()}`)
  server = await startServer({ dataDir })
})
afterAll(() => server.close())

const filesOf = async ({ organizationId }: Pick<PutRun, "organizationId">) =>
  readdir(join(dataDir, "exports", organizationId)).catch(() => [])

/** Creates a completed export in a new organization. `owner`: sends requests for that organization. */
const completed = async () => {
  const organization = await server.makeOrganization()
  const run = await putRun(server, organization, { rows: people(3) })
  const owner = { url: server.url, apiKey: organization.apiKey }
  const answer = await endedExport(owner, run)
  return { run, answer, owner }
}

const download = (answer: Pick<ExportAnswer, "downloadUrl">) => fetch(String(answer.downloadUrl))

const refusalOf = async (url: string) => {
  const response = await fetch(url)
  const { error } = (await response.json()) as {
    readonly error: { readonly code: string; readonly details?: unknown }
  }
  return { status: response.status, code: error.code, details: error.details }
}

const wrongSignature = { status: 403, code: "LINK_EXPIRED", details: { reason: "signature" } }
const gone = { status: 404, code: "NOT_FOUND", details: undefined }

describe("a download (K4)", () => {
  it("returns the file as an attachment that is never cached", async () => {
    const { answer, run } = await completed()

    const response = await download(answer)

    const text = await response.text()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="buyers-2026-03-10.csv"',
      "content-length": String(answer.export.byteSize),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    })
    expect(createHash("sha256").update(text).digest("hex")).toBe(answer.export.contentSha256)
    expect(await filesOf(run)).toEqual([`${answer.export.id}.${answer.export.contentSha256}.csv`])
  })

  it("has a new link each time the export is read", async () => {
    const { answer, owner, run } = await completed()
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 })
    const later = await readExport(owner, run, answer.export.id)
    vi.useRealTimers()

    expect(later.data.downloadUrl).not.toBe(answer.downloadUrl)
    expect((await fetch(String(later.data.downloadUrl))).status).toBe(200)
  })

  it("is rejected for an altered or missing part of the link", async () => {
    const { answer } = await completed()
    const { answer: other } = await completed()
    const url = new URL(String(answer.downloadUrl))
    const expires = url.searchParams.get("expires")
    const signature = url.searchParams.get("signature")
    const at = (id: string, query: string) =>
      `${server.url}/v1/intent/exports/${id}/download${query}`
    const { id } = answer.export

    expect(await refusalOf(at(id, ""))).toEqual(wrongSignature)
    expect(await refusalOf(at(id, `?expires=${expires}`))).toEqual(wrongSignature)
    expect(await refusalOf(at(id, `?signature=${signature}`))).toEqual(wrongSignature)
    expect(
      await refusalOf(at(id, `?expires=${Number(expires) + 1}&signature=${signature}`)),
    ).toEqual(wrongSignature)
    expect(await refusalOf(at(id, `?expires=${expires}&signature=${signature}x`))).toEqual(
      wrongSignature,
    )
    expect(
      await refusalOf(at(other.export.id, `?expires=${expires}&signature=${signature}`)),
    ).toEqual(wrongSignature)
    expect(await refusalOf(at(randomUUID(), `?expires=${expires}&signature=${signature}`))).toEqual(
      wrongSignature,
    )
    expect((await refusalOf(at("..%2f..%2fsecret", "?expires=1&signature=x"))).status).toBe(400)
    expect(
      await refusalOf(at(id, `?expires=${expires}&signature=${signature}&signature=${signature}`)),
    ).toMatchObject({ status: 400, code: "VALIDATION_ERROR" })
  })

  it("is rejected after 24 hours", async () => {
    const { answer } = await completed()
    const url = String(answer.downloadUrl)
    const end = Date.parse(String(answer.downloadUrlExpiresAt))
    vi.useFakeTimers({ toFake: ["Date"], now: end - 1_000 })
    const before = await fetch(url)
    vi.setSystemTime(end + 1_000)
    const after = await refusalOf(url)
    vi.useRealTimers()

    expect(before.status).toBe(200)
    expect(after).toEqual({ status: 403, code: "LINK_EXPIRED", details: { reason: "expired" } })
  })

  it("accepts a link signed with the previous secret, and none with another secret", async () => {
    const { answer } = await completed()
    const next = "the next secret of the tests: at least 32 characters"
    const changed = await startServer({ beside: server, secret: `${next},${testSecret}`, dataDir })
    await rotateDataKeys(server.sql, { from: testSecret, to: next })
    const foreign = await startServer({ beside: server, secret: next, dataDir })
    await rotateDataKeys(server.sql, { from: next, to: testSecret })
    const path = String(answer.downloadUrl).slice(server.url.length)

    expect((await fetch(changed.url + path)).status).toBe(200)
    expect(await refusalOf(foreign.url + path)).toEqual(wrongSignature)
    await changed.close()
    await foreign.close()
  })

  it("is not found for an export that has ended, whatever the link says", async () => {
    const { answer, owner, run } = await completed()
    const { id } = answer.export

    await server.sql("update run_export set expires_at = now() where id = $1", [id])

    expect(await refusalOf(String(answer.downloadUrl))).toEqual(gone)
    expect((await readExport(owner, run, id)).data).toMatchObject({
      export: { status: "expired" },
      downloadUrl: null,
    })
    expect((await requestExport(owner, run)).status).toBe(201)
  })

  it("is not found for an export of a deleted audience", async () => {
    const { answer, owner, run } = await completed()

    await ask(owner, "DELETE", `/${run.audienceId}`)

    expect(await refusalOf(String(answer.downloadUrl))).toEqual(gone)
  })

  it("is limited to 60 a minute per address", async () => {
    const limited = await startServer({ rateLimits: true, workers: false })
    const url = `${limited.url}/v1/intent/exports/${randomUUID()}/download`
    const statuses = []
    for (let each = 0; each < 61; each++) statuses.push((await fetch(url)).status)

    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 403), 429])
    await limited.close()
  })
})

describe("the file", () => {
  it("is recreated, byte for byte, by a replica that does not have it", async () => {
    const { answer } = await completed()
    const replicaDir = join(inject("temporaryDirectory"), `replica-${randomUUID()}`)
    const replica = await startServer({ beside: server, workers: false, dataDir: replicaDir })
    const path = String(answer.downloadUrl).slice(server.url.length)

    const texts = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(replica.url + path)).text()),
    )

    expect(new Set(texts)).toEqual(new Set([await (await download(answer)).text()]))
    await replica.close()
  })

  it("is 404 if the results it could be rebuilt from have changed", async () => {
    const { answer, run } = await completed()
    await rm(join(dataDir, "exports", run.organizationId), { recursive: true })
    await server.sql("delete from run_result where run_id = $1 and position = 2", [run.runId])

    expect(await refusalOf(String(answer.downloadUrl))).toEqual(gone)
    expect(await filesOf(run)).toEqual([])
  })

  it("is not served if it was cut or extended", async () => {
    const { answer, run } = await completed()
    const name = `${answer.export.id}.${answer.export.contentSha256}.csv`
    await writeFile(join(dataDir, "exports", run.organizationId, name), "half")

    const response = await download(answer)

    expect(Buffer.byteLength(await response.text())).toBe(answer.export.byteSize)
  })

  it("is removed soon after its export has ended, and so is an unknown file", async () => {
    const { answer, run } = await completed()
    const { answer: kept, run: keptRun } = await completed()
    const stray = `${randomUUID()}.${randomUUID()}.part`
    await writeFile(join(dataDir, "exports", run.organizationId, stray), "half")
    await server.sql("update run_export set expires_at = now() where id = $1", [answer.export.id])

    const statusOf = "select status from run_export where id = $1"
    await vi.waitFor(
      async () => {
        expect(await filesOf(run)).toEqual([])
        expect(await server.sql(statusOf, [answer.export.id])).toEqual([{ status: "expired" }])
      },
      { timeout: 40_000, interval: 250 },
    )

    expect(await filesOf(keptRun)).toHaveLength(1)
    expect((await download(kept)).status).toBe(200)
  })
})
