// The connector `mailer` against a provider that implements the interface over HTTP, including failures (spec 2.17).
import { Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { WritingError } from "../../src/activation/destinations/connectors/connector-error.ts"
import {
  type Connection,
  Connectors,
} from "../../src/activation/destinations/connectors/connectors.ts"
import { target } from "./connectors/world.ts"
import { Outbound, PrivateAddressesAllowed } from "../../src/platform/outbound/outbound.ts"
import {
  type MailerProvider,
  type ProviderContact,
  type ProviderList,
  startMailerProvider,
} from "./mailer-provider.ts"

let provider: MailerProvider
beforeEach(async () => {
  provider = await startMailerProvider()
  provider.addList({ id: "buyers/eu" })
})
afterEach(() => provider.close())

const connection = (apiKey = provider.apiKey): Connection => ({
  appSlug: "mailer",
  accountId: "account-1",
  baseUrl: provider.url,
  apiKey: Redacted.make(apiKey),
  username: null,
})
const contact = {
  email: "jane@harbor.example",
  fields: { FNAME: "Jane", SCORE: 91 },
  tags: ["buyers", "audience:70865832"],
}

const MailerLayer = Connectors.layer.pipe(
  Layer.provide(Outbound.layer),
  Layer.provide(Layer.succeed(PrivateAddressesAllowed, true)),
)

/** Writes one contact as a delivery does. */
const upsert = (
  connectors: Connectors["Service"],
  connection: Connection,
  listId: string,
  written: typeof contact,
) =>
  connectors.upsert(connection, target(listId), [
    { ...written, formerStatus: null, remoteId: null },
  ])

/** All tests share one adapter. */
const run = <A, E>(work: (mailer: Connectors["Service"]) => Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(
    Effect.provide(Effect.flatMap(Connectors, work), MailerLayer) as Effect.Effect<A>,
  )

const failure = (work: (mailer: Connectors["Service"]) => Effect.Effect<unknown, WritingError>) =>
  run((mailer) => Effect.flip(work(mailer)))

const known = (list: ProviderList, status: ProviderContact["status"]) =>
  list.contacts.set(contact.email, {
    email: contact.email,
    status,
    fields: { LNAME: "Mercer" },
    tags: new Set(["by hand"]),
    writes: 0,
  })

describe("an upsert", () => {
  it("creates a contact with address, fields and tags, without a status, at the list in its path", async () => {
    await run((mailer) => upsert(mailer, connection(), "buyers/eu", contact))

    expect(provider.writes()).toMatchObject([
      {
        method: "POST",
        path: "/api/lists/buyers%2Feu/contacts",
        authorization: "Bearer mailer-key-1",
      },
    ])
    expect(provider.writes()[0]!.body).toEqual({
      email_address: "jane@harbor.example",
      fields: { FNAME: "Jane", SCORE: 91 },
      tags: ["buyers", "audience:70865832"],
    })
  })

  it("updates a contact that exists, without a status, and adds its tags", async () => {
    known(provider.lists.get("buyers/eu")!, "subscribed")

    await run((mailer) => upsert(mailer, connection(), "buyers/eu", contact))

    const [created, updated] = provider.writes()
    expect([created!.status, updated!.method, updated!.path]).toEqual([
      409,
      "PUT",
      "/api/lists/buyers%2Feu/contacts",
    ])
    expect(updated!.body).toEqual({
      email_address: "jane@harbor.example",
      fields: { FNAME: "Jane", SCORE: 91 },
      tags: { buyers: true, "audience:70865832": true },
    })
  })

  it.each(["unsubscribed", "pending", "subscribed"] as const)(
    "can be repeated: one contact, which stays %s and keeps its other tags",
    async (status) => {
      const list = provider.lists.get("buyers/eu")!
      known(list, status)

      await run((mailer) =>
        Effect.andThen(
          upsert(mailer, connection(), "buyers/eu", contact),
          upsert(mailer, connection(), "buyers/eu", contact),
        ),
      )

      expect([...list.contacts.values()]).toEqual([
        {
          email: contact.email,
          status,
          fields: { LNAME: "Mercer", FNAME: "Jane", SCORE: 91 },
          tags: new Set(["by hand", "buyers", "audience:70865832"]),
          writes: 2,
        },
      ])
    },
  )

  it("respects double opt-in: a new contact is pending, and stays so", async () => {
    const list = provider.addList({ id: "double", doubleOptIn: true })

    await run((mailer) => upsert(mailer, connection(), "double", contact))
    await run((mailer) => upsert(mailer, connection(), "double", contact))

    expect(list.contacts.get(contact.email)?.status).toBe("pending")
  })

  it("uses the update alone at a provider that has no request to create a contact", async () => {
    provider.fault = ({ method }) => (method === "POST" ? { status: 405 } : undefined)

    await run((mailer) => upsert(mailer, connection(), "buyers/eu", contact))

    expect(provider.writes().map(({ method, status }) => [method, status])).toEqual([
      ["POST", 405],
      ["PUT", 200],
    ])
  })
})

describe("lists", () => {
  it.each([
    ["an object", false],
    ["an array", true],
  ])("have their counts, whether the provider sends them as %s", async (_, countsInArray) => {
    provider.countsInArray = countsInArray
    known(provider.lists.get("buyers/eu")!, "unsubscribed")

    const [list] = await run((mailer) => mailer.lists(connection()))

    expect(list?.counts).toEqual({ pending: 0, subscribed: 0, unsubscribed: 1 })
  })
})

describe("typed errors", () => {
  const upsertOne = (mailer: Connectors["Service"]) =>
    upsert(mailer, connection(), "buyers/eu", contact)

  it("a revoked token: CredentialsRefused", async () => {
    provider.apiKey = "another"
    const wrong = connection("mailer-key-1")

    expect(await failure((mailer) => upsert(mailer, wrong, "buyers/eu", contact))).toMatchObject({
      _tag: "CredentialsRefused",
      status: 401,
    })
  })

  it("a deleted list: ListGone", async () => {
    provider.lists.clear()

    expect(await failure(upsertOne)).toMatchObject({ _tag: "ListGone" })
  })

  it("a rejected contact: ContactRefused, with the title of the problem", async () => {
    const error = await failure((mailer) =>
      upsert(mailer, connection(), "buyers/eu", { ...contact, email: "nobody" }),
    )

    expect(error).toMatchObject({ _tag: "ContactRefused", sentence: "The address is not valid" })
  })

  it.each([
    [500, true],
    [503, true],
    [408, true],
    [400, false],
    [302, false],
  ])("%d: ProviderFailed, transient: %s", async (status, isTransient) => {
    provider.fault = () => ({ status })

    expect(await failure(upsertOne)).toMatchObject({ _tag: "ProviderFailed", status, isTransient })
  })

  it("Retry-After of a 503 is returned", async () => {
    provider.fault = () => ({ status: 503, retryAfter: "30" })

    expect(await failure(upsertOne)).toMatchObject({ retryAfterSeconds: 30 })
  })

  it("a closed connection: ProviderUnreachable", async () => {
    provider.fault = () => "reset"

    expect(await failure(upsertOne)).toMatchObject({
      _tag: "ProviderUnreachable",
      reason: "NoAnswer",
    })
  })

  it("no response within 10 seconds: ProviderUnreachable", async () => {
    provider.fault = () => "hang"
    const waiting = Effect.gen(function* () {
      const mailer = yield* Connectors
      const asked = yield* Effect.forkChild(Effect.flip(upsertOne(mailer)))
      yield* Effect.promise(async () => {
        await expect.poll(() => provider.requests.length).toBe(1)
      })
      yield* TestClock.adjust("10 seconds")
      return yield* Fiber.join(asked)
    })

    const error = await Effect.runPromise(
      waiting.pipe(Effect.provide(MailerLayer), Effect.provide(TestClock.layer())),
    )

    expect(error).toMatchObject({ _tag: "ProviderUnreachable", reason: "TimedOut" })
  })

  it("a Retry-After counts with 503, and with no other 5xx", async () => {
    const seconds = []
    for (const status of [503, 500]) {
      provider.fault = () => ({ status, retryAfter: "60" })
      seconds.push(await failure(upsertOne))
    }

    expect(seconds).toMatchObject([
      { _tag: "ProviderFailed", retryAfterSeconds: 60 },
      { _tag: "ProviderFailed", retryAfterSeconds: null },
    ])
  })

  it("a provider's title is cut to what Postgres can store", async () => {
    const titles = ["bad\0", `${"x".repeat(199)}\u{1F600}`, "\ud83d alone"]

    const kept = []
    for (const title of titles) {
      provider.fault = () => ({ status: 422, title })
      kept.push(await failure(upsertOne))
    }

    expect(kept).toMatchObject([
      { sentence: "bad " },
      { sentence: `${"x".repeat(199)}\ufffd` },
      { sentence: "\ufffd alone" },
    ])
  })

  it("an error contains neither credentials nor the contact's address", async () => {
    for (const fault of [{ status: 500 }, { status: 422, title: "No" }, "reset"] as const) {
      provider.fault = () => fault
      const text = JSON.stringify(await failure(upsertOne))
      expect(text).not.toContain("mailer-key-1")
      expect(text).not.toContain("jane@")
    }
  })
})

describe("429", () => {
  it("is returned with its Retry-After, and nothing is sent before then", async () => {
    provider.fault = () => ({ status: 429, retryAfter: "60" })

    const errors = await run((mailer) =>
      Effect.all([
        Effect.flip(upsert(mailer, connection(), "buyers/eu", contact)),
        Effect.flip(upsert(mailer, connection(), "buyers/eu", contact)),
      ]),
    )

    expect(errors[0]).toMatchObject({ _tag: "ProviderRateLimited", retryAfterSeconds: 60 })
    expect(errors[1]).toMatchObject({ _tag: "ProviderRateLimited" })
    expect(provider.writes()).toHaveLength(1)
  })

  it("counts with the provider's own header X-RateLimit-Retry-After too", async () => {
    provider.fault = () => ({ status: 429, retryAfter: "70", header: "x-ratelimit-retry-after" })

    const error = await failure((mailer) => upsert(mailer, connection(), "buyers/eu", contact))

    expect(error).toMatchObject({ _tag: "ProviderRateLimited", retryAfterSeconds: 70 })
  })

  it("waits in place if the Retry-After is short", async () => {
    let answers = 0
    provider.fault = () => (answers++ === 0 ? { status: 429, retryAfter: "1" } : undefined)

    await run((mailer) =>
      Effect.andThen(
        Effect.flip(upsert(mailer, connection(), "buyers/eu", contact)),
        upsert(mailer, connection(), "buyers/eu", contact),
      ),
    )

    const [first, second] = provider.writes()
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(990)
  })

  it("for one account slows no other account down", async () => {
    provider.fault = ({ authorization }) =>
      authorization?.endsWith("-1") ? { status: 429, retryAfter: "60" } : undefined

    await run((mailer) =>
      Effect.gen(function* () {
        yield* Effect.flip(upsert(mailer, connection(), "buyers/eu", contact))
        provider.fault = undefined
        yield* upsert(mailer, { ...connection(), accountId: "account-2" }, "buyers/eu", contact)
      }),
    )

    expect(provider.lists.get("buyers/eu")?.contacts.size).toBe(1)
  })
})
