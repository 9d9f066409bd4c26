// Reading the people of each service for suppression sources (spec 2.25.8, 2.25.9), against a double that follows the
// service's contract: who is read, that no one is passed over, and how it fails.
import { Effect, Layer, Redacted, Result, Stream } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { sourceServices } from "../../../src/people/suppression-sources/source.ts"
import {
  Connectors,
  connectors,
} from "../../../src/activation/destinations/connectors/connectors.ts"
import {
  countedPlace,
  type PeopleQuery,
} from "../../../src/activation/destinations/connectors/people-reading.ts"
import { Outbound, PrivateAddressesAllowed } from "../../../src/platform/outbound/outbound.ts"
import type { Double } from "./double.ts"
import { startHubSpot } from "./doubles/hubspot.ts"
import { startMailchimp } from "./doubles/mailchimp.ts"
import { doubles } from "./world.ts"

const layer = Connectors.layer.pipe(
  Layer.provide(Outbound.layer),
  Layer.provide(Layer.succeed(PrivateAddressesAllowed, true)),
)

const started: Array<Double> = []
afterEach(async () => {
  for (const double of started.splice(0)) {
    expect(double.violations).toEqual([])
    await double.close()
  }
})

type Service = (typeof sourceServices)[number]

/** Pages of a service's people as a source reads them. */
const pages = (service: Service, double: Double, query: Partial<PeopleQuery>) => {
  const { apiKey, username = null } = double.credentials
  const connection = {
    appSlug: service,
    accountId: "account-1",
    baseUrl: double.url,
    apiKey: Redacted.make(apiKey!),
    username,
  }
  return Stream.unwrap(
    Effect.map(Connectors, (all) =>
      all.people(connection, { listId: double.listId, people: "all", ...query }),
    ),
  )
}

const read = async (service: Service, double: Double, query: Partial<PeopleQuery> = {}) => {
  const result = await Effect.runPromise(
    pages(service, double, query).pipe(
      Stream.runCollect,
      Effect.map((all) => [...new Set([...all].flat())].toSorted()),
      Effect.result,
      Effect.provide(layer),
    ),
  )
  return Result.isSuccess(result) ? result.success : result.failure._tag
}

