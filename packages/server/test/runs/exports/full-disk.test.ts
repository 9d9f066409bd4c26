// Exports on a full disk (spec 2.14, 4.6, 5.9, 9): an incomplete file is neither kept nor linked, and an export that
// failed for lack of space is created when there is space again. Data that doesn't fit is written to /dev/full, so that
// the kernel refuses it as on a full disk, without needing permission to mount a small one.
import type * as Platform from "@effect/platform-node"
import { Effect, FileSystem, Layer } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import {
  endedExport,
  type ExportAnswer,
  people,
  putRun,
  readExport,
  requestExport,
} from "./support.ts"

/** `room`: bytes of space for each new file. `refused`: the kernel's errors for the others. */
const disk = vi.hoisted(() => ({ room: Infinity, refused: new Array<string>() }))

vi.mock("@effect/platform-node", async (load) => {
  const platform = await load<typeof Platform>()
  const { layer } = platform.NodeServices
  const small = Layer.effect(FileSystem.FileSystem, Effect.map(FileSystem.FileSystem, onSmallDisk))
  return { ...platform, NodeServices: { layer: Layer.provideMerge(small, layer) } }
})

/** A function declaration, because the mock is created before the rest of this file runs. */
function onSmallDisk(files: FileSystem.FileSystem): FileSystem.FileSystem {
  return {
    ...files,
    open: Effect.fnUntraced(function* (path, options) {
      const file = yield* files.open(path, options)
      if (!path.endsWith(".part")) return file
      const full = yield* files.open("/dev/full", { flag: "w" })
      let { room } = disk
      const writeAll = Effect.fnUntraced(function* (bytes: Uint8Array) {
        const fits = bytes.subarray(0, room)
        room -= fits.length
        yield* file.writeAll(fits)
        yield* Effect.tapError(full.writeAll(bytes.subarray(fits.length)), ({ cause }) =>
          Effect.sync(() => disk.refused.push(String(cause))),
        )
      })
      return Object.create(file, { writeAll: { value: writeAll } }) as FileSystem.File
    }),
  }
}

let server: TestServer
/** The folder of the organization's files. */
let folder: string

beforeAll(async () => {
  const dataDir = join(inject("temporaryDirectory"), `data-${randomUUID()}`)
  server = await startServer({ dataDir })
  folder = join(dataDir, "exports", server.organizationId)
})

afterEach(async () => {
  disk.room = Infinity
  disk.refused = []
  await rm(folder, { recursive: true, force: true })
})

afterAll(() => server.close())

/** Space for the header and some of the rows. */
const someRoom = 1_500
const rows = people(20)

const expectWhole = async ({ downloadUrl, export: file }: ExportAnswer): Promise<void> => {
  const response = await fetch(String(downloadUrl))
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.status).toBe(200)
  expect(bytes.length).toBeGreaterThan(someRoom)
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(file.contentSha256)
}

it("a file fails without disk space, and is created when there is space", async () => {
  const run = await putRun(server, server, { rows })
  disk.room = someRoom
  const { data: asked } = await requestExport(server, run)
  const failed = await vi.waitFor(
    async () => {
      const { data } = await readExport(server, run, asked.export.id)
      expect(data.export.errorCode).not.toBeNull()
      return data
    },
    { timeout: 30_000, interval: 25 },
  )
  const left = await readdir(folder)
  disk.room = Infinity
  await server.sql("update run_export set next_attempt_at = now()")

  expect(disk.refused).toEqual([expect.stringContaining("ENOSPC")])
  expect(left).toEqual([])
  expect(failed).toMatchObject({
    export: { status: "processing", errorCode: "STORAGE_ERROR", rowCount: null, byteSize: null },
    downloadUrl: null,
  })
  const made = await endedExport(server, run)
  expect(made.export).toMatchObject({ id: asked.export.id, status: "completed", rowCount: 20 })
  await expectWhole(made)
})

it("a download whose file cannot be recreated for lack of space is 503, and works when there is space", async () => {
  const made = await endedExport(server, await putRun(server, server, { rows }))
  await rm(folder, { recursive: true })
  disk.room = someRoom
  const response = await fetch(String(made.downloadUrl))
  const { error } = (await response.json()) as { readonly error: unknown }
  const left = await readdir(folder)
  disk.room = Infinity

  expect(disk.refused).toEqual([expect.stringContaining("ENOSPC")])
  expect(left).toEqual([])
  expect(response.status).toBe(503)
  expect(error).toEqual({ code: "SERVICE_UNAVAILABLE", message: expect.any(String) })
  await expectWhole(made)
})
