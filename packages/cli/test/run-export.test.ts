// `footfall runs export` as a user runs it: to a file that is complete or absent, and into a pipe.

import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"
import { run } from "./fixtures/run-records.ts"
import { temporaryFolder } from "../../../scripts/test-run/temporary-folder.ts"

const csv = "hashedEmail,firstName\r\nabc,'=1+1\r\n"
const one = `/v1/intent/audiences/${run.audienceId}/runs/${run.id}`

let server: Server
let baseUrl: string
let asked: Array<string>
/** Whether the connection breaks halfway. */
let isBreaking: boolean
let directory: string

beforeEach(async () => {
  asked = []
  isBreaking = false
  directory = temporaryFolder("export")
  server = createServer((request, response) => {
    asked.push(String(request.url))
    if (request.url === one) {
      response.setHeader("content-type", "application/json")
      return void response.end(JSON.stringify({ data: run, meta: {} }))
    }
    response.setHeader("content-type", "text/csv; charset=utf-8")
    response.write(csv)
    if (isBreaking) setTimeout(() => response.destroy(), 50)
    else response.end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A socket that listens on TCP has an address of this form.
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const runExport = (...words: ReadonlyArray<string>) =>
  footfall(["runs", "export", run.audienceId, run.id, ...words], {
    environment: { FOOTFALL_BASE_URL: baseUrl, FOOTFALL_API_KEY: apiKey },
  })

test("writes the file and reports its contents", async () => {
  const file = join(directory, "buyers.csv")

  const { exitCode, stdout } = await runExport(file)

  expect(readFileSync(file, "utf8")).toBe(csv)
  expect(JSON.parse(stdout)).toEqual({
    data: { file, rows: run.resultCount, bytes: csv.length },
  })
  expect(asked[0]).toBe(`${one}/export.csv?raw=false`)
  expect(exitCode).toBe(0)
})

test("writes only the file to standard output", async () => {
  const { exitCode, stdout } = await runExport("-", "--raw")

  expect(stdout).toBe(csv)
  expect(asked).toEqual([`${one}/export.csv?raw=true`])
  expect(exitCode).toBe(0)
})

test("writes Parquet if the file name or --format says so, and never to a terminal", async () => {
  const byName = await runExport(join(directory, "buyers.parquet"))
  const byOption = await runExport("-", "--format", "parquet")
  const raw = await runExport(join(directory, "raw.parquet"), "--raw")

  expect(byName.exitCode).toBe(0)
  expect(byOption.stdout).toBe(csv)
  expect(asked.filter((path) => path !== one)).toEqual([
    `${one}/export.parquet`,
    `${one}/export.parquet`,
  ])
  expect(raw.exitCode).toBe(2)
  expect(raw.stderr).toContain("--raw is only for CSV.")
})

test("writes the file of an ad platform if --format names one, and says nothing of how many people are in it", async () => {
  const file = join(directory, "buyers-meta.csv")

  const { exitCode, stdout } = await runExport(file, "--format", "meta")
  const raw = await runExport(join(directory, "raw.csv"), "--format", "x", "--raw")
  const unknown = await runExport(join(directory, "unknown.csv"), "--format", "myspace")

  expect(exitCode).toBe(0)
  expect(readFileSync(file, "utf8")).toBe(csv)
  expect(JSON.parse(stdout)).toEqual({ data: { file, bytes: csv.length } })
  expect(asked).toEqual([`${one}/export?format=meta`])
  expect(raw.exitCode).toBe(2)
  expect(raw.stderr).toContain("--raw is only for CSV.")
  expect(unknown.exitCode).toBe(2)
  expect(unknown.stderr).toContain("linkedin")
})

test("leaves no partial file behind", async () => {
  isBreaking = true

  const { exitCode, stderr } = await runExport(join(directory, "buyers.csv"))

  expect(readdirSync(directory)).toEqual([])
  expect(stderr).toContain("the connection closed")
  expect(exitCode).toBe(1)
})

test("replaces a file only with --overwrite", async () => {
  const file = join(directory, "buyers.csv")
  writeFileSync(file, "before")

  const refused = await runExport(file)
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain("--overwrite")
  expect(asked).toEqual([])
  expect(readFileSync(file, "utf8")).toBe("before")

  expect((await runExport(file, "--overwrite")).exitCode).toBe(0)
  expect(readFileSync(file, "utf8")).toBe(csv)
})
