// Two organizations of one server, and functions that create every kind of object in either of them.
import { vi } from "vitest"
import { randomBytes, randomInt, randomUUID } from "node:crypto"
import { fillPaths, scoreBuckets } from "../../src/intent/runs/statistics/statistics.ts"
import { cheapHash } from "../access/cheap-hash.ts"
import { configHash } from "../../src/activation/destinations/destination.ts"
import { seal } from "../../src/platform/secrets/sealing.ts"
import { sealingOf } from "../../src/activation/webhooks/signing-secrets.ts"
import { startEmailOctopus } from "../destinations/connectors/doubles/emailoctopus.ts"
import { type MailerProvider, startMailerProvider } from "../destinations/mailer-provider.ts"
import { people, putRun } from "../runs/exports/support.ts"
import {
  type TestOrganization,
  type TestServer,
  testSecret,
  type TestUser,
} from "../support/server.ts"
import { putTopics, topic } from "../topics/topics.ts"
import { page, putVisit } from "../events/visit.ts"
import { putPerson, putPixel, putPlace, putSessions } from "../visitors/sessions/person.ts"
import { dataKeysIn } from "../support/data-keys.ts"

const twoPages = [page(0, "/"), page(5, "/pricing")]

interface Journey {
  readonly sessions: ReadonlyArray<{ readonly sessionId: string }>
}

let provider: Promise<MailerProvider> | undefined
let octopus: ReturnType<typeof startEmailOctopus> | undefined

export const password = "correct horse battery staple"
const passwordHash = cheapHash(password)

export interface Sent {
  /** A file; sent as CSV. */
  readonly file?: string
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

/** A list or another response, with the fields that the functions below read. */
export interface Success<Data> {
  readonly data: Data
  readonly meta: { readonly nextCursor: string | null }
}

export const send =
  ({ url }: Pick<TestServer, "url">) =>
  async ({ apiKey, body, file, method, path, token }: Sent): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(file === undefined ? {} : { "content-type": "text/csv" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file }),
    })
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
    // Every JSON response is an object. For a file, this is its text.
    const answered = isJson
      ? ((await response.json()) as Answer["body"])
      : { data: await response.text() }
    return { status: response.status, body: answered }
  }

interface Named {
  readonly id: string
}

/** One organization with an owner, and functions that create its objects. Each returns the ids of a new one. */
export class Tenant {
  /** The list of sources: there can be 100. */
  #mirrored: Promise<string> | undefined
  #octopusAccount: Promise<string> | undefined
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

