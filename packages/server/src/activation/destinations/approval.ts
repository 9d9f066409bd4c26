// Whether a configuration may be approved: its URL passes the guard, or its account is healthy and has the list (spec
// 4.3, 1.9). This uses the network, so it runs outside transactions.
import { Context, Effect, Layer, Schema } from "effect"
import { Outbound } from "../../platform/outbound/outbound.ts"
import { urlRefusedReasons } from "../../platform/outbound/url-refused.ts"
import { AccountUnhealthy, refuseUnhealthy } from "./accounts/accounts.ts"
import { AccountProbes, type IntegrationUnavailable } from "./accounts/probes.ts"
import { AccountsStore } from "./accounts/store.ts"
import type { AutomationDestinationConfig, DestinationConfig } from "./destination.ts"

export class UrlRefused extends Schema.TaggedError<UrlRefused>()("UrlRefused", {
  reason: Schema.Literals(urlRefusedReasons),
}) {}

export class ListMissing extends Schema.TaggedError<ListMissing>()("ListMissing", {
  listId: Schema.String,
}) {}

export type NotApproved = AccountUnhealthy | IntegrationUnavailable | ListMissing | UrlRefused

const make = Effect.gen(function* () {
  const outbound = yield* Outbound
  const accounts = yield* AccountsStore
  const probes = yield* AccountProbes

  const checkUrl = (url: string) =>
    outbound.check(url).pipe(
      Effect.catchTags({
        UrlNotAllowed: ({ reason }) => new UrlRefused({ reason }),
        NameNotResolved: () => new UrlRefused({ reason: "not_resolvable" }),
      }),
    )

  const checkList = Effect.fnUntraced(function* (
    organizationId: string,
    { config, connectedAccountId: accountId }: AutomationDestinationConfig,
  ) {
    const account = yield* accounts.find({ organizationId, accountId })
    if (account === undefined) return yield* new AccountUnhealthy({ status: "disconnected" })
    yield* refuseUnhealthy(account)
    const lists = yield* Effect.catch(probes.lists(account), (error) =>
      error._tag === "IntegrationUnavailable" ? error : Effect.succeed(undefined),
    )
    // The failure was recorded, so the account's status explains it.
    if (lists === undefined) {
      const after = yield* accounts.find({ organizationId, accountId })
      return yield* new AccountUnhealthy({ status: after?.status ?? "disconnected" })
    }
    const { listId } = config
    if (!lists.some(({ id }) => id === listId)) return yield* new ListMissing({ listId })
  })

  return {
    /** Fails with the reason against approval. An account that can't be reached now counts as unhealthy. */
    check: Effect.fn("Approval.check")(function* (
      organizationId: string,
      config: DestinationConfig,
    ) {
      yield* config.destinationType === "webhook"
        ? checkUrl(config.url)
        : checkList(organizationId, config)
    }),
  }
})

export class Approval extends Context.Service<Approval, Effect.Success<typeof make>>()(
  "@footfall/server/destinations/Approval",
) {
  static readonly layer = Layer.effect(Approval, make)
}
