// Exports on a disk that is full (spec 2.14, 4.6, 5.9, 9): half a file is none, neither on the disk nor
// under a link, and what failed for want of room is made when there is room again. What does not fit is written to
// /dev/full, so that the kernel refuses it as it does on a full disk, without leave to mount a small one.
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

/** `room`: bytes of each new file for which there is room; `refused`: what the kernel said of the others. */
const disk = vi.hoisted(() => ({ room: Infinity, refused: new Array<string>() }))

vi.mock("@effect/platform-node", async (load) => {
  const platform = await load<typeof Platform>()
  const { layer } = platform.NodeServices
  const small = Layer.effect(FileSystem.FileSystem, Effect.map(FileSystem.FileSystem, onSmallDisk))
  return { ...platform, NodeServices: { layer: Layer.provideMerge(small, layer) } }
})

/** A declaration: the mock is made before the rest of this file runs. */
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
/** Where the files of the organization are. */
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

/** Room for the header and some of the rows. */
const someRoom = 1_500
const rows = people(20)

const expectWhole = async ({ downloadUrl, export: file }: ExportAnswer): Promise<void> => {
  const response = await fetch(String(downloadUrl))
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.status).toBe(200)
  expect(bytes.length).toBeGreaterThan(someRoom)
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(file.contentSha256)
}

it("a file without disk space fails, and is created when there is space", async () => {
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

it("a download whose file cannot be made again for want of room is 503, and the file when there is", async () => {
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
