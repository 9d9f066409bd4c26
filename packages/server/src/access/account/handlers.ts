// Maps requests and responses to the Account service; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../platform/http/contract.ts"
import { Caller } from "../caller.ts"
import { success } from "../../platform/http/envelope.ts"
import { Account } from "./account.ts"
import { AccountApi } from "./api.ts"

export const AccountHandlers = HttpApiBuilder.group(
  footfall.add(AccountApi),
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
