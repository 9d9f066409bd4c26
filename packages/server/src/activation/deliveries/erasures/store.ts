// SQL of erasures that destinations still have to carry out (spec 2.16.10). A row has the person, sealed, by what the
// destination knows them, and goes as soon as the destination has answered.
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ErasurePart } from "../../../people/erasure/later-erasure.ts"
import type { erasureOutcomes } from "../../../people/erasure/receipt.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { isoTime } from "../../../platform/database/iso-time.ts"
import { type Claim, ClaimLost, type Queue } from "../../../platform/jobs/queue.ts"
import { jobStore } from "../../../platform/jobs/store.ts"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { seal, type Sealing, unseal } from "../../../platform/secrets/sealing.ts"

const hour = 3_600

/** After 7 days, 29 attempts or so, it is given up. */ // spec 10.3
export const erasureQueue: Queue = {
  table: "destination_erasure",
  waiting: "waiting",
  working: "working",
  attemptsMax: 40,
  retrySeconds: [60, 300, 1_800, 2 * hour, 6 * hour],
}

/** How long the person is kept at most. */ // spec 2.16.10
const keptDays = 7

/** A request or job of a delivery in progress may still write the person. Units: seconds. */
const settlingSeconds = 360

/** Erasures of one party in progress at the same time. Our own limit. */
const perPartyMax = 3

/** The outcome of a request to a destination. */
export type ErasureOutcome = Exclude<(typeof erasureOutcomes)[number], "pending">

/** By what the destination knows someone. */
export interface ErasedContact {
  /** SHA-256 in lower-case hex. */
  readonly hashedEmail: string
  /** Of an automation: how the service knows them. */
  readonly email: string | null
  readonly remoteId: string | null
  readonly listId: string | null
}

export interface PendingErasure extends ErasedContact {
  readonly id: string
  readonly organizationId: string
  readonly destinationId: string
  /** When they were erased here. ISO 8601. */
  readonly createdAt: string
  readonly isTooOld: boolean
  /** Of the attempt before. */
  readonly lastError: { readonly code: string; readonly message: string } | null
}

type Erased = Pick<Parameters<ErasurePart>[0], "erasureId" | "organizationId">

interface Held extends ErasedContact {
  readonly destinationId: string
  readonly name: string
  /** Whether the destination is asked to erase them, or told. */
  readonly isAsked: boolean
}