  /** Asks with the credentials that the operation takes. Throws if the request is refused. */
  async ask<Data>(method: string, path: string, body?: unknown): Promise<Success<Data>> {
    const isData = path.startsWith("/v1/data")
    const answer = await send(this.#server)({
      method,
      path,
      ...(body === undefined ? {} : { body }),
      ...(isData ? { apiKey: this.organization.apiKey } : { token: this.owner.accessToken }),
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as unknown as Success<Data> // the caller knows the type
  }

  /** The domain of a new pixel, and the pixel's id. */
  async pixel(): Promise<{ readonly id: string; readonly domain: string }> {
    const domain = `${randomUUID()}.example`
    return { domain, id: await putPixel(this.#server, this.organization, domain) }
  }

  /** A working write key of a new pixel. */
  async writeKey(): Promise<{ readonly id: string; readonly keyId: string }> {
    const { id } = await this.pixel()
    const path = `/v1/data/pixels/${id}/write-keys`
    const made = await this.ask<{ key: { id: string } }>("POST", path, { name: "Backend" })
    return { id, keyId: made.data.key.id }
  }

  /** A user id that strangers share, of a new pixel. */
  async sharedUserId(): Promise<{ readonly id: string; readonly sharedUserId: string }> {
    const { id } = await this.pixel()
    const sharedUserId = randomUUID()
    await this.#server.sql(
      `insert into user_id_use (
         organization_id, pixel_id, user_id, browsers, addresses, used_at, shared_at, text
       ) values ($1, $2, $3, '[]', '[]', now(), now(), 'demo')`,
      [this.organization.organizationId, id, sharedUserId],
    )
    return { id, sharedUserId }
  }

  #readablePixel: Promise<string> | undefined

  /** A pixel whose site can be read, because this server is the site. */
  async readablePixel(): Promise<{ readonly id: string; readonly url: string }> {
    this.#readablePixel ??= putPixel(this.#server, this.organization, "127.0.0.1")
    return { id: await this.#readablePixel, url: `${this.#server.url}/opt-out` }
  }

  /** A person seen just now, `sessions` times. */
  async visitor(sessions = 1): Promise<{ readonly email: string; readonly visitorId: string }> {
    const person = await putPerson(this.#server, this.organization)
    const startedAt = new Date(Date.now() - 60_000).toISOString()
    await putSessions(this.#server, this.organization, { person, startedAt, count: sessions })
    await putPlace(this.#server, this.organization, person)
    return person
  }

  /** The receipt of a person who was erased. */
  async erasure(): Promise<string> {
    const { visitorId } = await this.visitor()
    const path = `/v1/data/visitors/${visitorId}`
    return (await this.ask<{ receipt: Named }>("DELETE", path)).data.receipt.id
  }

  /** A note about a person, who also has a tag. */
  async visitorNote(): Promise<{ readonly visitorId: string; readonly noteId: string }> {
    const { visitorId } = await this.visitor()
    const path = `/v1/data/visitors/${visitorId}`
    await this.ask("PATCH", path, { tags: [randomUUID()] })
    const { data } = await this.ask<Named>("POST", `${path}/notes`, { text: randomUUID() })
    return { visitorId, noteId: data.id }
  }

  /** A note about a company. */
  async companyNote(): Promise<{ readonly domain: string; readonly noteId: string }> {
    const domain = await this.company()
    const path = `/v1/data/companies/${domain}/notes`
    const { data } = await this.ask<Named>("POST", path, { text: randomUUID() })
    return { domain, noteId: data.id }
  }

  /** The domain of a company seen just now, in one anonymous session. */
  async company(): Promise<string> {
    const domain = `${randomUUID()}.example`
    const { organizationId, pixelId } = this.organization
    await this.#server.sql(
      `with seen as (
         insert into session (organization_id, id, pixel_id, anonymous_id, started_at, ended_at,
           pageviews, unique_pages, pricing_page_views, demo_page_views, page_urls, page_times,
           channel, device_type, converted, network_domain)
         values ($1, gen_random_uuid(), $2, gen_random_uuid(), now(), now(), 1, 1, 0, 0, '{}', '{}',
           'direct', 'desktop', false, $3)
       ), of_pixel as (
         insert into company_pixel (organization_id, domain, pixel_id, sessions,
           anonymous_sessions, first_seen_at, last_seen_at)
         values ($1, $3, $2, 1, 1, now(), now())
       )
       insert into company (organization_id, domain, sessions, anonymous_sessions, first_seen_at,
         last_seen_at)
       values ($1, $3, 1, 1, now(), now())`,
      [organizationId, pixelId, domain],
    )
    return domain
  }

  /** A session of a person, with two events. */
  async session(): Promise<{ readonly visitorId: string; readonly sessionId: string }> {
    const person = await putPerson(this.#server, this.organization)
    await putVisit(this.#server, this.organization, { visitor: person.id, events: twoPages })
    await putPlace(this.#server, this.organization, person)
    const { visitorId } = person
    const { data } = await this.ask<ReadonlyArray<{ readonly sessionId: string }>>(
      "GET",
      `/v1/data/visitors/${visitorId}/sessions`,
    )
    return { visitorId, sessionId: data[0]!.sessionId }
  }

  /** An anonymous session of a company, with two events. */
  async companySession(): Promise<{ readonly domain: string; readonly sessionId: string }> {
    const domain = await this.company()
    await this.#server.sql(
      "update session set started_at = started_at - interval '1 day' where network_domain = $1",
      [domain],
    )
    await putVisit(this.#server, this.organization, { network: domain, events: twoPages })
    const { data } = await this.ask<{ journey: Journey }>("GET", `/v1/data/companies/${domain}`)
    return { domain, sessionId: data.journey.sessions[0]!.sessionId }
  }

  async scoredVisitor(): Promise<{ readonly visitorId: string }> {
    const person = await this.visitor()
    await this.#server.sql(
      `update visitor_score set rank = 10, fit = 20, interest = 0, revision = 0, computed_at = now()
       where organization_id = $1 and email_hash = $2`,
      [this.organization.organizationId, person.visitorId],
    )
    return person
  }

  async scoredCompany(): Promise<string> {
    const domain = await this.company()
    await this.#server.sql(
      `update company_score set rank = 10, fit = 20, interest = 0, revision = 0, computed_at = now()
       where organization_id = $1 and domain = $2`,
      [this.organization.organizationId, domain],
    )
    return domain
  }

  async segment(name = "Buyers", subject = "people"): Promise<string> {
    const ruleAst = { version: 1, rule: { field: "behavior.sessions", op: "gte", value: 1 } }
    const { data } = await this.ask<Named>("POST", "/v1/data/segments", {
      name,
      subject,
      ruleAst,
    })
    return data.id
  }

  async list(name = "Accounts"): Promise<string> {
    const { data } = await this.ask<Named>("POST", "/v1/data/lists", { name, subject: "companies" })
    await this.ask("POST", `/v1/data/lists/${data.id}/members`, {
      values: ["a.example", "b.example"],
    })
    return data.id
  }

  /** Creates an inactive webhook. Written to the table, because only 20 can be created. */
  async webhook(name = "CRM"): Promise<string> {
    const { organizationId } = this.organization
    const webhookId = randomUUID()
    const dataKeys = await dataKeysIn(this.#server.sql, testSecret)
    const secret = seal(dataKeys, sealingOf({ organizationId, webhookId }), "whsec_AAECAwQFBgc=")
    await this.#server.sql(
      `insert into webhook (organization_id, id, name, url, trigger, status, timeout_ms, secret)
       values ($1, $2, $3, 'https://192.0.2.1/', 'first_match', 'inactive', 1000, $4)`,
      [organizationId, webhookId, name, secret],
    )
    return webhookId
  }

  /** Creates a finished delivery that can be sent again. */
  async webhookDelivery(): Promise<{ readonly id: string; readonly deliveryId: string }> {
    const id = await this.webhook()
    const deliveryId = randomUUID()
    const { organizationId, pixelId } = this.organization
    await this.#server.sql(
      `insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
         status, payload, completed_at)
       values ($1, $2, $3, 'visitor.identified', 'first_match', $4, 'succeeded', '{}', now())`,
      [organizationId, deliveryId, id, pixelId],
    )
    return { id, deliveryId }
  }

  /** Gives the webhook a second delivery. */
  async repeatDelivery(webhookId: string): Promise<void> {
    await this.#server.sql(
      `insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
         status, completed_at)
       select organization_id, gen_random_uuid(), webhook_id, event, trigger, pixel_id, status, now()
       from webhook_delivery where webhook_id = $1 limit 1`,
      [webhookId],
    )
  }

  /** Creates a topic list with a topic that the first call creates. */
  async topicList(name = "Watched"): Promise<string> {
    await putTopics(this.#server, [topic(1, "Freight")])
    const { data } = await this.ask<Named>("POST", "/v1/intent/topic-lists", {
      name,
      topicIds: [1],
    })
    return data.id
  }

  /** Creates a draft for one topic, which it creates too. Written to the table, because only 50 can be saved. */
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

  /** An audience that can be run. It reads no signals. */
  async activeAudience(): Promise<string> {
    const id = await this.audience()
    await this.#server.sql("update audience set status = 'active' where id = $1", [id])
    return id
  }

  /** A queued run and its audience. No worker starts it. */
  async queuedRun(audienceId?: string): Promise<{ readonly id: string; readonly runId: string }> {
    const id = audienceId ?? (await this.activeAudience())
    const { data } = await this.ask<Named>("POST", `/v1/intent/audiences/${id}/runs`)
    return { id, runId: data.id }
  }

  /** A completed run that found this many people, and its audience. */
  async completedRun(count = 1): Promise<{ readonly id: string; readonly runId: string }> {
    const { audienceId, runId } = await putRun(this.#server, this.organization, {
      rows: people(count),
    })
    const names = [
      ...fillPaths,
      ...Object.keys(scoreBuckets),
      "intent.score",
      "intent.topicOverlap",
    ]
    await this.#server.sql("update audience_run set tallies = $2 where id = $1", [
      runId,
      JSON.stringify(Object.fromEntries(names.map((name) => [name, 0]))),
    ])
    return { id: audienceId, runId }
  }

  /** Creates an export of such a run. No worker creates its file. */
  async export(): Promise<{
    readonly id: string
    readonly runId: string
    readonly exportId: string
  }> {
    const run = await this.completedRun()
    const path = `/v1/intent/audiences/${run.id}/runs/${run.runId}/exports`
    const { data } = await this.ask<{ readonly export: Named }>("POST", path)
    return { ...run, exportId: data.export.id }
  }

  /** Ends the export, so that another export of its run can be requested. */
  async endExport(exportId: string): Promise<void> {
    await this.#server.sql("update run_export set status = 'failed' where id = $1", [exportId])
  }

  /** Inserts an analysis as stored, because analyzing needs a site. */
  async siteAnalysis(): Promise<string> {
    const id = randomUUID()
    await this.#server.sql(
      `insert into site_analysis (organization_id, id, url, keywords, topics)
       values ($1, $2, 'https://acme.example/', '{}', '[]')`,
      [this.organization.organizationId, id],
    )
    return id
  }

  /** A webhook destination and its audience. */
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

  /** A queued delivery and its audience. No worker sends it. */
  async delivery(): Promise<{ readonly audienceId: string; readonly deliveryId: string }> {
    const { audienceId, destinationId } = await this.destination()
    const deliveryId = await this.deliveryTo(audienceId, destinationId)
    return { audienceId, deliveryId }
  }

  /** A delivery whose removals wait for approval. */
  async deliveryToApprove() {
    const found = await this.delivery()
    await this.#server.sql("update delivery set awaits_approval = true where id = $1", [
      found.deliveryId,
    ])
    return found
  }

  /** An active destination, unchanged since its approval, of an audience with a completed run. */
  async deliverable() {
    const { id: audienceId, runId } = await this.completedRun()
    const destination = { audienceId, destinationId: randomUUID() }
    const config = {
      url: "https://hooks.tidewater.example/hook",
      eventTypes: ["intent.audience.contact.upserted"],
      timeoutMs: 10_000,
    } as const
    const approved = configHash({ destinationType: "webhook", ...config })
    await this.#server.sql(
      `insert into destination (organization_id, id, audience_id, name, destination_type, status,
         validation_policy, config, approved_config_hash)
       values ($1, $2, $3, 'CRM intake', 'webhook', 'active', 'none', $4, $5)`,
      [
        this.organization.organizationId,
        destination.destinationId,
        audienceId,
        JSON.stringify(config),
        approved,
      ],
    )
    return { ...destination, runId }
  }

  /** A failed delivery that may be retried. */
  async repeatable(): Promise<{ readonly audienceId: string; readonly deliveryId: string }> {
    const { audienceId, destinationId, runId } = await this.deliverable()
    const deliveryId = await this.deliveryTo(audienceId, destinationId, { status: "failed" })
    await this.#server.sql("update delivery set source_run_id = $2 where id = $1", [
      deliveryId,
      runId,
    ])
    return { audienceId, deliveryId }
  }

  /** A failed contact of a completed delivery. */
  async failedContact(): Promise<{
    readonly audienceId: string
    readonly deliveryId: string
    readonly hashedEmail: string
  }> {
    const { audienceId, deliveryId } = await this.repeatable()
    const hashedEmail = randomBytes(32).toString("hex")
    const of = [this.organization.organizationId, deliveryId, Buffer.from(hashedEmail, "hex")]
    // Its run may have results already.
    const position = randomInt(1_000_000, 2_000_000_000)
    await this.#server.sql(
      "update delivery set status = 'completed', failed_count = 1 where id = $1",
      [deliveryId],
    )
    await this.#server.sql(
      `insert into delivery_failure (organization_id, delivery_id, hashed_email, error_code, attempts,
         last_attempt_at) values ($1, $2, $3, 'ENDPOINT_REJECTED', 1, now())`,
      of,
    )
    await this.#server.sql(
      `insert into run_result (organization_id, run_id, position, hashed_email, score, topic_overlap,
         matched_topics)
       select $1, source_run_id, $4, $3, 50, 1, '{}' from delivery where id = $2`,
      [...of, position],
    )
    await this.#server.sql(
      `insert into delivery_batch (organization_id, delivery_id, batch_index, sequence, positions, changes)
       values ($1, $2, 0, 1, array[$3::int], 'a')`,
      [...of.slice(0, 2), position],
    )
    return { audienceId, deliveryId, hashedEmail }
  }

  /** A delivery in a state, with this many failed contacts. */
  async deliveryTo(
    audienceId: string,
    destinationId: string,
    { failures = 0, status = "queued" } = {},
  ): Promise<string> {
    const deliveryId = randomUUID()
    const { organizationId } = this.organization
    await this.#server.sql(
      `insert into delivery (organization_id, id, audience_id, destination_id,
         destination_config_revision, source_run_id, mode, status)
       values ($1, $2, $3, $4, 1, gen_random_uuid(), 'initial', $5)`,
      [organizationId, deliveryId, audienceId, destinationId, status],
    )
    await this.#server.sql(
      `insert into delivery_failure (organization_id, delivery_id, hashed_email, error_code, attempts,
         last_attempt_at)
       select $1, $2, sha256(n::text::bytea), 'ENDPOINT_REJECTED', 1, now()
       from generate_series(1, $3::int) as n`,
      [organizationId, deliveryId, failures],
    )
    return deliveryId
  }

  /** Connects to a provider in this process. Needs a server that may send requests to it. */
  async connectedAccount(): Promise<string> {
    const { apiKey, url: baseUrl } = await (provider ??= startMailerProvider())
    const { data } = await this.ask<{ readonly account: Named }>(
      "POST",
      "/v1/intent/integrations/accounts",
      { appSlug: "mailer", credentials: { apiKey, baseUrl } },
    )
    return data.account.id
  }

  /** An account whose people a suppression source can read. There can be 50, so it is connected once. */
  octopusAccount(): Promise<string> {
    return (this.#octopusAccount ??= this.newOctopusAccount())
  }

  async newOctopusAccount(): Promise<string> {
    const { credentials, url: baseUrl } = await (octopus ??= startEmailOctopus())
    const { data } = await this.ask<{ readonly account: Named }>(
      "POST",
      "/v1/intent/integrations/accounts",
      { appSlug: "emailoctopus", credentials: { ...credentials, baseUrl } },
    )
    return data.account.id
  }

  async suppressionRule(value = `${randomUUID()}.example`): Promise<string> {
    const path = "/v1/data/suppression-rules"
    await this.ask("POST", path, { rules: [{ type: "domain", value }] })
    const { data } = await this.ask<{ rules: ReadonlyArray<Named> }>("GET", `${path}?q=${value}`)
    return data.rules[0]!.id
  }

  /** A plan of a file with one rule, which waits to be applied. */
  async suppressionImport(): Promise<string> {
    const answer = await send(this.#server)({
      method: "POST",
      path: "/v1/data/import/suppression-rules/plan?type=domain",
      file: `${randomUUID()}.example`,
      apiKey: this.organization.apiKey,
    })
    return (answer.body as unknown as Success<{ readonly importId: string }>).data.importId
  }

  /** An import that was applied, and can be undone. */
  async appliedImport(): Promise<string> {
    const importId = await this.suppressionImport()
    await this.ask("POST", "/v1/data/import/suppression-rules/apply", { importId })
    return importId
  }

  /** An inbound source with the id of a request in its history, which can be run again. */
  async inbound(): Promise<{ readonly inboundId: string; readonly requestId: string }> {
    await this.#server.sql(
      `delete from inbound_source where organization_id = $1 and id in (
         select id from inbound_source where organization_id = $1
         order by created_at desc, id offset 10)`,
      [this.organization.organizationId],
    )
    const body = { name: "RB2B", pixelId: this.organization.pixelId, preset: "rb2b" }
    const { data } = await this.ask<{ readonly inbound: Named; readonly url: string }>(
      "POST",
      "/v1/data/inbound",
      body,
    )
    const { url } = this.#server
    const token = data.url.slice(data.url.lastIndexOf("/") + 1)
    await fetch(`${url}/in/${token}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ Tags: randomUUID() }),
    })
    const inboundId = data.inbound.id
    const path = `/v1/data/inbound/${inboundId}/history`
    // A busy server keeps a request on its disk first.
    const requestId = await vi.waitFor(
      async () => {
        const [request] = (await this.ask<ReadonlyArray<Named>>("GET", path)).data
        if (request === undefined) throw new Error("the request waits in the spool")
        return request.id
      },
      { timeout: 30_000 },
    )
    return { inboundId, requestId }
  }

  /** Keeps the last 10 sources, because only 20 can be created. */
  async #roomForSource(): Promise<void> {
    await this.#server.sql(
      `delete from suppression_source where organization_id = $1 and id in (
         select id from suppression_source where organization_id = $1
         order by created_at desc, id offset 10)`,
      [this.organization.organizationId],
    )
  }

  async suppressionSource(listId?: string): Promise<string> {
    await this.#roomForSource()
    const path = "/v1/data/suppression-sources"
    const mirrored = listId ?? (await (this.#mirrored ??= this.list()))
    const body = { name: "CRM", kind: "list", listId: mirrored }
    return (await this.ask<Named>("POST", path, body)).data.id
  }

  /** A source that reads an account. */
  async octopusSource(): Promise<string> {
    await this.#roomForSource()
    const body = {
      name: "CRM",
      kind: "emailoctopus",
      listId: "1",
      connectedAccountId: await this.octopusAccount(),
    }
    return (await this.ask<Named>("POST", "/v1/data/suppression-sources", body)).data.id
  }

  /** A source that waits for approval. */
  async sourceToApprove(): Promise<string> {
    const id = await this.suppressionSource()
    await this.#server.sql(
      "update suppression_source set status = 'needs_attention' where id = $1",
      [id],
    )
    return id
  }

  async apiKey(name = "Backend"): Promise<string> {
    const { data } = await this.ask<{ apiKey: Named }>("POST", "/v1/api-keys", { name })
    return data.apiKey.id
  }

  /** Creates a member with a password. */
  async member(): Promise<TestUser> {
    const user = await this.#server.makeUser("member", this.organization.organizationId)
    await this.#server.sql("update user_account set password_hash = $2 where id = $1", [
      user.userId,
      passwordHash,
    ])
    return user
  }

  /** Invites a user. Returns their id. */
  async pendingMember(): Promise<string> {
    const { data } = await this.ask<{ member: { readonly userId: string } }>(
      "POST",
      `/v1/organizations/${this.organization.organizationId}/members`,
      { email: `${randomUUID()}@acme.example`, role: "viewer" },
    )
    return data.member.userId
  }
}
