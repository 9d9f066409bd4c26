// Exports whose file cannot be written (spec 2.14, 4.6, 9), with real faults: the organization's folder isn't a folder,
// Postgres has no space, the worker is lost. There is no file and no link, the record has the reason, and the download
// can be retried. Other files in DATA_DIR/exports stop no cleanup.
import { randomUUID } from "node:crypto"
import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import {
  type ExportAnswer,
  people,
  type PutRun,
  putRun,
  readExport,
  requestExport,
} from "./support.ts"

let server: TestServer
let exports: string
/** The folder of the organization's files. */
let folder: string

beforeAll(async () => {
  const dataDir = join(inject("temporaryDirectory"), `data-${randomUUID()}`)
  server = await startServer({ dataDir })
  exports = join(dataDir, "exports")
  folder = join(exports, server.organizationId)
  await mkdir(exports, { recursive: true })
})

afterAll(() => server.close())

/** Returns the export after this many failed attempts. The attempt after the last one is due at once. */
const failedTimes = async (run: PutRun, attempts: number): Promise<ExportAnswer> => {
  const { data } = await requestExport(server, run)
  const { id } = data.export
  for (let failed = 1; failed <= attempts; failed++) {
    await vi.waitFor(
      async () => {
        const [row] = await server.sql(
          "select attempts, leased_until is null as free from run_export where id = $1",
          [id],
        )
        expect(row).toEqual({ attempts: failed, free: true })
      },
      { timeout: 30_000, interval: 25 },
    )
    if (failed < attempts) {
      await server.sql("update run_export set next_attempt_at = now() where id = $1", [id])
    }
  }
  return (await readExport(server, run, id)).data
}

const due = (id: string) =>
  server.sql("update run_export set next_attempt_at = now() where id = $1", [id])

const completed = (run: PutRun, id: string) =>
  vi.waitFor(
    async () => {
      const { data } = await readExport(server, run, id)
      expect(data.export).toMatchObject({ status: "completed", errorCode: null, rowCount: 3 })
      return data
    },
    { timeout: 30_000, interval: 25 },
  )

describe("STORAGE_ERROR", () => {
  it("is shown on an export that waits for its next attempt, which clears it", async () => {
    const run = await putRun(server, server, { rows: people(3) })
    await writeFile(folder, "")
    const waiting = await failedTimes(run, 1)
    await rm(folder)
    await due(waiting.export.id)

    expect(waiting).toMatchObject({
      export: { status: "processing", errorCode: "STORAGE_ERROR", contentSha256: null },
      downloadUrl: null,
    })
    const { downloadUrl } = await completed(run, waiting.export.id)
    expect((await fetch(String(downloadUrl))).status).toBe(200)
    await rm(folder, { recursive: true })
  })

  it("ends an export at its third attempt, and another one can be requested", async () => {
    const run = await putRun(server, server, { rows: people(3) })
    await writeFile(folder, "")
    const failed = await failedTimes(run, 3)
    await rm(folder)

    expect(failed).toMatchObject({
      export: {
        status: "failed",
        errorCode: "STORAGE_ERROR",
        errorMessage: "The file could not be written.",
        byteSize: null,
        rowCount: null,
      },
      downloadUrl: null,
    })
    const { data, status } = await requestExport(server, run)
    expect([status, data.export.id === failed.export.id]).toEqual([201, false])
    await completed(run, data.export.id)
    await rm(folder, { recursive: true })
  })
})

describe("STORAGE_ERROR, when Postgres has no space left (SQLSTATE class 53)", () => {
  const temporaryFiles = `
    create function out_of_room() returns boolean language plpgsql
    set work_mem = '64kB' set temp_file_limit = 0 as $$ begin
      perform count(*) from generate_series(1, 100000) as n;
      return true;
    end $$`
  const onCompletion = `
    create function completing() returns trigger language plpgsql
    as $$ begin perform out_of_room(); return new; end $$;
    create trigger completing before update on run_export for each row
    when (new.status = 'completed') execute function completing()`
  const onReading = `
    alter table run_result rename to kept_result;
    create view run_result as select * from kept_result where out_of_room()`

  it.each([
    [
      "to read the results",
      onReading,
      "drop view run_result; alter table kept_result rename to run_result",
    ],
    ["to complete the record", onCompletion, "drop function completing cascade"],
  ])(
    "%s: retried, fails at the third attempt, and succeeds once there is space",
    async (...fault) => {
      const [, begin, end] = fault
      const runs = [
        await putRun(server, server, { rows: people(3) }),
        await putRun(server, server, { rows: people(3) }),
      ] as const
      await server.sql(temporaryFiles)
      await expect(server.sql("select out_of_room()")).rejects.toMatchObject({ code: "53400" })
      await server.sql(begin)
      const waiting = await failedTimes(runs[0], 1)
      const failed = await failedTimes(runs[1], 3)
      await server.sql(end)
      await server.sql("drop function out_of_room")
      await due(waiting.export.id)

      const told = { errorCode: "STORAGE_ERROR", errorMessage: expect.stringContaining("database") }
      expect(waiting.export).toMatchObject({ status: "processing", ...told })
      expect(failed.export).toMatchObject({ status: "failed", contentSha256: null, ...told })
      await completed(runs[0], waiting.export.id)
      const { data, status } = await requestExport(server, runs[1])
      expect([status, data.export.id === failed.export.id]).toEqual([201, false])
      await completed(runs[1], data.export.id)
      await rm(folder, { recursive: true })
    },
  )
})