const names = (count: number, prefix = "p") =>
  Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(5, "0")}@harbor.example`)

const services = doubles.filter(([slug]) =>
  (sourceServices as ReadonlyArray<string>).includes(slug),
)

it("every service of sources has a connector that reads people, and no other connector does", () => {
  const readable = Object.entries(connectors)
    .filter(([, connector]) => "people" in connector)
    .map(([slug]) => slug)

  expect(readable.toSorted()).toEqual([...sourceServices].toSorted())
})

describe.each(services)("%s", (slug, startDouble) => {
  const service = slug as Service
  const start = async () => {
    const double = await startDouble()
    started.push(double)
    return double
  }

  it("reads everyone on the list, over several pages, whatever their status", async () => {
    const double = await start()
    const everyone = names(1_203)
    for (const email of everyone) double.put(email, double.newStatus)
    // Who left a list is not on it, nor are contacts of HubSpot who are on no list.
    const onList = double.refused.filter((status) => !["left", "opted out"].includes(status))
    for (const status of onList) double.put(`${status}@harbor.example`, status)

    const found = await read(service, double)

    expect(found).toEqual(
      [...everyone, ...onList.map((status) => `${status}@harbor.example`)].toSorted(),
    )
  })

  it("reads those who refused, and no one else", async () => {
    const double = await start()
    for (const email of names(203)) double.put(email, double.newStatus)
    const expected = double.refused.map((status) => `${status.replace(" ", "")}@harbor.example`)
    for (const [at, email] of expected.entries()) double.put(email, double.refused[at]!)
    // A list of HubSpot says nothing about consent: those who opted out are found in the account.
    const query = service === "hubspot" ? { listId: null } : {}

    const found = await read(service, double, { ...query, people: "refused" })

    expect(found).toEqual(expected.toSorted())
  })

  it("reads the whole account without a list, unless people are on lists only", async () => {
    const double = await start()
    for (const email of names(2)) double.put(email, double.newStatus)
    const { needsList } = connectors[service].people
    if (!needsList) double.put("elsewhere@harbor.example", service === "klaviyo" ? "left" : null)

    const found = await read(service, double, { listId: null })

    expect(found).toEqual(
      needsList ? "ListGone" : ["elsewhere@harbor.example", ...names(2)].toSorted(),
    )
  })

  it.each(["all", "refused"] as const)("says that a list is gone (%s)", async (people) => {
    const double = await start()
    for (const email of names(2)) double.put(email, double.newStatus)
    double.deleteList!()

    expect(await read(service, double, { people })).toBe("ListGone")
  })

  it("says that a key is refused", async () => {
    const double = await start()
    double.put("p@harbor.example", double.newStatus)
    double.revoke()

    expect(await read(service, double)).toBe("CredentialsRefused")
  })

  it.each([
    ["fails", { status: 503 }],
    ["asks to wait", { status: 429 }],
    ["closes the connection", "reset" as const],
  ])("asks for the same page again when the service %s once", async (_name, fault) => {
    const double = await start()
    for (const email of names(1_203)) double.put(email, double.newStatus)
    let asked = 0
    double.fault = () => (++asked === 3 ? fault : undefined)

    expect(await read(service, double)).toEqual(names(1_203))
  })

  it("gives up when a page keeps failing, and asks for no more after that", async () => {
    const double = await start()
    for (const email of names(1_203)) double.put(email, double.newStatus)
    let asked = 0
    double.fault = () => (++asked >= 3 ? { status: 400, body: { message: "no" } } : undefined)

    const outcome = await read(service, double)

    expect(outcome).toBe("ContactRefused")
    expect(double.requests).toHaveLength(3)
  })

  it("asks for a page only when the one before was taken", async () => {
    const double = await start()
    for (const email of names(1_203)) double.put(email, double.newStatus)

    const first = await Effect.runPromise(
      pages(service, double, {}).pipe(Stream.take(1), Stream.runCollect, Effect.provide(layer)),
    )
    const asked = double.requests.length

    expect([...first]).toHaveLength(1)
    expect(asked).toBeLessThan(4)
  })
})

const placed = services.filter(([slug]) => ["mailchimp", "brevo", "listmonk"].includes(slug))

describe.each(placed)("the pages of %s, which are asked for by place", (slug, startDouble) => {
  const service = slug as Service

  it.each([1, 49])("pass over no one when %d people leave between two pages", async (leaving) => {
    const double = await startDouble()
    started.push(double)
    const everyone = names(1_203)
    for (const email of everyone) double.put(email, double.newStatus)
    const isPage = ({ operation }: { readonly operation: string }) =>
      /(members|contacts|subscribers)$/.test(operation)
    let pagesAsked = 0
    double.fault = (request) => {
      if (isPage(request) && ++pagesAsked === 2) {
        for (const email of everyone.slice(0, leaving)) double.forget!(email)
      }
      return undefined
    }

    expect(await read(service, double)).toEqual(everyone)
  })

  it("fail when so many left that someone may have been passed over", async () => {
    const double = await startDouble()
    started.push(double)
    const everyone = names(1_203)
    for (const email of everyone) double.put(email, double.newStatus)
    let pagesAsked = 0
    double.fault = ({ operation }) => {
      if (/(members|contacts|subscribers)$/.test(operation) && ++pagesAsked === 2) {
        for (const email of everyone.slice(0, 300)) double.forget!(email)
      }
      return undefined
    }

    expect(await read(service, double)).toBe("PeopleChanged")
  })
})

describe("hubspot", () => {
  it("reads every address of a contact", async () => {
    const double = await startHubSpot()
    started.push(double)
    double.put("jane@harbor.example", double.newStatus)
    double.set("jane@harbor.example", { hs_additional_emails: "j@home.example;jm@work.example" })

    const found = await read("hubspot", double)

    expect(found).toEqual(["j@home.example", "jane@harbor.example", "jm@work.example"])
  })

  it.each([
    ["opted out", { hs_email_optout: "true" }],
    ["bounced", { hs_email_hard_bounce_reason_enum: "UNKNOWN_USER" }],
    ["is quarantined", { hs_email_quarantined: "true" }],
    ["has a bad address", { hs_email_bad_address: "true" }],
  ])("reads a member of the list who %s as one who refused", async (_name, properties) => {
    const double = await startHubSpot()
    started.push(double)
    double.put("jane@harbor.example", double.newStatus)
    double.put("joe@harbor.example", double.newStatus)
    double.set("jane@harbor.example", properties)

    expect(await read("hubspot", double, { people: "refused" })).toEqual(["jane@harbor.example"])
  })

  it("has a list of companies for gone", async () => {
    const double = await startHubSpot()
    started.push(double)

    expect(await read("hubspot", double, { listId: "19" })).toBe("ListGone")
  })
})

describe("mailchimp", () => {
  it("leaves out members whom it has archived", async () => {
    const double = await startMailchimp()
    started.push(double)
    double.put("jane@harbor.example", "subscribed")
    double.put("joe@harbor.example", "archived")

    expect(await read("mailchimp", double)).toEqual(["jane@harbor.example"])
  })
})

it("a page of listmonk begins at most a few people before the place that was asked for", () => {
  for (let offset = 0; offset < 200_000; offset += 449) {
    const { offset: found, page, size } = countedPlace(offset)
    expect(found).toBe((page - 1) * size)
    expect(found).toBeLessThanOrEqual(offset)
    expect(offset - found).toBeLessThan(60)
  }
})
