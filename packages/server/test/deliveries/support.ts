// A server whose worker sends to a receiver on this machine: audiences with completed runs, active destinations,
// deliveries. The rows contain the waits, and the tests end waits of hours there.
import { createHash, randomUUID } from "node:crypto"
import { vi } from "vitest"
import type { Delivery } from "../../src/activation/deliveries/delivery.ts"
import type { ResultDbRow } from "../../src/intent/runs/results/result-row.ts"
import { type Destination, World } from "../destinations/support.ts"
import type { MailerProvider } from "../destinations/mailer-provider.ts"
import { type Received, type Receiver, startReceiver } from "../webhooks/receiver.ts"
import { storedRow } from "./stored-row.ts"

export { status, verify } from "../webhooks/receiver.ts"
export type { Received, Receiver } from "../webhooks/receiver.ts"
export { eventTypes } from "../destinations/support.ts"

export const topics = [
  {
    topicId: 1204,
    topicName: "Warehouse Management Software",
    type: "b2b",
    industry: "logistics",
    category: "software",
  },
  {
    topicId: 3377,
    topicName: "Freight Visibility",
    type: "b2b",
    industry: "logistics",
    category: "operations",
  },
] as const

export const hashOf = (email: string): string => createHash("sha256").update(email).digest("hex")

/** Rows of a run that are inserted by one statement. */
const rowsAtOnce = 5_000

export const contactEvent = "intent.audience.contact.upserted"

/** A person with the address `<name>@harbor.example`. Every other field is given or null. */
export const person = (name: string, fields: Partial<ResultDbRow> = {}): ResultDbRow => {
  const email = `${name}@harbor.example`
  return {
    position: 0,
    hashedEmail: hashOf(email),
    firstName: name,
    lastName: null,
    email,
    businessEmail: email,
    personalEmail: null,
    emailStatus: "valid",
    phone: null,
    linkedinUrl: null,
    headline: null,
    jobTitle: null,
    seniority: null,
    department: null,
    companyName: null,
    companyDomain: null,
    companyIndustry: null,
    companyIndustryGroup: null,
    companyRevenueRange: null,
    companySize: null,
    companyLinkedinUrl: null,
    city: null,
    state: null,
    country: null,
    ageRange: null,
    gender: null,
    isB2b: null,
    score: 91,
    topicOverlap: 1,
    matchedTopics: [1204],
    ...fields,
  }
}

export const people = (count: number, prefix = "p"): ReadonlyArray<ResultDbRow> =>
  Array.from({ length: count }, (_, place) => person(`${prefix}${place + 1}`))

export interface Failure {
  readonly hashedEmail: string
  readonly errorCode: string
  readonly errorMessage: string
  readonly statusCode: number | null
  readonly attempts: number
  readonly lastAttemptAt: string
}

export class DeliveryWorld {
  readonly world: World
  readonly receiver: Receiver

  private constructor(world: World, receiver: Receiver) {
    this.world = world
    this.receiver = receiver
  }

  static async start(
    options: { readonly workers?: boolean; readonly mailerBaseUrl?: string } = {},
  ): Promise<DeliveryWorld> {
    vi.stubEnv("SYNC_CYCLE_SECONDS", "1")
    vi.stubEnv("LOG_LEVEL", process.env["LOG_LEVEL"] ?? "silent")
    const world = await World.start({ workers: true, ...options })
    return new DeliveryWorld(world, await startReceiver())
  }

  async close(): Promise<void> {
    await this.receiver.close()
    await this.world.close()
  }

  get organizationId(): string {
    return this.world.server.organizationId
  }

  sql(text: string, values: ReadonlyArray<unknown> = []) {
    return this.world.server.sql(text, values)
  }

  /** Inserts a completed run that found these people, in this order. */
  async run(audienceId: string, found: ReadonlyArray<ResultDbRow>, id = randomUUID()) {
    await this.sql(
      `insert into audience_run (organization_id, id, audience_id, status, run_type, config,
         config_hash, topics, data_date, has_signals, result_count, idempotency_key, completed_at)
       values ($1, $2::uuid, $3, 'completed', 'manual', '{}', '', $4, '2026-03-10', true, $5,
         $2::uuid::text, clock_timestamp())`,
      [this.organizationId, id, audienceId, JSON.stringify(topics), found.length],
    )
    for (let from = 0; from < found.length; from += rowsAtOnce) {
      const rows = found.slice(from, from + rowsAtOnce).map((row, place) => ({
        ...storedRow({ ...row, position: from + place + 1 }),
        organization_id: this.organizationId,
        run_id: id,
      }))
      await this.sql(
        "insert into run_result select * from json_populate_recordset(null::run_result, $1)",
        [JSON.stringify(rows)],
      )
    }
    return id
  }

  /** Creates an active webhook of a new audience, unless one is given. */
  async webhook(fields: Readonly<Record<string, unknown>> = {}, audienceId?: string) {
    const url = `${this.receiver.url}/${randomUUID()}`
    const draft = await this.world.webhook({ url, ...fields }, audienceId)
    await this.world.changed(draft, { status: "active" })
    return { ...draft, path: new URL(url).pathname }
  }

