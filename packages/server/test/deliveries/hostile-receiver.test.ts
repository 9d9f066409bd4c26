// A receiver that responds in every bad way: errors, silence, broken connections, 429. Its own ledger is the reference:
// no contact is lost, a 429 is never retried too early, no attempt exceeds its time limit, and no destination gets more
// than its share of concurrent requests. FOOTFALL_SOAK=1 for many batches.
import { createHash } from "node:crypto"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Answer } from "../webhooks/receiver.ts"
import { contactAttemptsMax } from "../../src/activation/deliveries/sending/batch-progress.ts"
import { contactsAtOnce } from "../../src/activation/deliveries/delivery.ts"
import { contactEvent, DeliveryWorld, people, status } from "./support.ts"

const isSoak = process.env["FOOTFALL_SOAK"] === "1"
const destinations = 5
const contacts = isSoak ? 2_000 : 80
const timeoutMs = 1_000
/** Longer than the usual wait, so that the test shows it was respected. */
const retryAfterSeconds = 4
/** The largest difference between a timer and the clock. */
const timerMs = 5

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

/** From 0 to below 1, always the same for an attempt at a message. */
const shareOf = (attempt: string): number =>
  createHash("sha256").update(attempt).digest().readUInt32BE() / 2 ** 32

it("no contact is lost to a receiver that fails in every way (B4)", async () => {
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  const answers = { refused: 0, silent: 0, broken: 0, limited: 0, cut: 0, fine: 0 }
  const accepted = new Set<string>()
  const asked = new Map<string, number>()
  const notBefore = new Map<string, number>()
  const tooEarly: Array<number> = []
  const lifetimes: Array<number> = []
  const open = new Map<string, number>()
  let openMost = 0

  const ways: Readonly<Record<keyof typeof answers, Answer>> = {
    refused: status(500),
    silent: () => undefined,
    broken: (_, { socket }) => void socket?.resetAndDestroy(),
    limited: status(429, { "retry-after": String(retryAfterSeconds) }),
    cut: (_, response) => {
      response.writeHead(200, { "content-length": "1000" })
      response.write("half of it", () => response.socket?.resetAndDestroy())
    },
    fine: status(204),
  }
  const wayOf = (share: number): keyof typeof answers => {
    if (share < 0.1) return "refused"
    if (share < 0.15) return "silent"
    if (share < 0.2) return "broken"
    if (share < 0.22) return "limited"
    return share < 0.23 ? "cut" : "fine"
  }
  w.receiver.answer = (one, response) => {
    if (one.event["event"] !== contactEvent) return status(204)(one, response)
    const { contact, delivery } = one.event["data"] as {
      readonly contact: { readonly hashedEmail: string }
      readonly delivery: { readonly sequence: number }
    }
    const person = `${one.path} ${contact.hashedEmail}`
    const attempt = (asked.get(person) ?? 0) + 1
    asked.set(person, attempt)
    if (one.at < (notBefore.get(person) ?? 0) - timerMs)
      tooEarly.push(notBefore.get(person)! - one.at)
    open.set(one.path, (open.get(one.path) ?? 0) + 1)
    openMost = Math.max(openMost, open.get(one.path)!)
    response.once("close", () => open.set(one.path, open.get(one.path)! - 1))

    const way = wayOf(
      shareOf(`${delivery.sequence} ${one.path.length} ${person.at(-1)} ${attempt}`),
    )
    answers[way] += 1
    if (way === "fine" || way === "cut") accepted.add(person)
    if (way === "limited") notBefore.set(person, one.at + retryAfterSeconds * 1000)
    if (way === "silent") response.once("close", () => lifetimes.push(Date.now() - one.at))
    ways[way](one, response)
  }

  const made = await Promise.all(
    Array.from({ length: destinations }, (_, place) =>
      w.destination(people(contacts, `d${place}x`), { timeoutMs }),
    ),
  )
  const deliveries = await Promise.all(made.map((destination) => w.sync(destination)))
  const ended = await Promise.all(
    deliveries.map((delivery) => w.ended(delivery, isSoak ? 900_000 : 300_000)),
  )

  expect(Object.values(answers).every((count) => count > 0)).toBe(true)
  for (const [place, delivery] of ended.entries()) {
    const { path } = made[place]!
    expect(delivery).toMatchObject({ status: "completed", sourceCount: contacts, skippedCount: 0 })
    expect(delivery.sentCount + delivery.failedCount).toBe(contacts)
    expect(delivery.processedCount).toBe(contacts)
    const failures = await w.failures(delivery)
    if (!isSoak) expect(failures.length).toBe(delivery.failedCount)
    for (const { attempts, hashedEmail } of failures) {
      expect(attempts).toBe(contactAttemptsMax)
      expect(accepted.has(`${path} ${hashedEmail}`)).toBe(false)
    }
    const arrived = [...accepted].filter((person) => person.startsWith(path))
    expect(arrived.length).toBe(delivery.sentCount)
  }
  expect(asked.size).toBe(destinations * contacts)
  expect(Math.max(...asked.values())).toBeLessThanOrEqual(contactAttemptsMax)
  expect(tooEarly).toEqual([])
  expect(openMost).toBeLessThanOrEqual(contactsAtOnce)
  // The machine's own delay doesn't count against the attempt.
  const lateMs = (2 * lag.max) / 1e6
  expect(Math.max(...lifetimes)).toBeLessThanOrEqual(timeoutMs + 250 + lateMs)
}, 960_000)
