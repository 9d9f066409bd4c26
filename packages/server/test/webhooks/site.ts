// Organizations with people who visit their sites, a server that may send to this machine, and the webhooks of each
// organization. The tests change times in the rows.
import type { DeliveryRecord } from "../../src/activation/webhooks/delivery-record.ts"
import type { NewWebhook, Webhook } from "../../src/activation/webhooks/webhook.ts"
import { randomUUID } from "node:crypto"
import { vi } from "vitest"
import {
  startServer,
  type TestOrganization,
  type TestServer,
  type TestServerOptions,
} from "../support/server.ts"

export const browser =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0"

export interface Answered<Data = unknown> {
  readonly status: number
  readonly data: Data
  readonly error: { readonly code: string; readonly details?: unknown }
  readonly meta: Record<string, unknown>
  /** The response body. */
  readonly text: string
}

export interface Created {
  readonly webhook: Webhook
  readonly webhookSecret: string
}

/** Sends to private addresses, too. */
export const startSite = async (options: TestServerOptions = {}): Promise<TestServer> => {
  vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", "on")
  vi.stubEnv("SYNC_CYCLE_SECONDS", "1")
  vi.stubEnv("LOG_LEVEL", process.env["LOG_LEVEL"] ?? "silent")
  try {
    return await startServer(options)
  } finally {
    vi.unstubAllEnvs()
  }
}

/** One organization of the server. */
export class Customer {
  readonly server: TestServer
  readonly organization: TestOrganization
  /** The domains of the other pixels. */
  readonly #domains = new Map<string, string>()

  constructor(server: TestServer, organization: TestOrganization) {
    this.server = server
    this.organization = organization
  }

  static async of(server: TestServer): Promise<Customer> {
    return new Customer(server, await server.makeOrganization())
  }

  get id(): string {
    return this.organization.organizationId
  }

  async ask<Data = unknown>(method: string, path: string, body?: unknown): Promise<Answered<Data>> {
    const answer = await fetch(this.server.url + path, {
      method,
      headers: {
        "x-api-key": this.organization.apiKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      ...(JSON.parse(text) as Omit<Answered<Data>, "status" | "text">),
      status: answer.status,
      text,
    }
  }

  async webhook(url: string, change: Partial<NewWebhook> = {}): Promise<Created> {
    const { data, status, text } = await this.ask<Created>("POST", "/v1/data/webhooks", {
      name: "CRM",
      url,
      ...change,
    })
    if (status !== 201) throw new Error(text)
    return data
  }

  async read(webhookId: string): Promise<Webhook> {
    return (await this.ask<Webhook>("GET", `/v1/data/webhooks/${webhookId}`)).data
  }

  async deliveries(webhookId: string, query = ""): Promise<ReadonlyArray<DeliveryRecord>> {
    const path = `/v1/data/webhooks/${webhookId}/deliveries?limit=100${query}`
    return (await this.ask<{ deliveries: ReadonlyArray<DeliveryRecord> }>("GET", path)).data
      .deliveries
  }

  /** Waits until a webhook's only delivery has the status, and returns it. */
  delivery(
    webhookId: string,
    isIt: (record: DeliveryRecord) => boolean = ({ status }) => status !== "queued",
  ): Promise<DeliveryRecord> {
    return vi.waitFor(
      async () => {
        const [one] = await this.deliveries(webhookId)
        if (one === undefined || !isIt(one)) throw new Error(JSON.stringify(one))
        return one
      },
      { timeout: 30_000, interval: 20 },
    )
  }

  async segment(rule: object, subject: "companies" | "people" = "people"): Promise<string> {
    const { data } = await this.ask<{ id: string }>("POST", "/v1/data/segments", {
      name: "Buyers",
      subject,
      ruleAst: { version: 1, rule },
    })
    return data.id
  }

  async pixel(domain: string): Promise<string> {
    const { data } = await this.ask<{ id: string }>("POST", "/v1/data/pixels", { domain })
    this.#domains.set(data.id, domain)
    return data.id
  }

  /** Sends a browser's batch through the collect route, and waits for everything that follows. */
  async visit({
    address,
    anonymousId = randomUUID(),
    email,
    heartbeatPath,
    minutesAgo = 0,
    paths = ["/"],
    pixelId = this.organization.pixelId,
    secondsVisible = 0,
    title,
    traits = {},
  }: Visit): Promise<string> {
    const now = Date.now()
    const origin = `https://${this.#domains.get(pixelId) ?? "tidewater.example"}`
    const time = (place: number) => new Date(now - minutesAgo * 60_000 + place).toISOString()
    const answer = await fetch(`${this.server.url}/p/${pixelId}/e`, {
      method: "POST",
      headers: {
        "content-type": "text/plain",
        "user-agent": browser,
        ...(address === undefined ? {} : { "x-forwarded-for": address }),
      },
      body: JSON.stringify({
        v: 1,
        sentAt: new Date(now).toISOString(),
        anonymousId,
        consent: "granted",
        timeZone: null,
        events: [
          ...paths.map((path, place) => ({
            id: randomUUID(),
            type: "page",
            time: time(place - 1_000),
            url: origin + path,
            ...(title === undefined ? {} : { title }),
          })),
          ...(secondsVisible === 0
            ? []
            : [
                {
                  id: randomUUID(),
                  type: "heartbeat",
                  time: time(-1),
                  url: origin + (heartbeatPath ?? paths.at(-1) ?? "/"),
                  activeSeconds: secondsVisible,
                },
              ]),
          ...(email === undefined
            ? []
            : [
                {
                  id: randomUUID(),
                  type: "identify",
                  time: time(0),
                  url: `${origin}/`,
                  email,
                  traits,
                },
              ]),
        ],
      }),
    })
    if (answer.status !== 204 && answer.status !== 202) throw new Error(await answer.text())
    await this.server.drain()
    return anonymousId
  }

  /** Advances time for everything that webhooks remember and wait for. */
  async pass(seconds: number): Promise<void> {
    const ago = `make_interval(secs => ${seconds})`
    const isOurs = `organization_id = '${this.id}'`
    // One transaction, because a worker in between would find a session that continues.
    await this.server.sql(
      `update webhook_session set ends_at = ends_at - ${ago} where ${isOurs};
       update webhook_visitor set told_at = told_at - ${ago}, viewed_at = viewed_at - ${ago}
       where ${isOurs};
       update webhook_company set told_at = told_at - ${ago}, viewed_at = viewed_at - ${ago}
       where ${isOurs};
       update webhook_delivery set next_attempt_at = next_attempt_at - ${ago}
       where ${isOurs} and status = 'queued';
       update session set started_at = started_at - ${ago}, ended_at = ended_at - ${ago}
       where ${isOurs}`,
    )
  }
}

export interface Visit {
  /** The visitor's IP address, if the server trusts this machine to say so. */
  readonly address?: string
  readonly anonymousId?: string
  /** Absent: it identifies no one. */
  readonly email?: string
  /** The page that was visible; default: the last one. */
  readonly heartbeatPath?: string
  readonly minutesAgo?: number
  readonly paths?: ReadonlyArray<string>
  readonly pixelId?: string
  /** What a heartbeat reports; without it none is sent. */
  readonly secondsVisible?: number
  /** Of every page. */
  readonly title?: string
  readonly traits?: Readonly<Record<string, unknown>>
}
