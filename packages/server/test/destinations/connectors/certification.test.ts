// The check of a service with an account of the owner's own (spec 5.11.8) against the doubles: it passes for each, leaves
// nothing behind, and fails for a service that does what Footfall must be able to rely on not happening.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Certificate } from "../../../src/activation/destinations/accounts/certificate.ts"
import type { AppSlug } from "../../../src/activation/destinations/connectors/connectors.ts"
import { startMailerProvider } from "../mailer-provider.ts"
import { type Account, World } from "../support.ts"
import type { Double } from "./double.ts"
import { startEmailOctopus } from "./doubles/emailoctopus.ts"
import type { ServiceFault, ServiceRequest } from "./service.ts"
import { doubles } from "./world.ts"

let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.close())

const connect = async (appSlug: string, double: Pick<Double, "credentials" | "url">) => {
  const { account } = await world.get<{ readonly account: Account }>(
    "POST /v1/intent/integrations/accounts",
    { appSlug, credentials: { ...double.credentials, baseUrl: double.url } },
  )
  return account.id
}
const certify = async (id: string, body: object = {}) =>
  (
    await world.get<{ readonly certificate: Certificate }>(
      `POST /v1/intent/integrations/accounts/${id}/certify`,
      body,
    )
  ).certificate
const refusal = async (id: string, body: object = {}) => {
  const { body: answer, status } = await world.ask(
    `POST /v1/intent/integrations/accounts/${id}/certify`,
    body,
  )
  const { issues } = answer.error.details as {
    readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
  }
  return { status, issue: issues[0]! }
}
const statuses = ({ checks }: Certificate) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]))

/** Their API makes no list that could be deleted again. */
const needsList = new Set(["mailchimp", "attio", "pipedrive"])
/** A list of theirs knows no refusals. */
const knowsNoRefusal = new Set(["hubspot", "attio", "pipedrive"])

describe.each(doubles)("%s", (appSlug, start) => {
  let double: Double
  beforeAll(async () => {
    double = await start()
  })
  afterAll(() => double.close())

  it("passes every check, and leaves neither a contact nor a list", async () => {
    const account = await connect(appSlug, double)
    const given = needsList.has(appSlug) ? { listId: double.listId } : {}

    const certificate = await certify(account, { ...given, domain: "tidewater.example" })

    expect(certificate.checks.filter(({ status }) => status === "failed")).toEqual([])
    expect(statuses(certificate)).toEqual({
      write: "passed",
      repeat: "passed",
      refusal: knowsNoRefusal.has(appSlug) ? "skipped" : "passed",
      removal: "passed",
      return: "passed",
      erasure: "passed",
    })
    expect(certificate).toMatchObject({
      hasPassed: true,
      isListCreated: !needsList.has(appSlug),
    })
    expect(double.people()).toEqual([])
    const written = double.requests.filter(({ method }) => method !== "GET")
    expect(JSON.stringify(written)).toContain("@tidewater.example")
    const { lists } = await world.get<{ readonly lists: ReadonlyArray<{ readonly id: string }> }>(
      `GET /v1/intent/integrations/${appSlug}/lists?connectedAccountId=${account}`,
    )
    expect(lists.map(({ id }) => id)).toEqual([double.listId])
    expect(double.violations).toEqual([])
  })

  it("refuses a list with contacts, and changes none of them", async () => {
    const account = await connect(appSlug, double)
    double.put("someone@harbor.example", double.removable)
    const before = double.people()
    const asked = double.requests.length

    const { issue, status } = await refusal(account, { listId: double.listId })

    expect(status).toBe(400)
    expect(issue).toMatchObject({ path: "/body/listId", message: expect.stringMatching(/empty/) })
    expect(double.people()).toEqual(before)
    expect(
      double.requests
        .slice(asked)
        .filter(({ method }) => ["PUT", "PATCH", "DELETE"].includes(method)),
    ).toEqual([])
  })

  it("refuses a list that the account doesn't have", async () => {
    const account = await connect(appSlug, double)

    const { issue, status } = await refusal(account, { listId: "99999999" })

    expect(status).toBe(400)
    expect(issue).toMatchObject({ path: "/body/listId" })
  })
})

it.each(doubles.filter(([appSlug]) => needsList.has(appSlug)))(
  "asks for a list of %s, because its API makes none",
  async (appSlug, start) => {
    const double = await start()

    const { issue, status } = await refusal(await connect(appSlug, double))

    expect(status).toBe(400)
    expect(issue).toMatchObject({ path: "/body/listId", code: "required" })
    await double.close()
  },
)

