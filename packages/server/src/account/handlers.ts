// Translates between the wire and the Account service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api.ts"
import { Caller } from "../access/caller.ts"
import { success } from "../http/envelope.ts"
import { Account } from "./account.ts"

export const AccountHandlers = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fn(function* (handlers) {
    const account = yield* Account
    return handlers.handleAll({
      status: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Caller
        return yield* success(yield* account.status(organizationId))
      }),
    })
  }),
)
