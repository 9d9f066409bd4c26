// Who looks after a person or a company, and its tags (spec 2.24).
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Audit } from "../../../access/audit/audit.ts"
import type { Caller } from "../../../access/caller.ts"
import { CompanyStore } from "../../visitors/companies/store.ts"
import { RuleTurns } from "../../visitors/query/rule-turns.ts"
import { VisitorStore } from "../../visitors/store.ts"
import { differentTagsMax, distinctTags } from "../../visitors/tag.ts"
import { type FoundSubject, type Subject, SubjectNotFound } from "../subject.ts"
import { MarkStore } from "./store.ts"

/** The owner would be someone who is not a member. */
export class OwnerNotFound extends Schema.TaggedError<OwnerNotFound>()("OwnerNotFound", {
  ownerId: Schema.String,
}) {}

/** The organization would have more than 500 different tags. */
export class TooManyTags extends Schema.TaggedError<TooManyTags>()("TooManyTags", {
  subject: Schema.Literals(["people", "companies"]),
}) {}

export interface MarkChange {
  /** Null for no one. */
  readonly ownerId?: string | null | undefined
  /** In their normal form. They replace all tags. */
  readonly tags?: ReadonlyArray<string> | undefined
}

const make = Effect.gen(function* () {
  const store = yield* MarkStore
  const visitors = yield* VisitorStore
  const companies = yield* CompanyStore
  const audit = yield* Audit
  const turns = yield* RuleTurns

  const setTags = Effect.fnUntraced(function* (found: FoundSubject, tags: ReadonlyArray<string>) {
    const keyed = distinctTags(tags)
    if ((yield* store.countNew(found, keyed)) > 0) {
      yield* store.lockTags(found.organizationId)
      const isChanged = yield* store.setTags(found, keyed)
      return (yield* store.countDifferent(found)) > differentTagsMax
        ? yield* new TooManyTags({ subject: found.kind })
        : isChanged
    }
    return yield* store.setTags(found, keyed)
  })

  const setOwner = Effect.fnUntraced(function* (found: FoundSubject, ownerId: string | null) {
    if (ownerId !== null && !(yield* store.isMember(found.organizationId, ownerId))) {
      return yield* new OwnerNotFound({ ownerId })
    }
    return yield* store.setOwner(found, ownerId)
  })

  /** Runs in a transaction. */
  const change = Effect.fnUntraced(function* (
    caller: Caller,
    subject: Subject,
    { ownerId, tags }: MarkChange,
  ) {
    const found = yield* store.keep(caller.organizationId, subject)
    if (found === undefined) return yield* new SubjectNotFound()
    const isTagged = tags !== undefined && (yield* setTags(found, tags))
    const isOwned = ownerId !== undefined && (yield* setOwner(found, ownerId))
    if (isTagged || isOwned) {
      // The domain of a company may name a person, and entries stay after an erasure.
      yield* found.kind === "people"
        ? audit.record(caller, "visitor.updated", found.id)
        : audit.record(caller, "company.updated", null)
    }
  })

  const wholeScope = Effect.map(DateTime.now, (asOf) => ({
    pixelId: undefined,
    isEmpty: false,
    timeframe: "all" as const,
    asOf,
    from: undefined,
    suppressed: "include" as const,
  }))

  return {
    /** Returns the person, over the whole history. Errors: SubjectNotFound, OwnerNotFound, TooManyTags. */
    changePerson: Effect.fn("Marks.changePerson")(function* (
      caller: Caller,
      emailHash: string,
      marks: MarkChange,
    ) {
      const { organizationId } = caller
      const changing = Effect.gen(function* () {
        yield* change(caller, { kind: "people", emailHash }, marks)
        const visitor = yield* visitors.find({ ...(yield* wholeScope), organizationId }, emailHash)
        return visitor ?? (yield* new SubjectNotFound())
      })
      return yield* store.transaction(changing)
    }),

    /** Returns the company, over the whole history. Errors as for `changePerson`. */
    changeCompany: Effect.fn("Marks.changeCompany")(function* (
      caller: Caller,
      domain: string,
      marks: MarkChange,
    ) {
      const { organizationId } = caller
      const changing = Effect.gen(function* () {
        yield* change(caller, { kind: "companies", domain }, marks)
        const company = yield* companies.find({ ...(yield* wholeScope), organizationId }, domain)
        return company ?? (yield* new SubjectNotFound())
      })
      return yield* store.transaction(changing)
    }),

    /** Errors: QueryTooSlow, RulesBusy. */
    tags: Effect.fn("Marks.tags")((organizationId: string, kind: Subject["kind"]) =>
      turns.rows(organizationId, store.tags(organizationId, kind)),
    ),
  }
})

export class Marks extends Context.Service<Marks, Effect.Success<typeof make>>()(
  "@footfall/server/teamwork/Marks",
) {
  static readonly layer = Layer.effect(Marks, make)
}
