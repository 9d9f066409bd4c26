// Requests, creates and lists exports of a run (spec 2.14, 4.6, 5.9). For their files see downloads.test.ts.
import { createHash } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { ask } from "../support.ts"
import {
  endedExport,
  exportCsv,
  people,
  putRun,
  readExport,
  requestExport,
  runPath,
} from "./support.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe("an export", () => {
  it("is new with 201 and no link, and has its link when it is completed", async () => {
    const quiet = await startServer({ beside: server, workers: false })
    const run = await putRun(server, server, { name: "Buyers!", rows: people(3) })

    const { data, status } = await requestExport(quiet, run)

    expect(status).toBe(201)
    expect(data).toEqual({
      export: {
        id: expect.any(String),
        organizationId: server.organizationId,
        audienceId: run.audienceId,
        runId: run.runId,
        exportType: "csv",
        status: "processing",
        contentType: "text/csv; charset=utf-8",
        byteSize: null,
        rowCount: null,
        fileName: "buyers-2026-03-10.csv",
        contentSha256: null,
        errorCode: null,
        errorMessage: null,
        requestedBy: null,
        completedAt: null,
        expiresAt: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      downloadUrl: null,
      downloadUrlExpiresAt: null,
      downloadUrlTtlSeconds: null,
    })
    await quiet.close()
    const ended = await endedExport(server, run)
    const { text } = await exportCsv(server, run)
    expect(ended).toMatchObject({
      export: {
        id: data.export.id,
        status: "completed",
        byteSize: Buffer.byteLength(text),
        rowCount: 3,
        contentSha256: createHash("sha256").update(text).digest("hex"),
      },
      downloadUrlTtlSeconds: 86_400,
    })
    const { completedAt, expiresAt } = ended.export
    expect(Date.parse(String(expiresAt)) - Date.parse(String(completedAt))).toBe(7 * 86_400_000)
    const lifeMs = Date.parse(String(ended.downloadUrlExpiresAt)) - Date.now()
    expect(lifeMs).toBeGreaterThan(86_000_000)
    expect(lifeMs).toBeLessThanOrEqual(86_400_000)
  })

  it("is reused: 202 while it is created, 200 once it exists, one for any number of requests", async () => {
    const run = await putRun(server, server, { rows: people(1) })
    const quiet = await startServer({ beside: server, workers: false })

    const answers = await Promise.all(Array.from({ length: 20 }, () => requestExport(quiet, run)))

    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    for (const { data, status } of answers) {
      expect(status).toBe(status === 201 ? 201 : data.export.status === "processing" ? 202 : 200)
    }
    expect(new Set(answers.map(({ data }) => data.export.id)).size).toBe(1)
    const ended = await endedExport(server, run)
    const again = await requestExport(server, run)
    expect(again).toMatchObject({ status: 200, data: { export: { id: ended.export.id } } })
    expect(again.data.downloadUrl).not.toBeNull()
    await quiet.close()
  })

  it("is replayed only for a repeated Idempotency-Key, in its current state", async () => {
    const run = await putRun(server, server, { rows: people(2) })
    const created = async (key: string | undefined, body: object) => {
      const response = await fetch(`${server.url}/v1/intent/audiences${runPath(run)}/exports`, {
        method: "POST",
        headers: {
          "x-api-key": server.apiKey,
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
        body: JSON.stringify(body),
      })
      const { data, error } = (await response.json()) as {
        readonly data: { readonly export: { readonly id: string; readonly status: string } }
        readonly error?: { readonly code: string }
      }
      const isReplay = response.headers.get("idempotent-replayed") === "true"
      return { status: response.status, isReplay, data, error }
    }

    const first = await created("monday", { exportType: "csv" })
    const ended = await endedExport(server, run)
    const repeated = await created("monday", { exportType: "csv" })
    const reused = await created(undefined, { exportType: "csv" })
    const otherKey = await created("tuesday", { exportType: "csv" })
    const otherBody = await created("monday", { exportType: "parquet" })

    expect(first).toMatchObject({ status: 201, isReplay: false })
    expect(repeated).toMatchObject({
      status: 200,
      isReplay: true,
      data: { export: { id: ended.export.id, status: "completed" } },
    })
    expect(reused).toMatchObject({ status: 200, isReplay: false })
    expect(otherKey).toMatchObject({ status: 200, isReplay: false })
    expect(otherBody).toMatchObject({ status: 409, error: { code: "IDEMPOTENCY_MISMATCH" } })
  })

  it("says which user requested it", async () => {
    const user = await server.makeUser("member")
    const run = await putRun(server, server)

    const { data } = await requestExport(server, run, {
      headers: { authorization: `Bearer ${user.accessToken}` },
    })

    expect(data.export["requestedBy"]).toBe(user.userId)
  })

  it("cannot be requested by a viewer", async () => {
    const { accessToken } = await server.makeUser("viewer")
    const run = await putRun(server, server)

    const asked = { headers: { authorization: `Bearer ${accessToken}` } }

    expect(await requestExport(server, run, asked)).toMatchObject({
      status: 403,
      error: { code: "FORBIDDEN", details: { required: "member" } },
    })
  })

  it.each(["queued", "running", "failed", "cancelled"])(
    "is a conflict for a %s run",
    async (status) => {
      const run = await putRun(server, server, { status })

      expect(await requestExport(server, run)).toMatchObject({
        status: 409,
        error: { code: "RUN_NOT_COMPLETED", details: { status } },
      })
    },
  )

  it("accepts no body, {} or a known format, and nothing else", async () => {
    const run = await putRun(server, server)

    expect(await requestExport(server, run, { body: {} })).toMatchObject({ status: 201 })
    const csv = await requestExport(server, run, { body: { exportType: "csv" } })
    expect([200, 202]).toContain(csv.status)
    for (const body of [{ exportType: "xlsx" }, { format: "csv" }]) {
      expect(await requestExport(server, run, { body })).toMatchObject({
        status: 400,
        error: { code: "VALIDATION_ERROR" },
      })
    }
  })

  it("is listed with its run, newest first, page by page", async () => {
    const run = await putRun(server, server)
    const ids = []
    for (let each = 0; each < 3; each++) {
      ids.unshift((await endedExport(server, run)).export.id)
      await server.sql("update run_export set status = 'failed' where id = $1", [ids[0]])
    }

    const first = await ask<ReadonlyArray<{ id: string }>>(
      server,
      "GET",
      `${runPath(run)}/exports?limit=2`,
    )
    const next = await ask<ReadonlyArray<{ id: string }>>(
      server,
      "GET",
      `${runPath(run)}/exports?limit=2&cursor=${String(first.meta["nextCursor"])}`,
    )

    expect(first.meta).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true })
    expect(next.meta).toMatchObject({ total: 3, limit: 2, offset: 2, hasMore: false })
    expect([...first.data, ...next.data].map(({ id }) => id)).toEqual(ids)
  })

  it("is not reused after a failure, and says why it failed", async () => {
    const run = await putRun(server, server)
    const { data } = await requestExport(server, run)
    await vi.waitFor(() => endedExport(server, run))
    await server.sql(
      `update run_export set status = 'failed', error_code = 'STORAGE_ERROR', error_message = 'Full.'
       where id = $1`,
      [data.export.id],
    )

    expect((await readExport(server, run, data.export.id)).data).toMatchObject({
      export: { status: "failed", errorCode: "STORAGE_ERROR", errorMessage: "Full." },
      downloadUrl: null,
    })
    expect((await requestExport(server, run)).status).toBe(201)
  })
})
