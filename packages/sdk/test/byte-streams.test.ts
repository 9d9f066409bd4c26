// Binary responses: read as they arrive, at the reader's pace, and written to a file as a whole or not at all.

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  AbortedError,
  ConflictError,
  ConnectionError,
  Footfall,
  PermissionError,
  TimeoutError,
} from "../src/index.ts"
import { scriptedServer } from "./support/scripted-server.ts"

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "footfall-sdk-"))
})
afterEach(() => rm(directory, { recursive: true }))

const apiKey = "sk_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa33EDWO"
const headers = {
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": 'attachment; filename="buyers-2026-03-10.csv"',
}
const encoder = new TextEncoder()

interface Source {
  readonly chunks: AsyncIterable<string>
  /** True once the body was canceled. */
  isCancelled: boolean
}

const clientOf = (source: Source, requests: Array<Request> = []) =>
  new Footfall({
    apiKey,
    maxRetries: 0,
    fetch: async (request) => {
      requests.push(request)
      const chunks = source.chunks[Symbol.asyncIterator]()
      return new Response(
        new ReadableStream<Uint8Array>(
          {
            pull: async (controller) => {
              const next = await chunks.next()
              if (next.done) controller.close()
              else controller.enqueue(encoder.encode(next.value))
            },
            cancel: () => {
              source.isCancelled = true
            },
          },
          { highWaterMark: 0 },
        ),
        { headers },
      )
    },
  })

const sourceOf = (chunks: AsyncIterable<string>): Source => ({ chunks, isCancelled: false })

async function* finite(...chunks: ReadonlyArray<string>) {
  yield* chunks
}

async function* stalling() {
  yield "a,b\r\n"
  await new Promise(() => {})
}

async function* breaking() {
  yield "a,b\r\n"
  throw new Error("socket hang up")
}

const readAll = async (bytes: AsyncIterable<Uint8Array>) => {
  let text = ""
  for await (const chunk of bytes) text += new TextDecoder().decode(chunk)
  return text
}

describe("a stream", () => {
  it("returns the requested bytes and the file name", async () => {
    const requests: Array<Request> = []
    const footfall = clientOf(sourceOf(finite("a,", "b\r\n")), requests)

    const stream = await footfall.runs.exportCsv("a", "r", { raw: true })

    expect(stream).toMatchObject({ fileName: "buyers-2026-03-10.csv", byteSize: null })
    expect(await readAll(stream)).toBe("a,b\r\n")
    expect(requests[0]?.url).toMatch(/\/v1\/intent\/audiences\/a\/runs\/r\/export\.csv\?raw=true$/)
    expect(requests[0]?.headers.get("accept")).toBe("text/csv")
  })

  it("is read only as fast as its reader consumes it", async () => {
    let made = 0
    const endless = async function* () {
      for (;;) yield String(made++)
    }
    const source = sourceOf(endless())
    const stream = await clientOf(source).runs.exportCsv("a", "r")

    let read = 0
    for await (const _ of stream) {
      read++
      await new Promise((resolve) => setImmediate(resolve))
      expect(made - read).toBeLessThanOrEqual(2)
      if (read === 20) break
    }

    expect(source.isCancelled).toBe(true)
  })

  it("ends with its signal, and cancels the body", async () => {
    const source = sourceOf(stalling())
    const controller = new AbortController()
    const stream = await clientOf(source).runs.exportCsv(
      "a",
      "r",
      {},
      { signal: controller.signal },
    )

    const reading = readAll(stream)
    setTimeout(() => controller.abort(), 20)

    await expect(reading).rejects.toThrow(AbortedError)
    expect(source.isCancelled).toBe(true)
  })

  it("fails if the next bytes are late, but lets its reader take any time", async () => {
    const stream = await clientOf(sourceOf(stalling())).runs.exportCsv(
      "a",
      "r",
      {},
      { timeoutMs: 50 },
    )
    const patient = await clientOf(sourceOf(finite("a", "b"))).runs.exportCsv(
      "a",
      "r",
      {},
      { timeoutMs: 50 },
    )

    await expect(readAll(stream)).rejects.toThrow(TimeoutError)
    let text = ""
    for await (const chunk of patient) {
      await new Promise((resolve) => setTimeout(resolve, 80))
      text += new TextDecoder().decode(chunk)
    }
    expect(text).toBe("ab")
  })

  it("a stream that breaks off is an error, not an end", async () => {
    const stream = await clientOf(sourceOf(breaking())).runs.exportCsv("a", "r")

    await expect(readAll(stream)).rejects.toThrow(ConnectionError)
  })

  it("a rejected request throws the error of its status", async () => {
    const refusing = new Footfall({
      apiKey,
      fetch: async () =>
        Response.json(
          {
            error: { code: "RUN_NOT_COMPLETED", message: "no", details: { status: "queued" } },
            meta: {},
          },
          { status: 409 },
        ),
    })

    await expect(refusing.runs.exportCsv("a", "r")).rejects.toThrow(ConflictError)
  })
})

