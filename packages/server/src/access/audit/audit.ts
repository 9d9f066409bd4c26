// The audit log: one entry for every change of state, with its actor and object. An entry holds ids and
// never values, so erasing a person leaves it true and leaves nothing of the person in it.
import { Context, Effect, Layer } from "effect"
import { RequestContext } from "../../http/request-context.ts"
import { type Action, AuditStore, type Author } from "./store.ts"

export class Audit extends Context.Service<
  Audit,
  {
    /**
     * `targetId`: of what was changed; null where the organization itself is meant.
     *
     * *Guarantee*: inside a transaction the entry is kept exactly when the change is.
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