describe("a service with a fault", () => {
  const emailOf = ({ body }: ServiceRequest) =>
    (body as { readonly email_address?: string } | undefined)?.email_address ?? ""
  const isWrite = ({ method, path }: ServiceRequest) =>
    (method === "PUT" || method === "POST") && path.endsWith("/contacts")
  const isSecond = () => {
    const seen = new Map<string, number>()
    return (email: string) => {
      seen.set(email, (seen.get(email) ?? 0) + 1)
      return seen.get(email)! > 1
    }
  }

  const faults: ReadonlyArray<
    readonly [
      what: string,
      check: string,
      fault: (double: Double) => (request: ServiceRequest) => ServiceFault | undefined,
    ]
  > = [
    [
      "that subscribes someone again who unsubscribed",
      "refusal",
      (double) => (request) => {
        const { status } = (request.body ?? {}) as { readonly status?: string }
        const known = double.people().find(({ email }) => email === emailOf(request))
        if (isWrite(request) && status === undefined && known?.status === "unsubscribed") {
          double.put(known.email, "subscribed")
        }
        return undefined
      },
    ],
    [
      "that forgets a refusal",
      "refusal",
      () => (request) => {
        const { status } = (request.body ?? {}) as { readonly status?: string }
        return status === "unsubscribed"
          ? { status: 200, body: { id: "1", status: "subscribed" } }
          : undefined
      },
    ],
    [
      "that shows no one whom it accepted",
      "write",
      () => (request) =>
        isWrite(request) ? { status: 201, body: { id: "1", status: "subscribed" } } : undefined,
    ],
    [
      "that changes the status of someone who is written again",
      "repeat",
      (double) => {
        const isAgain = isSecond()
        return (request) => {
          if (isWrite(request) && isAgain(emailOf(request))) double.put(emailOf(request), "pending")
          return undefined
        }
      },
    ],
    [
      "that keeps someone who is removed",
      "removal",
      () =>
        ({ method, path }) =>
          method === "DELETE" && path.includes("/contacts/") ? { status: 204 } : undefined,
    ],
    [
      "that gives someone who returns another status",
      "return",
      () => {
        let removed = false
        return (request) => {
          if (request.method === "DELETE") removed = true
          if (removed && request.method === "POST" && isWrite(request)) {
            ;(request.body as Record<string, unknown>)["status"] = "pending"
          }
          return undefined
        }
      },
    ],
    [
      "that keeps someone who is erased",
      "erasure",
      () => {
        const isAgain = isSecond()
        return ({ method, path }) =>
          method === "DELETE" && path.includes("/contacts/") && isAgain(path)
            ? { status: 204 }
            : undefined
      },
    ],
    ["that fails", "write", () => (request) => (isWrite(request) ? { status: 503 } : undefined)],
  ]

  it.concurrent.each(faults)(
    "%s fails the check of its %s",
    async (_what, check, faultOf) => {
      const double = await startEmailOctopus()
      const account = await connect("emailoctopus", double)
      double.fault = faultOf(double)

      const certificate = await certify(account)
      double.fault = undefined

      expect(certificate.hasPassed).toBe(false)
      const failed = certificate.checks.filter(({ status }) => status === "failed")
      expect(failed.map(({ name }) => name)).toContain(check)
      expect(failed.every(({ message }) => message.length > 0 && !message.includes("@"))).toBe(true)
      await double.close()
    },
    90_000,
  )
})

it("the contacts have addresses of a domain that no one can have, unless another one is given", async () => {
  const double = await startEmailOctopus()
  const account = await connect("emailoctopus", double)

  await certify(account)

  const addresses = JSON.stringify(double.requests).match(/[^"@]+@[a-z.]+/g)
  expect(new Set(addresses!.map((one) => one.split("@")[1]))).toEqual(new Set(["example.com"]))
  await double.close()
})

it.each(["no domain", "https://acme.example", "Acme.example", "localhost", "a@b.example"])(
  "refuses %s as the domain of the contacts",
  async (domain) => {
    const double = await startEmailOctopus()
    const account = await connect("emailoctopus", double)

    const { issue, status } = await refusal(account, { domain })

    expect(status).toBe(400)
    expect(issue.path).toBe("/body/domain")
    await double.close()
  },
)

it("the mailer interface, which reads no one, can't be checked", async () => {
  const provider = await startMailerProvider()
  const account = (await world.account(provider)).id

  const { issue, status } = await refusal(account)

  expect(status).toBe(400)
  expect(issue.message).toMatch(/reads no one/)
  await provider.close()
})

it("deletes the list and the contacts also when a check fails", async () => {
  const double = await startEmailOctopus()
  const account = await connect("emailoctopus" satisfies AppSlug, double)
  double.fault = ({ method, path }) =>
    method === "GET" && path.includes("/contacts/") ? { status: 503 } : undefined

  const { hasPassed } = await certify(account)
  double.fault = undefined

  expect(hasPassed).toBe(false)
  expect(double.people()).toEqual([])
  expect(double.requests.at(-1)).toMatchObject({ method: "DELETE", status: 204 })
  await double.close()
}, 90_000)
