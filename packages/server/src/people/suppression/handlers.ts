// Maps requests and responses to the Suppression service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { normalizeRule } from "@footfall/normal-form"
import { footfall } from "../../platform/http/contract.ts"
import { Caller } from "../../access/caller.ts"
import { cursorRefused, hintIfEmpty, positionOf } from "../../platform/http/lists.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { Matching } from "./matching/matching.ts"
import { ruleKeys, rulesPerRequestMax, totalOf } from "./rule.ts"
import { Suppression } from "./suppression.ts"
import { SuppressionApi } from "./api.ts"
import type { RuleNames } from "./store.ts"
import type { KeyedRule } from "./submission.ts"

/** spec 5.5.2. */
const limitDefault = 500
/** spec 5.5. */
const industriesLimitDefault = 100

export const SuppressionHandlers = HttpApiBuilder.group(
  footfall.add(SuppressionApi),
  "suppression",
  Effect.fn(function* (handlers) {
    const suppression = yield* Suppression
    const matching = yield* Matching

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const position = yield* positionOf(query)
        const limit = query.limit ?? limitDefault
        const { organizationId } = yield* Caller
        const text = query.q?.trim().toLowerCase() || undefined
        const page = yield* suppression
          .list(
            { organizationId, type: query.type, text, originId: query.originId?.toLowerCase() },
            { position, limit },
          )
          .pipe(Effect.catchTag("CursorRefused", cursorRefused))
        const { counts, hasMore, nextCursor, rows } = page
        const data = {
          rules: rows,
          counts,
          total: totalOf(counts),
          filteredTotal: page.total ?? 0,
          limit,
          offset: page.offset,
          hasMore,
        }
        return yield* success(data, {
          hasMore,
          nextCursor,
          ...(page.total === 0 ? hintIfEmpty(rows, "suppressionRules") : {}),
        })
      }),

      add: Effect.fnUntraced(function* ({ payload }) {
        const added = suppression.add(yield* Caller, payload.rules, payload.note)
        return yield* success(yield* Effect.catchTag(added, "RuleWritesBusy", writesBusy))
      }),

      replace: Effect.fnUntraced(function* ({ payload }) {
        const { note, rules, types } = payload
        const replaced = suppression.replace(yield* Caller, rules, types, note)
        return yield* success(yield* Effect.catchTag(replaced, "RuleWritesBusy", writesBusy))
      }),

      remove: Effect.fnUntraced(function* ({ payload }) {
        const { ids = [], rules = [] } = payload
        const elements = ids.length + rules.length
        if (elements === 0 || elements > rulesPerRequestMax) return yield* wrongCount(elements)
        const removed = suppression.remove(yield* Caller, readNames(ids, rules))
        return yield* success(yield* Effect.catchTag(removed, "RuleWritesBusy", writesBusy))
      }),

      removeOne: Effect.fnUntraced(function* ({ params }) {
        const deletion = suppression.removeOne(yield* Caller, params.ruleId.toLowerCase())
        const refused = { RuleNotFound: () => notFound, RuleWritesBusy: writesBusy }
        return yield* success(yield* Effect.catchTags(deletion, refused))
      }),

      preview: Effect.fnUntraced(function* ({ payload }) {
        const { organizationId } = yield* Caller
        return yield* success(yield* matching.preview(organizationId, payload.rules))
      }),

      industries: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Caller
        const limit = query.limit ?? industriesLimitDefault
        const { industries, ...totals } = yield* matching.industries(organizationId, limit)
        return yield* success(industries, { ...totals, limit })
      }),

      ofVisitor: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Caller
        const found = matching.rulesOfPerson(organizationId, params.visitorId)
        return yield* success(yield* Effect.catchTag(found, "PersonNotFound", () => notFound))
      }),
    })
  }),
)

/** For imports too. */
export const writesBusy = () =>
  refuse({
    code: "SERVICE_UNAVAILABLE",
    message: "Other changes of suppression rules are in progress. Try again in a moment.",
  })

const wrongCount = (received: number) => {
  const isEmpty = received === 0
  return refuse({
    code: "VALIDATION_ERROR",
    message: `Expected 1 to ${rulesPerRequestMax} ids and rules together, received ${received}.`,
    details: {
      issues: [
        {
          path: "/body",
          code: isEmpty ? "min_items" : "max_items",
          message: `Expected 1 to ${rulesPerRequestMax} elements in ids and rules, received ${received}.`,
        },
      ],
    },
  })
}

// What a bulk delete names (spec 5.5): ids, pairs of type and value, or both in one element, which deletes what either
// matches. Anything else is ignored.
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const readNames = (ids: ReadonlyArray<unknown>, rows: ReadonlyArray<unknown>): RuleNames => {
  const idsOfRows = rows.map((row) =>
    typeof row === "object" && row !== null && "id" in row ? row.id : row,
  )
  return {
    ids: [...ids, ...idsOfRows].filter(isId).map((id) => id.trim().toLowerCase()),
    rules: rows.flatMap(ruleOf),
  }
}

const isId = (value: unknown): value is string =>
  typeof value === "string" && uuid.test(value.trim())

const ruleOf = (row: unknown): ReadonlyArray<KeyedRule> => {
  const rule = normalizeRule(row)
  return typeof rule === "string" ? [] : [{ ...rule, ...ruleKeys(rule) }]
}
