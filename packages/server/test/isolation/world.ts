// Two organizations of one server, and a way to make one of every kind of object in either of them.
import { Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { hashPassword } from "../../src/access/password.ts"
import { type MailerProvider, startMailerProvider } from "../destinations/mailer-provider.ts"
import type { TestOrganization, TestServer, TestUser } from "../support/server.ts"
import { putTopics, topic } from "../topics/topics.ts"
import { putPerson, putPixel, putSessions } from "../visitors/sessions/person.ts"

let provider: Promise<MailerProvider> | undefined

export const password = "correct horse battery staple"
const passwordHash = hashPassword(Redacted.make(password))

export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly apiKey?: string | undefined
  readonly token?: string | undefined
}

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A list, or whatever else an operation answers, as far as the makers below look at it. */
export interface Success<Data> {
  readonly data: Data
  readonly meta: { readonly nextCursor: string | null }
}

export const send =
  ({ url }: Pick<TestServer, "url">) =>
  async ({ apiKey, body, method, path, token }: Sent): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answered = (await response.json()) as Answer["body"] // every answer is an object
    return { status: response.status, body: answered }
  }

interface Named {
  readonly id: string
}

/** One organization with an owner, and makers of its objects; each gives what names a new one. */
export class Tenant {
  readonly #server: TestServer
  readonly organization: TestOrganization
  readonly owner: TestUser

  constructor(server: TestServer, organization: TestOrganization, owner: TestUser) {
    this.#server = server
    this.organization = organization
    this.owner = owner
  }

  static async make(server: TestServer): Promise<Tenant> {
    const organization = await server.makeOrganization()
    const owner = await server.makeUser("owner", organization.organizationId)
    return new Tenant(server, organization, owner)
  }

  /** Asks with the credentials the operation takes; throws what is refused. */
  async ask<Data>(method: string, path: string, body?: unknown): Promise<Success<Data>> {
    const isData = path.startsWith("/v1/data")
    const answer = await send(this.#server)({
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(isData ? { apiKey: this.organization.apiKey } : { token: this.owner.accessToken }),
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as unknown as Success<Data> // the caller knows what it asked for
  }

  /** A domain of a new pixel, and the pixel's id. */
  async pixel(): Promise<{ readonly id: string; readonly domain: string }> {
    const domain = `${randomUUID()}.example`
    return { domain, id: await putPixel(this.#server, this.organization, domain) }
  }

  /** A person who was seen just now, `sessions` times. */
  async visitor(sessions = 1): Promise<{ readonly email: string; readonly visitorId: string }> {
    const person = await putPerson(this.#server, this.organization)
    const startedAt = new Date(Date.now() - 60_000).toISOString()
    await putSessions(this.#server, this.organization, { person, startedAt, count: sessions })
    await this.#server.sql(
      `insert into visitor_pixel
         (organization_id, visitor_id, pixel_id, email_hash, first_seen_at, last_seen_at)
       values ($1, $2, $3, $4, now(), now())`,
      [this.organization.organizationId, person.id, this.organization.pixelId, person.visitorId],
    )
    return person
  }

  async segment(name = "Buyers"): Promise<string> {
    const ruleAst = { version: 1, rule: { field: "behavior.sessions", op: "gte", value: 1 } }
    const { data } = await this.ask<Named>("POST", "/v1/data/segments", { name, ruleAst })
    return data.id
  }

  /** Of a topic that is made with the first one. */
  async topicList(name = "Watched"): Promise<string> {
    await putTopics(this.#server, [topic(1, "Freight")])
    const { data } = await this.ask<Named>("POST", "/v1/intent/topic-lists", {
      name,
      topicIds: [1],
    })
    return data.id
  }

  /** A draft over one topic, which is made with it. Put there, because only 50 can be saved. */
  async audience(name = "Buyers"): Promise<string> {
    await putTopics(this.#server, [topic(1, "Freight")])
    const id = randomUUID()
    const config = { topicIds: [1], minScore: 70, maxScore: 100, minTopicOverlap: 1, filters: {} }
    await this.#server.sql(
      `insert into audience (organization_id, id, name, status, config)
       values ($1, $2, $3, 'draft', $4)`,
      [this.organization.organizationId, id, name, JSON.stringify(config)],
    )
    return id
  }

  /** As it is kept of a site; reading one takes a site. */
  async siteAnalysis(): Promise<string> {
    const id = randomUUID()
    await this.#server.sql(
      `insert into site_analysis (organization_id, id, url, keywords, topics)
       values ($1, $2, 'https://acme.example/', '{}', '[]')`,
      [this.organization.organizationId, id],
    )
    return id
  }

  /** A webhook destination, and the audience it is of. */
  async destination(): Promise<{ readonly audienceId: string; readonly destinationId: string }> {
    const audienceId = await this.audience()
    const { data } = await this.ask<{ readonly destination: Named }>(
      "POST",
      `/v1/intent/audiences/${audienceId}/destinations`,
      {
        destinationType: "webhook",
        name: "CRM intake",
        url: "https://127.0.0.1:1/hook",
        eventTypes: ["intent.audience.contact.upserted"],
      },
    )
    return { audienceId, destinationId: data.destination.id }
  }

  /** Of a provider of this process; needs a server that may ask it. */
  async connectedAccount(): Promise<string> {
    const { apiKey, url: baseUrl } = await (provider ??= startMailerProvider())
    const { data } = await this.ask<{ readonly account: Named }>(
      "POST",
      "/v1/intent/integrations/accounts",
      { appSlug: "mailer", credentials: { apiKey, baseUrl } },
    )
    return data.account.id
  }

  async suppressionRule(value = `${randomUUID()}.example`): Promise<string> {
    const path = "/v1/data/suppression-rules"
    await this.ask("POST", path, { rules: [{ type: "domain", value }] })
    const { data } = await this.ask<{ rules: ReadonlyArray<Named> }>("GET", `${path}?q=${value}`)
    return data.rules[0]!.id
  }

  async apiKey(name = "Backend"): Promise<string> {
    const { data } = await this.ask<{ apiKey: Named }>("POST", "/v1/api-keys", { name })
    return data.apiKey.id
  }

  /** A member with a password. */
  async member(): Promise<TestUser> {
    const user = await this.#server.makeUser("member", this.organization.organizationId)
    await this.#server.sql("update user_account set password_hash = $2 where id = $1", [
      user.userId,
      await passwordHash,
    ])
    return user
  }
}