const sealingOf = (organizationId: string, id: string): Sealing => ({
  purpose: "pending-erasure",
  owner: `${organizationId}.${id}`,
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const dataKeys = yield* DataKeys
  const random = yield* SecureRandom.SecureRandom
  const jobs = jobStore(sql, erasureQueue)

  const hashes = (emailHashes: ReadonlyArray<string>) => sql`array(
    select decode(hash, 'hex')
    from jsonb_array_elements_text(${JSON.stringify(emailHashes)}::text::jsonb) as hash
  )`

  /** Where an erased person is known. A webhook that got the event when they left gets no other. By the primary key, whose second column has few values. */
  const heldBy = (organizationId: string, emailHashes: ReadonlyArray<string>) => sql<Held>`
    select known.destination_id as "destinationId", destination.name,
      encode(known.hashed_email, 'hex') as "hashedEmail", known.email,
      known.remote_id as "remoteId", known.list_id as "listId",
      coalesce(case destination.destination_type
        when 'webhook' then takes_removed
        else (known.is_added or known.removed_status is not null) and known.email is not null
          and (destination.config #>> '{config,eraseAtProvider}')::boolean
      end, false) as "isAsked"
    from destination_contact as known
    join destination on destination.organization_id = known.organization_id
      and destination.id = known.destination_id
    cross join lateral (
      select destination.destination_type = 'webhook'
        and destination.config -> 'eventTypes' ? 'intent.audience.contact.removed' as takes_removed
    ) as events
    where known.organization_id = ${organizationId}
      and known.destination_id in (
        select id from destination
        where organization_id = ${organizationId} and deleted_at is null
      )
      and known.hashed_email = any (${hashes(emailHashes)})
      and not (known.has_left and takes_removed)`

  const queue = Effect.fnUntraced(function* (
    { erasureId, organizationId }: Erased,
    { destinationId, isAsked: _, name: __, ...contact }: Held,
  ) {
    const id = yield* random.uuidV4()
    const sealed = seal(dataKeys, sealingOf(organizationId, id), JSON.stringify(contact))
    yield* sql`
      insert into destination_erasure
        (organization_id, id, destination_id, erasure_id, person, next_attempt_at)
      values (
        ${organizationId}, ${id}, ${destinationId}, ${erasureId}, ${sealed},
        case when exists (
          select from delivery
          where organization_id = ${organizationId} and destination_id = ${destinationId}
            and status = 'processing'
        ) then clock_timestamp() + make_interval(secs => ${settlingSeconds}) end
      )`
  })

  /** Adds a destination to the receipt. `waiting`: how many requests it is sent. */
  const note = (
    { erasureId, organizationId }: Erased,
    { destinationId, name }: Held,
    waiting: number,
  ) => sql`
    insert into erasure_destination
      (organization_id, erasure_id, destination_id, name, outcome, waiting)
    values (${organizationId}, ${erasureId}, ${destinationId}, ${name},
      ${waiting === 0 ? "kept" : "pending"}, ${waiting})`

  return {
    jobs,

    /**
     * Queues an erasure for each destination that is asked, and notes in the receipt each that has the person. Runs in the
     * transaction that erases them here.
     */
    queue: Effect.fnUntraced(function* (
      person: Erased,
      emailHashes: ReadonlyArray<string>,
    ): Effect.fn.Return<void, DatabaseError> {
      const held = yield* heldBy(person.organizationId, emailHashes)
      for (const all of Map.groupBy(held, ({ destinationId }) => destinationId).values()) {
        const asked = all.filter(({ isAsked }) => isAsked)
        yield* note(person, all[0]!, asked.length)
        yield* Effect.forEach(asked, (one) => queue(person, one), { discard: true })
      }
    }),

    claim: (limit: number) => jobs.claim({ limit, perPartyMax }),

    /** Fails with ClaimLost if another worker holds it now. */
    load: Effect.fnUntraced(function* (claim: Claim) {
      const [row] = yield* Effect.orDie(sql<{
        readonly destinationId: string
        readonly person: Uint8Array
        readonly createdAt: string
        readonly isTooOld: boolean
        readonly lastError: PendingErasure["lastError"]
      }>`
        select destination_id as "destinationId", person,
          ${sql.literal(isoTime("created_at"))} as "createdAt",
          created_at < clock_timestamp() - make_interval(days => ${keptDays}) as "isTooOld",
          case when error_code is not null
            then jsonb_build_object('code', error_code, 'message', error_message) end as "lastError"
        from destination_erasure where ${jobs.held(claim)}`)
      if (row === undefined) return yield* new ClaimLost()
      const { id, organizationId } = claim
      const { person, ...rest } = row
      const text = yield* Effect.orDie(unseal(dataKeys, sealingOf(organizationId, id), person))
      const contact = JSON.parse(text) as ErasedContact
      return { ...rest, ...contact, id, organizationId } satisfies PendingErasure
    }),

    /**
     * The destination has answered, or it was given up: nothing about the person is kept. A destination that was sent
     * several requests has the worst outcome, or else the strongest. The rows are counted down under their locks, so two
     * processes that end the last two requests don't wait for each other.
     */
    end: (claim: Claim, outcome: ErasureOutcome): Effect.Effect<void> =>
      Effect.orDie(
        Effect.asVoid(sql`
          with ended as (
            delete from destination_erasure where ${jobs.held(claim)}
            returning organization_id, erasure_id, destination_id
          ), noted as (
            update erasure_destination as told set
              waiting = told.waiting - 1,
              reached = told.reached || ${outcome}::text,
              at = clock_timestamp(),
              outcome = case when told.waiting > 1 then 'pending' else (
                select worst from unnest(array['failed', 'deleted', 'told', 'removed', 'kept'])
                  with ordinality as ranked (worst, place)
                where worst = any (told.reached || ${outcome}::text)
                order by place limit 1
              ) end
            from ended
            where told.organization_id = ended.organization_id
              and told.erasure_id = ended.erasure_id
              and told.destination_id = ended.destination_id
            returning told.organization_id, told.erasure_id, told.outcome
          )
          update erasure set pending = pending - 1,
            completed_at = case when pending = 1 then clock_timestamp() end
          from noted
          where erasure.organization_id = noted.organization_id
            and erasure.id = noted.erasure_id and noted.outcome <> 'pending'`),
      ),

    retry: (claim: Claim, error: { readonly code: string; readonly message: string }) =>
      Effect.orDie(Effect.asVoid(jobs.retry(claim, error))),
  }
})

export class DestinationErasures extends Context.Service<
  DestinationErasures,
  Effect.Success<typeof make>
>()("@footfall/server/deliveries/DestinationErasures") {
  static readonly layer = Layer.effect(DestinationErasures, make)
}
