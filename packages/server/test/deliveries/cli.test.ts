// The built command line for deliveries, against the real server and a real receiver: the commands, their output, and
// their exit codes (spec 1.1, 5.10).
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { DeliveryWorld, hashOf, people, status } from "./support.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const footfallPath = fileURLToPath(new URL("../../../cli/bin/footfall.js", import.meta.url))

let world: DeliveryWorld

beforeAll(async () => {
  world = await DeliveryWorld.start()
})
afterAll(() => world.close())
beforeEach(() => {
  world.receiver.answer = status(204)
})

const run = async (...words: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [footfallPath, ...words], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      HOME: process.env["HOME"],
      FOOTFALL_CONFIG_DIR: temporaryFolder("cli"),
      FOOTFALL_BASE_URL: world.world.server.url,
      FOOTFALL_ACCESS_TOKEN: world.world.member.accessToken,
    },
  })
  child.stdin.end()
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on("close", resolve)),
  ])
  return { out, err, code, data: out.startsWith("{") ? JSON.parse(out).data : undefined }
}

it("sync waits until everyone was sent, and the delivery can be listed and read", async () => {
  const { audienceId, id, path } = await world.destination(people(3))

  const synced = await run("sync", audienceId, id)

  expect(synced.data).toMatchObject({ status: "completed", mode: "initial", sentCount: 3 })
  expect(synced.code).toBe(0)
  expect(world.contacts(path)).toHaveLength(3)
  const listed = await run("deliveries", "list", audienceId)
  expect(listed.data).toMatchObject([{ id: synced.data.id }])
  const csv = await run("deliveries", "list", audienceId, "--output", "csv")
  expect(csv.out.split("\n")[0]).toContain("sentCount")
  const read = await run("deliveries", "get", audienceId, synced.data.id)
  expect(read.data).toMatchObject({ id: synced.data.id, status: "completed" })
})

it("partial failure exits with 3, lists the failed contacts, and a retry sends them again", async () => {
  const { audienceId, id, path } = await world.destination(people(12))
  world.receiver.answer = ({ body }, response) => {
    response.writeHead(body.includes("p1@harbor") ? 422 : 204).end()
  }

  const synced = await run("sync", audienceId, id)
  const failures = await run("deliveries", "failures", audienceId, synced.data.id)

  expect(synced.code).toBe(3)
  expect(synced.data).toMatchObject({ status: "completed", sentCount: 11, failedCount: 1 })
  expect(failures.data).toMatchObject([{ errorCode: "ENDPOINT_REJECTED", statusCode: 422 }])
  world.receiver.answer = status(204)
  const again = await run("deliveries", "retry", audienceId, synced.data.id)
  expect(again.data).toMatchObject({ retryOfDeliveryId: synced.data.id })
  await world.ended({ audienceId, id: again.data.id })
  expect(world.contacts(path)).toHaveLength(13)
})

it("a failed contact is shown with its attempts, and can be sent again alone", async () => {
  const { audienceId, id, path } = await world.destination(people(12))
  world.receiver.answer = ({ body }, response) => {
    response.writeHead(/p[12]@harbor/.test(body) ? 422 : 204).end("no thanks")
  }
  const synced = await run("sync", audienceId, id)
  world.receiver.answer = status(204)
  const hash = hashOf("p2@harbor.example")

  const shown = await run("deliveries", "failure", audienceId, synced.data.id, hash)
  const again = await run("deliveries", "retry", audienceId, synced.data.id, "--contact", hash)

  expect(shown.data).toMatchObject({ tries: [{ responseSnippet: "no thanks" }] })
  expect(again.data).toMatchObject({ status: "completed", sourceCount: 1, sentCount: 1 })
  expect(world.contacts(path)).toHaveLength(13)
})

it("a failed delivery exits with 1, and says why", async () => {
  const { audienceId, id } = await world.destination(people(2))
  world.receiver.answer = status(410)

  const synced = await run("sync", audienceId, id)

  expect(synced.code).toBe(1)
  expect(synced.data).toMatchObject({ status: "failed", errorCode: "ENDPOINT_GONE" })
})

it("a conflict exits with 6 and says what to do, an unknown destination with 5", async () => {
  const { audienceId, id } = await world.destination(people(1))
  await world.world.changed({ audienceId, id }, { status: "paused" })

  const paused = await run("sync", audienceId, id)
  const unknown = await run("sync", audienceId, crypto.randomUUID())

  expect(paused.code).toBe(6)
  expect(JSON.parse(paused.err).error).toMatchObject({
    code: "DESTINATION_NOT_ACTIVE",
    message: expect.stringContaining("footfall destinations activate"),
  })
  expect(unknown.code).toBe(5)
})

it("--no-wait exits with the queued delivery; a finished one cannot be cancelled", async () => {
  const { audienceId, id } = await world.destination(people(1))
  const queued = await run("sync", audienceId, id, "--no-wait")
  const over = await world.ended({ audienceId, id: queued.data.id })
  const late = await run("deliveries", "cancel", audienceId, queued.data.id)

  expect(queued.code).toBe(0)
  expect(over.status).toBe("completed")
  expect(late.code).toBe(6)
})
