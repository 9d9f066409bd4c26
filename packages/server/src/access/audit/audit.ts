// The audit log: one entry per change, with its actor and object. Entries contain ids, never values, so they remain
// true after a person is erased, and contain nothing about that person.
import { Context, Effect, Layer } from "effect"
import { RequestContext } from "../../platform/http/request-context.ts"
import { type Action, AuditStore, type Author } from "./store.ts"

export class Audit extends Context.Service<
  Audit,
  {
    /**
     * `targetId`: what was changed; null for the organization itself.
     *
     * *Guarantee*: inside a transaction, the entry is stored exactly if the change is.
     */
    record(author: Author, action: Action, targetId: string | null): Effect.Effect<void>
  }
>()("@footfall/server/access/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const store = yield* AuditStore
      return Audit.of({
        record: Effect.fnUntraced(function* ({ actor, organizationId }, action, targetId) {
          const { id } = yield* RequestContext
          const requestId = actor.type === "api_key" || actor.type === "user" ? id : null
          yield* store.insert({ organizationId, actor, action, targetId, requestId })
        }),
      })
    }),
  )
}
