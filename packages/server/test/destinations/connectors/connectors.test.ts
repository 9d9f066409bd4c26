// Every connector against a double of its service that follows the service's contract (spec 2.17): what is written, to
// whom, and that no one who refused is ever subscribed again, whatever fails on the way.
import { Effect, Layer, Redacted } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type {
  Removal,
  RemovalOutcome,
} from "../../../src/activation/destinations/connectors/connector.ts"
import {
  type AppSlug,
  appSlugs,
  Connectors,
  connectors,
} from "../../../src/activation/destinations/connectors/connectors.ts"
import type { MailingList } from "../../../src/activation/destinations/connectors/mailing-list.ts"
import { Outbound, PrivateAddressesAllowed } from "../../../src/platform/outbound/outbound.ts"
import { DeliveryWorld, hashOf, people, person } from "../../deliveries/support.ts"
import type { Account } from "../support.ts"
import { activeDestination, connectTo, inAudience, onLeaveOf, statusesOf } from "./delivering.ts"
import type { Double } from "./double.ts"
import { doubles, target } from "./world.ts"

let world: DeliveryWorld
beforeAll(async () => {
  world = await DeliveryWorld.start()
})
afterAll(() => world.close())

it("every connector has a double", () => {
  expect(["mailer", ...doubles.map(([appSlug]) => appSlug)]).toEqual(appSlugs)
})

const connectorsLayer = Connectors.layer.pipe(
  Layer.provide(Outbound.layer),
  Layer.provide(Layer.succeed(PrivateAddressesAllowed, true)),
)

