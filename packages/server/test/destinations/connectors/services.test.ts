// What is particular to one service (spec 2.15.8, 2.17): credentials, what a configuration may ask, who gets a former status
// back, consent that is asked for, ids that are remembered.
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type {
  ListTarget,
  MemberOutcome,
} from "../../../src/activation/destinations/connectors/connector.ts"
import {
  type AppSlug,
  Connectors,
} from "../../../src/activation/destinations/connectors/connectors.ts"
import { Outbound, PrivateAddressesAllowed } from "../../../src/platform/outbound/outbound.ts"
import { World } from "../support.ts"
import type { Double } from "./double.ts"
import { startEmailOctopus } from "./doubles/emailoctopus.ts"
import { startKlaviyo } from "./doubles/klaviyo.ts"
import { startListmonk } from "./doubles/listmonk.ts"
import { startMailchimp } from "./doubles/mailchimp.ts"
import { startPipedrive } from "./doubles/pipedrive.ts"
import { doubles, target } from "./world.ts"

let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.close())

const layer = Connectors.layer.pipe(
  Layer.provide(Outbound.layer),
  Layer.provide(Layer.succeed(PrivateAddressesAllowed, true)),
)

const connectionOf = (appSlug: AppSlug, double: Double) => {
  const { apiKey, username = null } = double.credentials
  const key = Redacted.make(apiKey!)
  return { appSlug, accountId: "account-1", baseUrl: double.url, apiKey: key, username }
}

interface Written {
  readonly email: string
  readonly formerStatus?: string
  readonly remoteId?: string | null
}

/** Writes contacts as a delivery does. */
const write = (
  appSlug: AppSlug,
  double: Double,
  members: ReadonlyArray<Written>,
  config: Partial<ListTarget["config"]> = {},
): Promise<ReadonlyArray<MemberOutcome>> => {
  const connection = connectionOf(appSlug, double)
  const written = members.map(({ email, formerStatus = null, remoteId = null }) => ({
    email,
    formerStatus,
    remoteId,
    fields: {},
    tags: [],
  }))
  const of = target(double.listId)
  return Effect.runPromise(
    Effect.gen(function* () {
      const services = yield* Connectors
      const list = yield* services.list(connection, double.listId)
      const at = { ...of, list, config: { ...of.config, ...config } }
      return yield* services.upsert(connection, at, written)
    }).pipe(Effect.provide(layer)),
  )
}

const remove = (appSlug: AppSlug, double: Double, email: string) => {
  const connection = connectionOf(appSlug, double)
  return Effect.runPromise(
    Effect.gen(function* () {
      const services = yield* Connectors
      const list = yield* services.list(connection, double.listId)
      const members = [{ email, remoteId: null }]
      const at = target(double.listId, { list })
      return (yield* services.remove(connection, at, members, "remove_from_list"))[0]!
    }).pipe(Effect.provide(layer)),
  )
}

const statusOf = (double: Double, email: string) =>
  double.people().find((one) => one.email === email)?.status
const jane = "jane@harbor.example"

describe("credentials", () => {
  const connect = (appSlug: string, credentials: Readonly<Record<string, string>>) =>
    world.ask("POST /v1/intent/integrations/accounts", { appSlug, credentials })
  const issuesOf = ({ body }: Awaited<ReturnType<typeof connect>>) =>
    (body.error.details as { issues: ReadonlyArray<{ path: string; code: string }> }).issues.map(
      ({ code, path }) => `${path} ${code}`,
    )

  it.each([
    ["listmonk", { apiKey: "t" }, ["username required", "baseUrl required"]],
    ["listmonk", { apiKey: "t", username: "u" }, ["baseUrl required"]],
    [
      "listmonk",
      { apiKey: "t", username: "a:b", baseUrl: "https://a.example" },
      ["username format"],
    ],
    ["mailer", { apiKey: "k", username: "u" }, ["username unknown_field"]],
    ["brevo", { apiKey: "k", token: "t" }, ["token unknown_field"]],
    ["mailchimp", { apiKey: "0123456789abcdef" }, ["apiKey format"]],
    ["mailchimp", { apiKey: "0123-us1.evil.example/" }, ["apiKey format"]],
  ])("of %s: %j is refused", async (appSlug, credentials, issues) => {
    const answer = await connect(appSlug, credentials as unknown as Record<string, string>)

    expect(answer.status).toBe(400)
    expect(issuesOf(answer)).toEqual(issues.map((issue) => `/body/credentials/${issue}`))
  })

  it("are never shown, and a base URL may have the path of the API", async () => {
    const double = await startListmonk()
    const answer = await connect("listmonk", {
      ...(double.credentials as Record<string, string>),
      baseUrl: `${double.url}/api/`,
    })

    expect(answer.status).toBe(201)
    expect(JSON.stringify(answer.body)).not.toContain(double.credentials["apiKey"])
    expect(JSON.stringify(answer.body)).not.toContain(double.credentials["username"])
    expect(double.requests.map(({ path }) => path)).toEqual(["/api/lists?page=1&per_page=1"])
    await double.close()
  })

  it("list what each service asks for", async () => {
    const { integrations } = await world.get<{
      readonly integrations: ReadonlyArray<{
        readonly appSlug: string
        readonly credentials: ReadonlyArray<{ readonly name: string; readonly isRequired: boolean }>
      }>
    }>("GET /v1/intent/integrations")

    const listmonk = integrations.find(({ appSlug }) => appSlug === "listmonk")!
    expect(listmonk.credentials.map(({ isRequired, name }) => [name, isRequired])).toEqual([
      ["username", true],
      ["apiKey", true],
      ["baseUrl", true],
    ])
  })
})