it("the archive of a person is a stream, and takes the access token even if there is a key", async () => {
  const asked: Array<Request> = []
  const client = new Footfall({
    apiKey,
    accessToken: "header.claims.signature",
    fetch: async (request: Request) => {
      asked.push(request)
      return new Response("PK")
    },
  })
  const text = await readAll(await client.visitors.archive("a".repeat(64)))

  expect(text).toBe("PK")
  expect(new URL(asked[0]!.url).pathname).toBe(`/v1/data/visitors/${"a".repeat(64)}/archive`)
  expect(asked[0]!.headers.get("authorization")).toBe("Bearer header.claims.signature")
  expect(asked[0]!.headers.get("x-api-key")).toBeNull()
})

describe("a file", () => {
  it("is written whole, and its bytes are counted", async () => {
    const path = join(directory, "out.csv")
    const stream = await clientOf(sourceOf(finite("a,", "b\r\n"))).runs.exportCsv("a", "r")

    expect(await stream.toFile(path)).toBe(5)
    expect(await readFile(path, "utf8")).toBe("a,b\r\n")
    expect(await readdir(directory)).toEqual(["out.csv"])
  })

  it("does not exist after the stream breaks off; an earlier file stays", async () => {
    const path = join(directory, "out.csv")
    await writeFile(path, "before")
    const stream = await clientOf(sourceOf(breaking())).runs.exportCsv("a", "r")

    await expect(stream.toFile(path)).rejects.toThrow(ConnectionError)
    expect(await readFile(path, "utf8")).toBe("before")
    expect(await readdir(directory)).toEqual(["out.csv"])
  })
})

describe("a signed link", () => {
  const link = {
    export: { id: "e" },
    downloadUrl:
      "https://elsewhere.example/base/v1/intent/exports/e/download?expires=1&signature=s",
  } as Parameters<Footfall["exports"]["toStream"]>[0]

  it("is requested from the client's own server, without credentials", async () => {
    const requests: Array<Request> = []
    const footfall = clientOf(sourceOf(finite("a")), requests)

    await footfall.exports.toFile(link, join(directory, "out.csv"))

    expect(requests[0]?.url).toBe(
      "http://127.0.0.1:4100/v1/intent/exports/e/download?expires=1&signature=s",
    )
    expect(requests[0]?.headers.get("x-api-key")).toBeNull()
  })

  it("that has expired is a PermissionError", async () => {
    const refusing = new Footfall({
      apiKey,
      fetch: async () =>
        Response.json(
          {
            error: { code: "LINK_EXPIRED", message: "over", details: { reason: "expired" } },
            meta: {},
          },
          { status: 403 },
        ),
    })

    await expect(refusing.exports.toStream(link)).rejects.toThrow(PermissionError)
  })
})

it("keeps no chunk that it has already returned", { timeout: 60_000 }, async () => {
  await using server = await scriptedServer([
    (response) => {
      response.writeHead(200, headers)
      Readable.from(manyChunks(), { objectMode: false }).pipe(response)
    },
  ])
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  const footfall = new Footfall({ apiKey, baseUrl: server.baseUrl })
  let bytes = 0
  let keptMax = 0

  for await (const chunk of await footfall.runs.exportCsv("a", "r", { raw: true })) {
    const before = bytes
    bytes += chunk.byteLength
    if (Math.floor(bytes / tenMegabytes) === Math.floor(before / tenMegabytes)) continue
    collect()
    keptMax = Math.max(keptMax, process.memoryUsage().arrayBuffers)
  }

  expect(bytes).toBe(chunkCount * chunkBytes)
  expect(keptMax).toBeLessThan(bytes / 2)
})

const chunkBytes = 65_536
const chunkCount = 2_400
const tenMegabytes = 10_000_000

function* manyChunks() {
  for (let at = 0; at < chunkCount; at += 1) yield Buffer.alloc(chunkBytes, "a")
}
