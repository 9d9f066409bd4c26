// A server that may send to this machine, and one-line helpers for audiences, connected accounts and destinations.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { vi } from "vitest"
import { caller, type Answer } from "../access/request.ts"
import {
  startServer,
  type TestServer,
  type TestServerOptions,
  type TestUser,
} from "../support/server.ts"
import type { MailerProvider } from "./mailer-provider.ts"

export interface Destination {
  readonly id: string
  readonly audienceId: string
  readonly name: string
  readonly status: string
  readonly validationPolicy: string
  readonly configRevision: number
  readonly approvedConfigHash: string | null
  readonly stats: Readonly<Record<string, unknown>>
  readonly webhook: Readonly<Record<string, unknown>> | null
  readonly automation: {
    readonly connectedAccount: Readonly<Record<string, unknown>>
    readonly config: Readonly<Record<string, unknown>>
  } | null
}

export interface Account {
  readonly id: string
  readonly status: string
  readonly lastSyncedAt: string
}

export const eventTypes = [
  "intent.audience.sync.started",
  "intent.audience.contact.upserted",
  "intent.audience.sync.completed",
] as const

/** Every request has a member's credentials, unless others are given. */
export class World {
  readonly server: TestServer
  readonly member: TestUser
  readonly #call: ReturnType<typeof caller>

  constructor(server: TestServer, member: TestUser) {
    this.server = server
    this.member = member
    this.#call = caller(server)
  }

  /** `mailerBaseUrl`: `MAILER_BASE_URL`. `isPrivateAllowed`: default true. */
  static async start({
    isPrivateAllowed = true,
    mailerBaseUrl,
    ...options
  }: TestServerOptions & {
    readonly isPrivateAllowed?: boolean
    readonly mailerBaseUrl?: string
  } = {}): Promise<World> {
    vi.stubEnv("ALLOW_PRIVATE_WEBHOOKS", isPrivateAllowed ? "on" : "off")
    vi.stubEnv("MAILER_BASE_URL", mailerBaseUrl)
    // The doubles answer at once. What the documented limits make of it, rates.test.ts shows.
    vi.stubEnv("SERVICE_PACE", "100000")
    const server = await startServer({ workers: false, ...options })
    return new World(server, await server.makeUser("member"))
  }

  close(): Promise<void> {
    return this.server.close()
  }

  ask(operation: string, body?: unknown, token = this.member.accessToken): Promise<Answer> {
    return this.#call(operation, body, { token })
  }

  /** Returns the data. Throws if the request is rejected. */
  async get<Data>(operation: string, body?: unknown): Promise<Data> {
    const answer = await this.ask(operation, body)
    if (answer.status >= 300) throw new Error(`${operation}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  async audience(organizationId = this.server.organizationId): Promise<string> {
    const id = randomUUID()
    await this.server.sql(
      `insert into audience (organization_id, id, name, status, config)
       values ($1, $2, 'Warehouse buyers', 'draft', $3)`,
      [organizationId, id, config],
    )
    return id
  }

  pathOf({ audienceId, id }: Pick<Destination, "audienceId" | "id">): string {
    return `/v1/intent/audiences/${audienceId}/destinations/${id}`
  }

  /** Creates a draft. */
  async webhook(
    fields: Readonly<Record<string, unknown>> = {},
    audienceId?: string,
  ): Promise<Destination & { readonly secret: string }> {
    const audience = audienceId ?? (await this.audience())
    const { destination, webhookSecret } = await this.get<Made>(
      `POST /v1/intent/audiences/${audience}/destinations`,
      webhookBody(fields),
    )
    return { ...destination, secret: webhookSecret! }
  }

  /** Connects an account with the provider's current key. */
  async account(provider: MailerProvider): Promise<Account> {
    const { account } = await this.get<{ readonly account: Account }>(
      "POST /v1/intent/integrations/accounts",
      {
        appSlug: "mailer",
        accountName: "Newsletter",
        credentials: { apiKey: provider.apiKey, baseUrl: provider.url },
      },
    )
    return account
  }

  /** Creates a draft. */
  async automation(
    connectedAccountId: string,
    config: Readonly<Record<string, unknown>> = { listId: "buyers" },
    audienceId?: string,
  ): Promise<Destination> {
    const audience = audienceId ?? (await this.audience())
    const { destination } = await this.get<Made>(
      `POST /v1/intent/audiences/${audience}/destinations`,
      automationBody(connectedAccountId, config),
    )
    return destination
  }

  patch(destination: Pick<Destination, "audienceId" | "id">, change: unknown): Promise<Answer> {
    return this.ask(`PATCH ${this.pathOf(destination)}`, change)
  }

  async changed(
    destination: Pick<Destination, "audienceId" | "id">,
    change: unknown,
  ): Promise<Destination> {
    const { destination: changed } = await this.get<Made>(
      `PATCH ${this.pathOf(destination)}`,
      change,
    )
    return changed
  }

  async read(destination: Pick<Destination, "audienceId" | "id">): Promise<Destination> {
    return (await this.get<Made>(`GET ${this.pathOf(destination)}`)).destination
  }

  /** Sets the state that a delivery leaves. */
  async needsAttention({ id }: Pick<Destination, "id">, code: string): Promise<void> {
    await this.server.sql(
      `update destination set status = 'needs_attention', consecutive_errors = 10,
         last_error_code = $2, last_error_message = 'Because.', last_error_at = now()
       where id = $1`,
      [id, code],
    )
  }

  /** Inserts a delivery in a state, to see how it changes. */
  async delivery(
    { audienceId, id }: Pick<Destination, "audienceId" | "id">,
    status: "queued" | "processing",
  ): Promise<string> {
    const deliveryId = randomUUID()
    await this.server.sql(
      `insert into delivery (organization_id, id, audience_id, destination_id,
         destination_config_revision, source_run_id, mode, status)
       values ($1, $2, $3, $4, 1, $5, 'initial', $6)`,
      [this.server.organizationId, deliveryId, audienceId, id, randomUUID(), status],
    )
    return deliveryId
  }

  async statusOfDelivery(deliveryId: string): Promise<unknown> {
    const [row] = await this.server.sql("select status from delivery where id = $1", [deliveryId])
    return row?.["status"]
  }
}

interface Made {
  readonly destination: Destination
  readonly webhookSecret: string | null
}

/** The stored configuration of an audience. */
const config = { topicIds: [1], minScore: 70, maxScore: 100, minTopicOverlap: 1, filters: {} }

export const webhookBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  destinationType: "webhook",
  name: "CRM intake",
  url: "https://hooks.tidewater.example/footfall",
  eventTypes,
  ...fields,
})

export const automationBody = (
  connectedAccountId: string,
  config: Readonly<Record<string, unknown>> = { listId: "buyers" },
) => ({
  destinationType: "automation",
  name: "Newsletter",
  appSlug: "mailer",
  connectedAccountId,
  config,
})

export interface Received {
  readonly headers: Readonly<Record<string, string | Array<string> | undefined>>
  readonly body: Buffer
}

/** Starts a webhook receiver that responds with `status` and records the requests. */
export const startReceiver = async () => {
  const received: Array<Received> = []
  const receiver = { url: "", status: 200, received, close: async () => {} }
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void buffer(request).then((body) => {
      received.push({ headers: request.headers, body })
      response.writeHead(receiver.status).end()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A socket that listens on TCP has an address of this form.
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  receiver.close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, "close")
  }
  return receiver
}