  /** Creates an active webhook of an audience whose latest run found these people. */
  async destination(
    found: ReadonlyArray<ResultDbRow>,
    fields: Readonly<Record<string, unknown>> = {},
  ) {
    const destination = await this.webhook(fields)
    const runId = await this.run(destination.audienceId, found)
    return { ...destination, runId }
  }

  /** Creates an active list of an audience whose latest run found these people. */
  async list(
    provider: MailerProvider,
    found: ReadonlyArray<ResultDbRow>,
    config: Readonly<Record<string, unknown>> = { listId: "buyers" },
  ) {
    const account = await this.world.account(provider)
    const draft = await this.world.automation(account.id, config)
    await this.world.changed(draft, { status: "active" })
    const runId = await this.run(draft.audienceId, found)
    return { ...draft, accountId: account.id, runId }
  }

  syncOperation({ audienceId, id }: Pick<Destination, "audienceId" | "id">): string {
    return `POST /v1/intent/audiences/${audienceId}/destinations/${id}/sync`
  }

  async sync(
    destination: Pick<Destination, "audienceId" | "id">,
    mode: "incremental" | "full_resync" = "incremental",
  ): Promise<Delivery> {
    const operation = this.syncOperation(destination)
    return (await this.world.get<{ delivery: Delivery }>(operation, { mode })).delivery
  }

  pathOf({ audienceId, id }: Pick<Delivery, "audienceId" | "id">): string {
    return `/v1/intent/audiences/${audienceId}/deliveries/${id}`
  }

  async read(delivery: Pick<Delivery, "audienceId" | "id">): Promise<Delivery> {
    return (await this.world.get<{ delivery: Delivery }>(`GET ${this.pathOf(delivery)}`)).delivery
  }

  async failures(delivery: Pick<Delivery, "audienceId" | "id">): Promise<ReadonlyArray<Failure>> {
    const operation = `GET ${this.pathOf(delivery)}/failures?limit=100`
    return (await this.world.get<{ failures: ReadonlyArray<Failure> }>(operation)).failures
  }

  async retry(delivery: Pick<Delivery, "audienceId" | "id">): Promise<Delivery> {
    const operation = `POST ${this.pathOf(delivery)}/retry`
    return (await this.world.get<{ delivery: Delivery }>(operation)).delivery
  }

  /** Resolves once the delivery is as expected. */
  until(
    delivery: Pick<Delivery, "audienceId" | "id">,
    isSo: (delivery: Delivery) => boolean,
    timeout = 20_000,
  ): Promise<Delivery> {
    return vi.waitFor(
      async () => {
        const read = await this.read(delivery)
        if (!isSo(read)) throw new Error(JSON.stringify(read))
        return read
      },
      { timeout, interval: 20 },
    )
  }

  ended(delivery: Pick<Delivery, "audienceId" | "id">, timeout?: number): Promise<Delivery> {
    return this.until(
      delivery,
      ({ status }) => status !== "queued" && status !== "processing",
      timeout,
    )
  }

  /** Resolves once it is synced and completed. */
  async delivered(
    destination: Pick<Destination, "audienceId" | "id">,
    mode?: "incremental" | "full_resync",
  ): Promise<Delivery> {
    return this.ended(await this.sync(destination, mode))
  }

  /** Resolves once it is back in the queue with an error. */
  parked(delivery: Pick<Delivery, "audienceId" | "id">): Promise<Delivery> {
    return this.until(
      delivery,
      ({ nextAttemptAt, status }) => status === "queued" && nextAttemptAt !== null,
    )
  }

  /** Stores a rule that is in force at once. */
  async suppress(email: string): Promise<void> {
    await this.sql(
      `insert into suppression_list (organization_id, cycle_at, changed_at)
       values ($1, now() + interval '1 day', now())
       on conflict (organization_id) do update set cycle_at = excluded.cycle_at`,
      [this.organizationId],
    )
    await this.sql(
      `insert into suppression_rule
         (organization_id, id, type, value, match_key, created_at, takes_part_at)
       values ($1, gen_random_uuid(), 'email', $2, $3, now(), now() - interval '1 day')`,
      [this.organizationId, email, hashOf(email)],
    )
  }

  /** Ends the wait of a postponed delivery. */
  async wakeUp({ id }: Pick<Delivery, "id">): Promise<void> {
    await this.sql("update delivery set next_attempt_at = clock_timestamp() where id = $1", [id])
  }

  destinationOf(destination: Pick<Destination, "audienceId" | "id">): Promise<Destination> {
    return this.world.read(destination)
  }

  /** The requests to a destination's path. */
  received(path: string): ReadonlyArray<Received> {
    return this.receiver.received.filter((one) => one.path === path)
  }

  /** The bodies of the received contacts. */
  contacts(path: string): ReadonlyArray<ContactBody> {
    return this.received(path)
      .map(({ body }) => JSON.parse(body) as ContactBody)
      .filter(({ event }) => event === contactEvent)
  }
}

export interface ContactBody {
  readonly id: string
  readonly event: string
  readonly timestamp: string
  readonly data: {
    readonly delivery: { readonly sequence: number; readonly mode: string }
    readonly change: string
    readonly contact: { readonly hashedEmail: string; readonly email: string | null }
  }
}

/** The part of the address before the `@` in a contact event. */
export const nameOf = ({ data }: ContactBody): string => data.contact.email!.split("@")[0]!
