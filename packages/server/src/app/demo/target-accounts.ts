// What a team does with its target accounts, in the demo: a list of companies, a segment of those who visited lately, and an
// alert about them, which is switched off because it has nowhere to send.
import { Context, Effect, Layer } from "effect"
import type { Caller } from "../../access/caller.ts"
import { Webhooks } from "../../activation/webhooks/webhooks.ts"
import { Lists } from "../../people/lists/lists.ts"
import { Segments } from "../../people/visitors/segments/segments.ts"
import { companies } from "./sample-companies.ts"

const name = "Target accounts"
/** Some never visit. */
const others = ["blackwater-rail.example", "citadel-grid.example", "fathom-marine.example"]

const make = Effect.gen(function* () {
  const lists = yield* Lists
  const segments = yield* Segments
  const webhooks = yield* Webhooks
  return {
    /** Runs in the transaction that creates the demo. */
    create: Effect.fnUntraced(function* (organizationId: string, ownerId: string) {
      const caller: Caller = {
        organizationId,
        organizationStatus: "active",
        isIntentEnabled: true,
        role: "owner",
        actor: { type: "user", id: ownerId },
      }
      const list = yield* lists.create(caller, { name, subject: "companies" })
      const large = companies.filter(({ employeeCount }) => employeeCount >= 1_000)
      yield* lists.addMembers(caller, list.id, [...large.map(({ domain }) => domain), ...others])
      const segment = yield* segments.create(caller, {
        name: `${name} on the site`,
        description: "Target accounts with a visit in the last 30 days.",
        subject: "companies",
        ruleAst: {
          version: 1,
          window: "30d",
          rule: { field: "company.list", op: "in_list", value: list.id },
        },
      })
      yield* webhooks.create(caller, {
        name: `${name} read about prices`,
        url: "https://alerts.example/",
        status: "inactive",
        trigger: "page_viewed",
        path: "/pricing",
        segmentId: segment.id,
        again: "24h",
      })
    }),
  }
})

export class TargetAccounts extends Context.Service<TargetAccounts, Effect.Success<typeof make>>()(
  "@footfall/server/demo/TargetAccounts",
) {
  static readonly layer = Layer.effect(TargetAccounts, make)
}
