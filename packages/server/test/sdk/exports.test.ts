// Exports through the SDK, against a real server: a stream, a file, and a stored file.
import { ConflictError, NotFoundError, PermissionError } from "@footfall/sdk"
import { createHash } from "node:crypto"
import { mkdtemp, readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { people, putRun, type PutRun } from "../runs/exports/support.ts"
import { startServer, type TestServer } from "../support/server.ts"

let server: TestServer
let run: PutRun
let directory: string
beforeAll(async () => {
  server = await startServer()
  run = await putRun(server, server, { rows: people(5_000) })
  directory = await mkdtemp(join(inject("temporaryDirectory"), "sdk-"))
})
afterAll(() => server.close())

it("a stream is the file, with its name", async () => {
  const stream = await server.sdk.runs.exportCsv(run.audienceId, run.runId)
  expect(stream.fileName).toBe("buyers-2026-03-10.csv")
  const file = join(directory, "stream.csv")

  const bytes = await stream.toFile(file)

  const text = await readFile(file, "utf8")
  expect(text.split("\r\n")).toHaveLength(5_002)
  expect(bytes).toBe(Buffer.byteLength(text))
})

it("a stored file is requested, awaited, listed and downloaded as its record says", async () => {
  const { audienceId, runId } = run
  const { export: asked } = await server.sdk.exports.create(audienceId, runId)

  const ready = await server.sdk.exports.wait(asked)

  const file = join(directory, "kept.csv")
  await server.sdk.exports.toFile(ready, file)
  const content = await readFile(file)
  expect(ready.export).toMatchObject({
    id: asked.id,
    status: "completed",
    rowCount: 5_000,
    byteSize: content.length,
    contentSha256: createHash("sha256").update(content).digest("hex"),
  })
  const { data } = await server.sdk.exports.list(audienceId, runId)
  expect(data.map(({ id }) => id)).toEqual([asked.id])
  const stream = await server.sdk.exports.toStream(ready)
  expect(stream.byteSize).toBe(content.length)
  for await (const chunk of stream) {
    expect(chunk.byteLength).toBeGreaterThan(0)
    break
  }
})

it("rejections are the errors of their status", async () => {
  const queued = await putRun(server, server, { status: "queued" })
  const { export: asked } = await server.sdk.exports.create(run.audienceId, run.runId)
  const ready = await server.sdk.exports.wait(asked)

  await expect(server.sdk.runs.exportCsv(queued.audienceId, queued.runId)).rejects.toThrow(
    ConflictError,
  )
  await expect(server.sdk.exports.create(queued.audienceId, run.runId)).rejects.toThrow(
    NotFoundError,
  )
  await expect(
    server.sdk.exports.toStream({ ...ready, downloadUrl: `${ready.downloadUrl}x` }),
  ).rejects.toThrow(PermissionError)
})