describe("what a service can't do is refused", () => {
  const configs = {
    tags: { tags: ["a"] },
    newContactStatus: { newContactStatus: "SUBSCRIBED" },
    remove_tag: { onLeave: "remove_tag" },
    remove_from_list: { onLeave: "remove_from_list" },
    eraseAtProvider: { eraseAtProvider: true },
  }
  const refused: Readonly<Record<string, ReadonlyArray<keyof typeof configs>>> = {
    emailoctopus: [],
    listmonk: ["tags", "remove_tag"],
    mailchimp: [],
    brevo: ["tags", "remove_tag"],
    klaviyo: ["tags", "remove_tag"],
    hubspot: ["tags", "newContactStatus", "remove_tag"],
    pipedrive: ["newContactStatus", "remove_from_list"],
    attio: ["tags", "newContactStatus", "remove_tag"],
  }

  it.each(doubles)("%s", async (appSlug, start) => {
    const double = await start()
    const { account } = await world.get<{ readonly account: { readonly id: string } }>(
      "POST /v1/intent/integrations/accounts",
      { appSlug, credentials: { ...double.credentials, baseUrl: double.url } },
    )
    const audienceId = await world.audience()
    const create = (config: object) =>
      world.ask(`POST /v1/intent/audiences/${audienceId}/destinations`, {
        destinationType: "automation",
        name: "List",
        appSlug,
        connectedAccountId: account.id,
        config: { listId: double.listId, ...config },
      })
    const outcome: Array<string> = []
    for (const [name, config] of Object.entries(configs)) {
      const { status } = await create(config)
      if (status !== 201) outcome.push(`${name} ${status}`)
    }

    expect(outcome).toEqual(refused[appSlug]!.map((name) => `${name} 400`))
    // Answered filled in.
    const { body } = await create({})
    const { destination } = body.data as { destination: { automation: { config: object } } }
    expect(destination.automation.config).toEqual({
      listId: double.listId,
      emailSource: "email",
      newContactStatus: null,
      fieldMapping: {},
      tags: [],
      onLeave: "keep",
      eraseAtProvider: false,
    })
    await double.close()
  })
})

describe("what a service offers for people who leave", () => {
  it("is listed for each, and the interface of our own offers nothing", async () => {
    const { integrations } = await world.get<{
      readonly integrations: ReadonlyArray<{
        readonly appSlug: string
        readonly onLeave: ReadonlyArray<string>
        readonly canErase: boolean
      }>
    }>("GET /v1/intent/integrations")

    const offered = integrations.map(({ appSlug, canErase, onLeave }) => [
      appSlug,
      onLeave.slice(1).join(" "),
      canErase,
    ])
    expect(offered).toEqual([
      ["mailer", "", false],
      ["emailoctopus", "remove_tag remove_from_list", true],
      ["listmonk", "remove_from_list", true],
      ["mailchimp", "remove_tag remove_from_list", true],
      ["brevo", "remove_from_list", true],
      ["klaviyo", "remove_from_list", true],
      ["hubspot", "remove_from_list", true],
      ["pipedrive", "remove_tag", true],
      ["attio", "remove_from_list", true],
    ])
  })

  it("another value is refused with what was expected and received", async () => {
    const audienceId = await world.audience()

    const answer = await world.ask(`POST /v1/intent/audiences/${audienceId}/destinations`, {
      destinationType: "automation",
      name: "List",
      appSlug: "mailchimp",
      connectedAccountId: "8d0f3b7e-5f0c-4c39-9b67-3f7c1f2a4b10",
      config: { listId: "buyers", onLeave: "delete" },
    })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      details: {
        issues: [
          {
            path: "/body/config/onLeave",
            code: "enum",
            message: 'Expected one of keep, remove_tag, remove_from_list, received "delete".',
          },
        ],
      },
    })
  })
})

