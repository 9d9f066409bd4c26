// Saves, changes and previews segments (spec 2.7, 5.4). Each change is one transaction with its audit entry. A preview
// only reads and uses no credits (spec 2.5).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isDeepStrictEqual } from "node:util"
import { Audit } from "../../../access/audit/audit.ts"
import { type Caller, userIdOf } from "../../../access/caller.ts"
import { Replica } from "../../../platform/database/replica.ts"
import type { StatementTimedOut } from "../../../platform/database/statement-timeout.ts"
import type { CursorRefused } from "../../../platform/lists/cursor.ts"
import {
  KeyedLists,
  type ListPage,
  type ListPosition,
} from "../../../platform/lists/keyed-lists.ts"
import { Pixels } from "../../../collect/pixels/pixels.ts"
import { type CompanyRow, CompanyStore } from "../companies/store.ts"
import { RuleSubject } from "../query/predicate.ts"
import { RuleReader } from "../query/rule-reader.ts"
import { windowOf } from "../query/rule.ts"
import { QueryTooSlow, type RulesBusy, RuleTurns } from "../query/rule-turns.ts"
import { VisitorStore } from "../store.ts"
import { boundsOf } from "../timeframe.ts"
import type { VisitorRow } from "../visitor-row.ts"
import { type SegmentRow, SegmentStore } from "./store.ts"

/** Maximum visitors or companies in a preview. spec 10.3. */
const sampleMax = 10
/** Counting for a preview gives up after this; without a count, a preview is useless. */
const countMsMax = 10_000

const together = { concurrency: "unbounded" } as const

const tooLong = new QueryTooSlow({ seconds: countMsMax / 1_000 })

export class SegmentNotFound extends Schema.TaggedError<SegmentNotFound>()("SegmentNotFound", {}) {}

/** The segment contains people where companies are wanted, or the reverse. */
export class WrongSegment extends Schema.TaggedError<WrongSegment>()("WrongSegment", {
  wanted: RuleSubject,
}) {}

/** What uses a segment: the ids, oldest first. */
const usage = {
  audienceIds: Schema.Array(Schema.String),
  webhookIds: Schema.Array(Schema.String),
}

/** Audiences or webhooks use the segment. */ // spec 5.4
export class SegmentInUse extends Schema.TaggedError<SegmentInUse>()("SegmentInUse", usage) {}

export interface NewSegment {
  readonly name: string
  readonly description?: string | null
  /** Default: people. */
  readonly subject?: RuleSubject
  /** Any JSON; it is parsed here. */
  readonly ruleAst: unknown
}

export interface SegmentTrial extends Pick<NewSegment, "ruleAst" | "subject"> {
  readonly pixelId?: string
  /** The pixels that the caller may see. Undefined: all of the organization. */
  readonly pixelIds?: ReadonlyArray<string> | undefined
}

export interface SegmentPreview {
  readonly count: number
  /** Of people: at most 10, last seen first. */
  readonly sample: ReadonlyArray<VisitorRow>
  /** Of companies: at most 10, last seen first. */
  readonly companies: ReadonlyArray<CompanyRow>
}

/** The count is null if counting took too long. */
type Counted = Omit<SegmentPreview, "count"> & { readonly count: number | null }