describe("INTERNAL_ERROR", () => {
  it("ends an export whose third worker was lost, and another one can be requested", async () => {
    const run = await putRun(server, server, { rows: people(3) })
    const id = randomUUID()
    await server.sql(
      `insert into run_export (organization_id, id, audience_id, run_id, file_name, attempts, claim, leased_until)
       values ($1, $2, $3, $4, 'buyers.csv', 3, 3, now() - interval '1 second')`,
      [run.organizationId, id, run.audienceId, run.runId],
    )
    await vi.waitFor(
      async () =>
        expect((await readExport(server, run, id)).data).toMatchObject({
          export: {
            status: "failed",
            errorCode: "INTERNAL_ERROR",
            errorMessage: "The worker stopped before the file was written.",
            contentSha256: null,
          },
          downloadUrl: null,
        }),
      { timeout: 30_000, interval: 25 },
    )

    const { data, status } = await requestExport(server, run)
    expect([status, data.export.id === id]).toEqual([201, false])
    await completed(run, data.export.id)
    await rm(folder, { recursive: true })
  })
})

it("a download is 503 while the files cannot be reached, and works afterwards", async () => {
  const run = await putRun(server, server, { rows: people(3) })
  const { data } = await requestExport(server, run)
  const { downloadUrl } = await completed(run, data.export.id)
  await rm(folder, { recursive: true })
  await writeFile(folder, "")
  const unreachable = await fetch(String(downloadUrl))
  await rm(folder)
  const reachable = await fetch(String(downloadUrl))
  await rm(folder, { recursive: true })

  expect([unreachable.status, await unreachable.json()]).toEqual([
    503,
    expect.objectContaining({
      error: {
        code: "SERVICE_UNAVAILABLE",
        message: "The file is not available right now. Try again in a moment.",
      },
    }),
  ])
  expect(reachable.status).toBe(200)
})

describe("incomplete files", () => {
  const sha256 = "0".repeat(64)
  const standing = {
    processing: "null, null, null",
    completed: "now(), now() + interval '1 day', $6",
  }

  /** Puts a claimed export, with files of two attempts, of a download, and a complete one. */
  const putExport = async (status: "processing" | "completed", claim: number) => {
    const run = await putRun(server, server, { rows: people(3) })
    const id = randomUUID()
    await server.sql(
      `insert into run_export (organization_id, id, audience_id, run_id, file_name, attempts, claim, status,
         leased_until, completed_at, expires_at, content_sha256)
       select $1, $2, $3, $4, 'buyers.csv', 2, $5, '${status}',
         ${status === "processing" ? "now() + interval '1 hour'" : "null"}, ${standing[status]}`,
      [
        ...[run.organizationId, id, run.audienceId, run.runId, claim],
        ...(status === "completed" ? [sha256] : []),
      ],
    )
    const files = {
      killed: `${id}.9.${randomUUID()}.part`,
      current: `${id}.10.${randomUUID()}.part`,
      download: `${id}.${randomUUID()}.part`,
      whole: `${id}.${sha256}.csv`,
    }
    for (const name of Object.values(files)) await writeFile(join(folder, name), "")
    return files
  }

  it("of a killed attempt are deleted once the next one has begun, and those that may be in use stay", async () => {
    await mkdir(folder)
    const held = await putExport("processing", 9)
    const takenOver = await putExport("processing", 10)
    const completed = await putExport("completed", 10)
    const stays = [
      ...Object.values(held),
      ...[takenOver.current, takenOver.download, takenOver.whole],
      ...[completed.download, completed.whole],
    ].toSorted()

    await expect
      .poll(async () => (await readdir(folder)).toSorted(), { timeout: 12_000, interval: 25 })
      .toEqual(stays)
    await rm(folder, { recursive: true })
  })
})

it("a file in place of the exports folder does not stop the sweep", async () => {
  await writeFile(join(exports, ".DS_Store"), "")
  await mkdir(folder)
  await writeFile(join(folder, `${randomUUID()}.${"0".repeat(64)}.csv`), "left by a killed process")

  await expect.poll(() => readdir(folder), { timeout: 12_000, interval: 100 }).toEqual([])
})