describe("someone whom we removed gets their status back when they qualify again", () => {
  it.each([
    ["emailoctopus", () => startEmailOctopus(true), "subscribed"],
    ["emailoctopus", () => startEmailOctopus(false), "pending"],
    ["mailchimp", startMailchimp, "subscribed"],
    ["mailchimp", startMailchimp, "pending"],
    ["listmonk", startListmonk, "confirmed"],
    ["listmonk", startListmonk, "unconfirmed"],
  ] as const)("%s, %#", async (appSlug, start, status) => {
    const double = await start()
    double.put(jane, status)

    const removed = await remove(appSlug, double, jane)
    const between = statusOf(double, jane)
    const formerStatus = removed.type === "removed" ? removed.formerStatus! : ""
    const outcomes = await write(appSlug, double, [{ email: jane, formerStatus }])

    expect([removed.type, formerStatus]).toEqual(["removed", status])
    expect(between).not.toBe(status)
    expect(statusOf(double, jane)).toBe(status)
    expect(outcomes).toMatchObject([{ type: "written", isAdded: true }])
    expect(double.violations).toEqual([])
    await double.close()
  })

  it("and someone who unsubscribed in between doesn't", async () => {
    const double = await startMailchimp()
    double.put(jane, "unsubscribed")

    await write("mailchimp", double, [{ email: jane, formerStatus: "subscribed" }])

    expect(statusOf(double, jane)).toBe("unsubscribed")
    await double.close()
  })
})

describe("mailchimp", () => {
  it("an address that was deleted for good is refused for good", async () => {
    const double = await startMailchimp()
    double.put(jane, "subscribed")
    const connection = connectionOf("mailchimp", double)
    await Effect.runPromise(
      Effect.gen(function* () {
        const services = yield* Connectors
        const at = target(double.listId)
        yield* services.remove(connection, at, [{ email: jane, remoteId: null }], "erase")
      }).pipe(Effect.provide(layer)),
    )

    await expect(write("mailchimp", double, [{ email: jane }])).rejects.toMatchObject({
      _tag: "ContactRefused",
      sentence: "… was permanently deleted and cannot be re-imported.",
    })
    await double.close()
  })

  it("403 without a problem slows down and does not refuse the key", async () => {
    const double = await startMailchimp()
    double.fault = () => ({ status: 403 })

    await expect(write("mailchimp", double, [{ email: jane }])).rejects.toMatchObject({
      _tag: "ProviderRateLimited",
    })
    await double.close()
  })
})

describe("klaviyo", () => {
  const subscriptions = (double: Double) =>
    double.requests.filter(({ operation }) => operation.includes("subscription-bulk-create"))

  it("asks for consent only on request", async () => {
    const double = await startKlaviyo()

    await write("klaviyo", double, [{ email: jane }])

    expect(subscriptions(double)).toEqual([])
    expect(statusOf(double, jane)).toBe("on the list")
    await double.close()
  })

  it("asks it of people who never said anything, and of no one else", async () => {
    const double = await startKlaviyo()
    const others = ["unsubscribed", "bounced", "left"].map((status) => `${status}@harbor.example`)
    for (const email of others) double.put(email, email.split("@")[0]!)

    const members = [jane, ...others].map((email) => ({ email }))
    await write("klaviyo", double, members, { newContactStatus: "SUBSCRIBED" })
    await write("klaviyo", double, members, { newContactStatus: "SUBSCRIBED" })

    expect(subscriptions(double)).toHaveLength(1)
    expect(statusOf(double, jane)).toBe("subscribed")
    for (const email of others) expect(statusOf(double, email)).toBe(email.split("@")[0])
    await double.close()
  })

  it("leaves out an address that refuses the whole import, and imports the others", async () => {
    const double = await startKlaviyo()

    const outcomes = await write("klaviyo", double, [
      { email: jane },
      { email: "not an address" },
      { email: "joe@harbor.example" },
    ])

    expect(outcomes.map(({ type }) => type)).toEqual(["written", "failed", "written"])
    expect(double.people().map(({ email }) => email)).toEqual([jane, "joe@harbor.example"])
    await double.close()
  })
})

describe("pipedrive", () => {
  it("finds a person by the remembered id, and by address once that person has another", async () => {
    const double = await startPipedrive()
    const [first] = await write("pipedrive", double, [{ email: jane }])
    const remoteId = first?.type === "written" ? first.remoteId : null
    const searches = () =>
      double.requests.filter(({ operation }) => operation === "GET /v2/persons/search").length
    const before = searches()

    const again = await write("pipedrive", double, [{ email: jane, remoteId }])
    const afterRemembered = searches()
    const other = await write("pipedrive", double, [{ email: "joe@harbor.example", remoteId }])

    expect(again).toEqual([{ type: "written", isAdded: false, remoteId }])
    expect(afterRemembered).toBe(before)
    expect(searches()).toBe(before + 1)
    expect(other).toMatchObject([{ isAdded: true }])
    expect(double.people()).toHaveLength(2)
    await double.close()
  })

  it("keeps the labels that others gave", async () => {
    const double = await startPipedrive()
    double.put(jane, "subscribed")

    await write("pipedrive", double, [{ email: jane }])

    expect(double.people()).toMatchObject([{ tags: ["Customer"], status: "subscribed" }])
    await double.close()
  })
})