const make = Effect.gen(function* () {
  const store = yield* SegmentStore
  const use = yield* SegmentUse
  const visitors = yield* VisitorStore
  const companies = yield* CompanyStore
  const pixels = yield* Pixels
  const lists = yield* KeyedLists
  const audit = yield* Audit
  const turns = yield* RuleTurns
  const random = yield* SecureRandom.SecureRandom
  const replica = yield* Replica
  const rules = yield* RuleReader

  /** Errors: InvalidRule with the rule's first error. */
  const create = Effect.fn("Segments.create")(function* (caller: Caller, segment: NewSegment) {
    const { organizationId } = caller
    const { description = null, name, subject = "people" } = segment
    const id = yield* random.uuidV4()
    const row = { organizationId, id, name, description, subject, createdBy: userIdOf(caller) }
    return yield* store.transaction(
      rules.read(organizationId, segment.ruleAst, subject).pipe(
        Effect.flatMap((ruleAst) => store.insert({ ...row, ruleAst })),
        Effect.tap(audit.record(caller, "segment.created", id)),
      ),
    )
  })

  const find = Effect.fn("Segments.find")(function* (organizationId: string, segmentId: string) {
    return (yield* store.find({ organizationId, id: segmentId })) ?? (yield* new SegmentNotFound())
  })

  /** The rule of a segment that selects what is wanted. Errors: SegmentNotFound, WrongSegment. */
  const ruleOf = Effect.fn("Segments.ruleOf")(function* (
    organizationId: string,
    segmentId: string,
    wanted: RuleSubject,
  ) {
    const { ruleAst, subject } = yield* find(organizationId, segmentId)
    return subject === wanted ? ruleAst : yield* new WrongSegment({ wanted })
  })

  /** Omitted fields do not change. Guarantee: concurrent changes to different fields are both kept. */
  const change = Effect.fn("Segments.change")(function* (
    caller: Caller,
    segmentId: string,
    { ruleAst, ...texts }: Partial<Omit<NewSegment, "subject">>,
  ) {
    const { organizationId } = caller
    const key = { organizationId, id: segmentId }
    const update = Effect.gen(function* () {
      const found = yield* store.findForChange(key)
      const rule =
        ruleAst === undefined
          ? {}
          : { ruleAst: yield* rules.read(organizationId, ruleAst, found?.subject) }
      if (found === undefined) return yield* new SegmentNotFound()
      const changed = { ...found, ...texts, ...rule }
      if (isDeepStrictEqual(changed, found)) return found
      const updated = yield* store.update(key, changed)
      yield* audit.record(caller, "segment.updated", segmentId)
      return updated
    })
    return yield* store.transaction(update)
  })

  /**
   * Fails with SegmentNotFound, also on the second call, and with SegmentInUse while an audience or a webhook uses it.
   * Guarantee: neither ever loses its segment, whatever the order of concurrent requests.
   */
  const remove = Effect.fn("Segments.delete")(function* (caller: Caller, segmentId: string) {
    const { organizationId } = caller
    const key = { organizationId, id: segmentId }
    const removal = Effect.gen(function* () {
      const found = yield* store.findForChange(key)
      if (found === undefined) return yield* new SegmentNotFound()
      const used = yield* use.of(organizationId, found.id)
      if (used.audienceIds.length > 0 || used.webhookIds.length > 0) {
        return yield* new SegmentInUse(used)
      }
      yield* store.delete(key)
      yield* audit.record(caller, "segment.deleted", segmentId)
    })
    yield* store.transaction(removal)
  })

  /**
   * The visitors or companies that a rule matches now, within its own window. Suppressed companies are left out. Errors:
   * InvalidRule, PixelNotFound, QueryTooSlow, RulesBusy.
   */
  const preview = Effect.fn("Segments.preview")(function* (
    organizationId: string,
    { pixelId, pixelIds, ruleAst, subject = "people" }: SegmentTrial,
  ) {
    const ast = yield* rules.read(organizationId, ruleAst, subject)
    const isWhole = pixelId === undefined && pixelIds === undefined
    const found = isWhole ? undefined : yield* pixels.scope(organizationId, { pixelId, pixelIds })
    const asOf = yield* DateTime.now
    const timeframe = windowOf(ast, undefined)
    const scope = {
      organizationId,
      pixelId: found?.sites,
      asOf,
      ...boundsOf(timeframe, "UTC", asOf),
    }
    const ofPeople = {
      ...scope,
      isEmpty: false,
      timeframe,
      suppressed: "include",
      rule: ast.rule,
    } as const
    const ofCompanies = { ...scope, suppressed: "exclude", rule: { node: ast.rule, asOf } } as const
    const read: Effect.Effect<Counted, RulesBusy | StatementTimedOut> =
      subject === "people"
        ? Effect.all(
            {
              count: turns.take(organizationId, visitors.countWithin(ofPeople, countMsMax)),
              sample: turns.take(
                organizationId,
                visitors.listWithin(ofPeople, { offset: 0 }, sampleMax),
              ),
              companies: Effect.succeed([]),
            },
            together,
          )
        : Effect.all(
            {
              count: turns.take(organizationId, companies.countWithin(ofCompanies, countMsMax)),
              sample: Effect.succeed([]),
              companies: turns.take(
                organizationId,
                companies.list(ofCompanies, { offset: 0 }, sampleMax),
              ),
            },
            together,
          )
    const { count, ...samples } = yield* replica
      .read(organizationId, read)
      .pipe(Effect.catchTag("StatementTimedOut", () => tooLong))
    return count === null ? yield* tooLong : { count, ...samples }
  })

  return {
    /** Newest first. Errors: CursorRefused for another list's cursor. */
    list: (
      organizationId: string,
      position: ListPosition,
      limit: number,
    ): Effect.Effect<ListPage<SegmentRow>, CursorRefused> =>
      lists.page(
        { organizationId, route: "GET /v1/data/segments", filters: [], position, limit },
        store.list(organizationId),
      ),
    create,
    find,
    ruleOf,
    change,
    delete: remove,
    preview,
  }
})

export class Segments extends Context.Service<Segments, Effect.Success<typeof make>>()(
  "@footfall/server/visitors/Segments",
) {
  static readonly layer = Layer.effect(Segments, make)
}

// Prevents deleting a segment that is in use. Later rooms say where; the parts are combined when the server is assembled.
export class SegmentUse extends Context.Service<
  SegmentUse,
  {
    /** Runs in the caller's transaction. */
    of(organizationId: string, segmentId: string): Effect.Effect<Schema.Struct.Type<typeof usage>>
  }
>()("@footfall/server/visitors/SegmentUse") {}