describe.each(doubles)("%s", (appSlug, start) => {
  let double: Double
  beforeAll(async () => {
    double = await start()
  })
  /** An organization has a limited number of accounts, and each has a pace of its own. */
  const accounts: Array<string> = []
  afterEach(async () => {
    double.fault = undefined
    for (const id of accounts.splice(0)) {
      await world.world.get(`DELETE /v1/intent/integrations/accounts/${id}`)
    }
    expect(double.violations).toEqual([])
  })
  afterAll(() => double.close())

  const connect = async (): Promise<Account> => {
    const account = await connectTo(world, appSlug, double)
    accounts.push(account.id)
    return account
  }
  const destination = async (
    found: ReturnType<typeof people>,
    config: Readonly<Record<string, unknown>> = {},
  ) => activeDestination(world, appSlug, double, await connect(), found, config)

  const personOf = (name: string) =>
    double.people().find(({ email }) => email === `${name}@harbor.example`)
  it("connects with a key, and shows the list with its fields", async () => {
    const account = await connect()

    const { lists } = await world.world.get<{ readonly lists: ReadonlyArray<MailingList> }>(
      `GET /v1/intent/integrations/${appSlug}/lists?connectedAccountId=${account.id}`,
    )

    expect(account.status).toBe("healthy")
    const list = lists.find(({ id }) => id === double.listId)!
    expect(list).toMatchObject({ name: expect.any(String), tags: expect.any(Array) })
    const tags = new Set(list.fields.map(({ tag }) => tag))
    // listmonk's attributes have no list of names.
    const named = Object.keys(double.fieldMapping).filter((tag) => tags.has(tag))
    expect(named.length).toBeGreaterThan(0)
  })

  it("answers 404 for the lists of an account of another service", async () => {
    const account = await connect()

    const answer = await world.world.ask(
      `GET /v1/intent/integrations/mailer/lists?connectedAccountId=${account.id}`,
    )

    expect(answer.status).toBe(404)
  })

  it("refuses a key that the service refuses, and stores nothing", async () => {
    const credentials = { ...double.credentials, apiKey: "wrong-us1", baseUrl: double.url }

    const answer = await world.world.ask("POST /v1/intent/integrations/accounts", {
      appSlug,
      credentials,
    })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { issues: [{ path: "/body/credentials/apiKey" }] },
    })
  })

  it("writes new people with fields in the list's types, its own opt-in and the tags", async () => {
    const tags = double.hasTags ? { tags: ["Buyers"] } : {}
    const made = await destination([person("new1"), person("new2", { score: 42 })], tags)

    const delivery = await world.delivered(made)

    expect(delivery).toMatchObject({ status: "completed", sentCount: 2, failedCount: 0 })
    expect(personOf("new1")).toMatchObject({
      status: double.newStatus,
      fields: double.fieldsOf("new1", 91),
    })
    expect(personOf("new2")).toMatchObject({ fields: double.fieldsOf("new2", 42) })
    const managed = `audience:${made.audienceId.slice(0, 8)}`
    expect(personOf("new1")!.tags.toSorted()).toEqual(
      double.hasTags ? ["Buyers", managed].toSorted() : [],
    )
    // What it put on the list it may remove.
    const [row] = await world.sql(
      "select count(*)::int as n from destination_contact where destination_id = $1 and is_added",
      [made.id],
    )
    expect(row).toEqual({ n: 2 })
  })

  it("delivers more people than one request takes, and each once", async () => {
    const count = Math.max(12, 2 * connectors[appSlug as AppSlug].membersMax + 5)
    const found = people(count, "many")
    const made = await destination(found)

    const delivery = await world.ended(await world.sync(made), 60_000)

    expect(delivery).toMatchObject({ status: "completed", sentCount: count, failedCount: 0 })
    expect(statusesOf(double, "many")).toHaveLength(count)
  }, 90_000)

  it("keeps the status of everyone who refused", async () => {
    const found = people(20, "refusing")
    for (const [index, { email }] of found.slice(0, 10).entries()) {
      const { refusing } = double
      if (refusing.length > 0) double.put(email!, refusing[index % refusing.length]!)
    }
    const before = statusesOf(double, "refusing")
    const made = await destination(found)

    const first = await world.delivered(made)
    const again = await world.delivered(made, "full_resync")

    expect([first.status, again.status]).toEqual(["completed", "completed"])
    expect([first.failedCount, again.failedCount]).toEqual([0, 0])
    const after = new Map(statusesOf(double, "refusing"))
    for (const [email, status] of before) expect([email, after.get(email)]).toEqual([email, status])
    expect(after.size).toBe(20)
  })

  it("a contact that the service refuses for good has failed with its sentence, without the address", async () => {
    const made = await destination([person(`${double.refusedPrefix}1`), person("good")])

    const delivery = await world.delivered(made)

    expect(delivery).toMatchObject({ status: "completed", sentCount: 1, failedCount: 1 })
    const [failure] = await world.failures(delivery)
    expect(failure).toMatchObject({ errorCode: "CONTACT_INVALID" })
    expect(failure!.errorMessage).toMatch(/^The provider rejected the contact: .+/)
    expect(failure!.errorMessage).not.toContain("@")
  })

  it("waits as long as the service asks after a 429", async () => {
    const made = await destination(people(3, "limited"))
    const { wait } = double
    const limit = { status: 429, headers: wait?.(100) ?? {} }
    let limited = 0
    double.fault = ({ method }) => {
      // Without a header the pace slows down, and the delivery goes on.
      const isLimited = method !== "GET" && (wait !== undefined || limited === 0)
      if (isLimited) limited += 1
      return isLimited ? limit : undefined
    }

    const delivery = await world.sync(made)
    const expected =
      wait === undefined
        ? { status: "completed", sentCount: 3 }
        : { errorCode: "ENDPOINT_RATE_LIMITED" }
    const stopped = await (wait === undefined ? world.ended(delivery) : world.parked(delivery))

    expect(stopped).toMatchObject(expected)
    expect(limited).toBeGreaterThan(0)
    const waitMs = Date.parse(stopped.nextAttemptAt ?? "") - Date.parse(stopped.startedAt!)
    expect(wait === undefined || waitMs > 90_000).toBe(true)
  })

  const removing = (
    emails: ReadonlyArray<string>,
    how: Removal,
    managedTag = "audience:70865832",
  ) => {
    const { apiKey, username = null } = double.credentials
    const connection = {
      appSlug: appSlug as AppSlug,
      accountId: "account-1",
      baseUrl: double.url,
      apiKey: Redacted.make(apiKey!),
      username,
    }
    return Effect.runPromise(
      Effect.gen(function* () {
        const services = yield* Connectors
        const list = yield* services.list(connection, double.listId)
        const members = emails.map((email) => ({ email, remoteId: null }))
        return yield* services.remove(
          connection,
          target(double.listId, { list, managedTag }),
          members,
          how,
        )
      }).pipe(Effect.provide(connectorsLayer)),
    ) as Promise<ReadonlyArray<RemovalOutcome>>
  }
  const each = async (emails: ReadonlyArray<string>, how: Removal) => {
    const outcomes: Array<string> = []
    for (const email of emails) outcomes.push((await removing([email], how))[0]!.type)
    return outcomes
  }

  it("takes someone off the list, and no one who refused", async () => {
    if (!double.canRemoveFromList) {
      return expect(double.removable).toBeNull()
    }
    double.put("leaves@harbor.example", double.removable)
    const refused = double.refusing.filter((status) => !["pending", "unconfirmed"].includes(status))
    for (const status of refused) double.put(`${status}@harbor.example`, status)

    const emails = ["leaves@harbor.example", ...refused.map((status) => `${status}@harbor.example`)]
    const outcomes = await each([...emails, "unknown@harbor.example"], "remove_from_list")

    expect(outcomes[0]).toBe("removed")
    for (const outcome of outcomes.slice(1)) expect(["absent", "kept"]).toContain(outcome)
    expect(personOf("leaves")?.status ?? null).not.toBe(double.removable ?? "")
    for (const status of refused) expect(personOf(status)?.status).toBe(status)
    // A repeat after a crash finds nothing to do.
    expect(await each(["leaves@harbor.example"], "remove_from_list")).toEqual(["absent"])
  })

  it("removes the audience's tag and no other", async () => {
    const tagged = await destination([person("tagged")], double.hasTags ? { tags: ["Buyers"] } : {})
    await world.delivered(tagged)
    if (!double.hasTags) return expect(personOf("tagged")!.tags).toEqual([])
    const managedTag = `audience:${tagged.audienceId.slice(0, 8)}`

    const outcomes = await removing(["tagged@harbor.example"], "remove_tag", managedTag)

    expect(outcomes).toMatchObject([{ type: "removed" }])
    expect(personOf("tagged")).toMatchObject({ tags: ["Buyers"], status: double.newStatus })
  })

  it("erases a person at the service", async () => {
    if (!double.canErase) return expect(double.canErase).toBe(false)
    double.put("erased@harbor.example", double.removable)

    expect(await each(["erased@harbor.example"], "erase")).toEqual(["removed"])
    expect(personOf("erased")).toBeUndefined()
    expect(await each(["erased@harbor.example"], "erase")).toEqual(["absent"])
  })

  it("takes off who left or was suppressed, brings back who returns, and touches no one else", async () => {
    const prefix = "leave"
    const at = (name: string) => `${prefix}${name}@harbor.example`
    const found = (...names: ReadonlyArray<string>) => names.map((name) => person(prefix + name))
    // Someone whom the list had before, and someone who refused.
    double.put(at("former"), double.removable)
    const { refusing } = double
    if (refusing.length > 0) double.put(at("refused"), refusing[0]!)
    const all = ["a", "b", "c", "former", "refused"]
    const made = await destination(found(...all), { onLeave: onLeaveOf(double) })
    const statusOf = (name: string) => personOf(prefix + name)?.status
    const formerStatus = statusOf("former")
    const refusedStatus = statusOf("refused")
    await world.delivered(made)
    const [added] = await world.sql(
      `select count(*)::int as n from destination_contact
       where destination_id = $1 and is_added and hashed_email = any ($2)`,
      [made.id, ["a", "c", "refused"].map((name) => Buffer.from(hashOf(at(name)), "hex"))],
    )

    await world.run(made.audienceId, found("b", "c"))
    await world.suppress(at("c"))
    const left = await world.delivered(made)
    const afterLeaving = inAudience(double, made, prefix)
    await world.sql("delete from suppression_rule")
    await world.run(made.audienceId, found("a", "b", "c"))
    const back = await world.delivered(made)
    const again = await world.delivered(made)

    expect([left, back, again].map(({ status }) => status)).toEqual([
      "completed",
      "completed",
      "completed",
    ])
    const isByTag = !double.canRemoveFromList
    // A tag is the audience's own, so it goes from everyone; the list keeps whom it had.
    expect(left.removedCount).toBe(isByTag ? 4 : added!["n"])
    expect(afterLeaving).toEqual(
      isByTag || double.newStatus !== double.removable
        ? [`${prefix}b`]
        : [`${prefix}b`, `${prefix}former`],
    )
    expect([back.sentCount, back.removedCount]).toEqual([2, 0])
    expect([again.sentCount, again.removedCount]).toEqual([0, 0])
    expect(inAudience(double, made, prefix)).toEqual(
      expect.arrayContaining([`${prefix}a`, `${prefix}b`, `${prefix}c`]),
    )
    expect(statusOf("former")).toBe(formerStatus)
    if (refusing.length > 0) expect(statusOf("refused")).toBe(refusedStatus)
  }, 90_000)

  it("deletes who is erased at the service, if the destination added them", async () => {
    double.put("kept@harbor.example", double.removable)
    const found = [person("goner"), person("kept"), person("stays")]
    const made = await destination(found, { eraseAtProvider: true })
    await world.delivered(made)

    const receipts: Array<string> = []
    for (const name of ["goner", "kept"]) {
      const { hashedEmail } = person(name)
      const { receipt } = await world.world.server.sdk.visitors.erase(hashedEmail)
      receipts.push(receipt.id)
    }

    await expect.poll(() => personOf("goner"), { timeout: 30_000 }).toBeUndefined()
    await expect
      .poll(() => world.sql("select from destination_erasure where status is not null"), {
        timeout: 30_000,
      })
      .toEqual([])
    expect(personOf("kept")).toBeDefined()
    expect(personOf("stays")).toBeDefined()
    const outcomes = await Promise.all(
      receipts.map(async (id) =>
        (await world.world.server.sdk.erasures.get(id)).destinations.map(({ outcome }) => outcome),
      ),
    )
    expect(outcomes).toEqual([["deleted"], ["kept"]])
    expect(
      await world.sql("select from destination_contact where destination_id = $1", [made.id]),
    ).toHaveLength(1)
  }, 60_000)

  it("refuses a way to remove people that the service doesn't have, with what it offers", async () => {
    const account = await connect()
    const audienceId = await world.world.audience()
    const { onLeave: offered } = connectors[appSlug as AppSlug].abilities
    const refusedWays = (["remove_tag", "remove_from_list"] as const).filter(
      (way) => !(offered as ReadonlyArray<string>).includes(way),
    )

    for (const way of refusedWays) {
      const answer = await world.world.ask(`POST /v1/intent/audiences/${audienceId}/destinations`, {
        destinationType: "automation",
        name: "List",
        appSlug,
        connectedAccountId: account.id,
        config: { listId: double.listId, onLeave: way },
      })
      expect(answer.status).toBe(400)
      expect(answer.body.error.details).toMatchObject({
        issues: [
          {
            path: "/body/config/onLeave",
            code: "enum",
            message: expect.stringContaining(`received ${way}.`),
          },
        ],
      })
    }
    expect(offered).toContain("keep")
    expect(offered).toHaveLength(3 - refusedWays.length)
  })

  it("a list that was deleted stops the destination", async () => {
    const made = await destination([person("late")])
    if (double.deleteList === undefined) return expect(double.listId).toBe("persons")
    double.deleteList()

    const delivery = await world.delivered(made)

    expect(delivery).toMatchObject({ status: "failed", errorCode: "LIST_NOT_FOUND" })
  })
})
