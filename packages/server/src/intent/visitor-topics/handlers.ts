// Maps requests for the topics of people and companies, and names the topics.
import { normalizeDomain, registrableDomain } from "@footfall/normal-form"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller, sitesOfCaller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound } from "../../platform/http/errors.ts"
import { RuleTurns } from "../../people/visitors/query/rule-turns.ts"
import { listTooSlow, rulesBusy } from "../../people/visitors/refusals.ts"
import { Catalog } from "../topics/catalog/catalog.ts"
import { CompanyTopicsApi, VisitorTopicsApi } from "./api.ts"
import { type FoundTopics, TopicsOfVisitorsStore } from "./topics-store.ts"

/** Topics that are no longer in the catalog are left out. */
const named = Effect.map(Catalog, (catalog) =>
  Effect.fnUntraced(function* ({ topics, ...dates }: FoundTopics) {
    const byId = yield* catalog.byId
    return {
      ...dates,
      topics: topics.flatMap((topic) => {
        const topicName = byId.get(topic.topicId)?.topicName
        return topicName === undefined ? [] : [{ ...topic, topicName }]
      }),
    }
  }),
)

const VisitorTopicsHandlers = HttpApiBuilder.group(
  footfall.add(VisitorTopicsApi),
  "visitorTopics",
  Effect.fn(function* (handlers) {
    const store = yield* TopicsOfVisitorsStore
    const withNames = yield* named
    return handlers.handleAll({
      get: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Caller
        const found = yield* Effect.orDie(store.ofPerson(organizationId, params.visitorId))
        if (found === undefined) return yield* notFound
        const { topics, ...dates } = yield* withNames(found)
        return yield* success({ ...dates, topics: topics.map(({ people: _, ...topic }) => topic) })
      }),
    })
  }),
)

const CompanyTopicsHandlers = HttpApiBuilder.group(
  footfall.add(CompanyTopicsApi),
  "companyTopics",
  Effect.fn(function* (handlers) {
    const store = yield* TopicsOfVisitorsStore
    const turns = yield* RuleTurns
    const withNames = yield* named
    return handlers.handleAll({
      get: Effect.fnUntraced(
        function* ({ params }) {
          const caller = yield* Caller
          const { organizationId } = caller
          const host = normalizeDomain(params.domain, 253)
          const domain = host === undefined ? undefined : registrableDomain(host)
          if (domain === undefined) return yield* notFound
          const found = yield* turns.rows(
            organizationId,
            store.ofCompany(organizationId, domain, sitesOfCaller(caller)),
          )
          return found === undefined ? yield* notFound : yield* success(yield* withNames(found))
        },
        Effect.catchTags({ QueryTooSlow: listTooSlow, RulesBusy: rulesBusy }),
      ),
    })
  }),
)

export const TopicsOfVisitorsHandlers = Layer.merge(VisitorTopicsHandlers, CompanyTopicsHandlers)
