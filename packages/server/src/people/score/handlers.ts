// Maps requests and responses to the Scores service; decides nothing.
import { normalizeDomain, registrableDomain } from "@footfall/normal-form"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { show } from "../../platform/http/issues.ts"
import { invalidRuleRefused } from "../visitors/refusals.ts"
import { CompanyScoreApi, ScoreApi, VisitorScoreApi } from "./api.ts"
import { entriesMax } from "./score.ts"
import { type NameTaken, Scores, type TooManyEntries } from "./scores.ts"

const SettingsHandlers = HttpApiBuilder.group(
  footfall.add(ScoreApi),
  "score",
  Effect.fn(function* (handlers) {
    const scores = yield* Scores
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Caller
        return yield* success(yield* scores.settings(organizationId))
      }),
      put: Effect.fnUntraced(
        function* ({ payload }) {
          return yield* success(yield* scores.change(yield* Caller, payload))
        },
        Effect.catchTags({
          InvalidRule: invalidRuleRefused,
          NameTaken: nameTaken,
          TooManyEntries: tooManyEntries,
        }),
      ),
    })
  }),
)

const VisitorScoreHandlers = HttpApiBuilder.group(
  footfall.add(VisitorScoreApi),
  "visitorScore",
  Effect.fn(function* (handlers) {
    const scores = yield* Scores
    return handlers.handleAll({
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          return yield* success(yield* scores.ofPerson(organizationId, params.visitorId))
        },
        Effect.catchTag("ScoreNotFound", () => notFound),
      ),
    })
  }),
)

const CompanyScoreHandlers = HttpApiBuilder.group(
  footfall.add(CompanyScoreApi),
  "companyScore",
  Effect.fn(function* (handlers) {
    const scores = yield* Scores
    return handlers.handleAll({
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          const host = normalizeDomain(params.domain, 253)
          const domain = host === undefined ? undefined : registrableDomain(host)
          if (domain === undefined) return yield* notFound
          return yield* success(yield* scores.ofCompany(organizationId, domain))
        },
        Effect.catchTag("ScoreNotFound", () => notFound),
      ),
    })
  }),
)

export const ScoreHandlers = Layer.mergeAll(
  SettingsHandlers,
  VisitorScoreHandlers,
  CompanyScoreHandlers,
)

const refused = (path: string, code: string, message: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message,
    details: { issues: [{ path: `/body${path}`, code, message }] },
  })

const tooManyEntries = ({ received }: TooManyEntries) =>
  refused(
    "/interest",
    "max_items",
    `Expected at most ${entriesMax} entries in fit and interest together, received ${received}.`,
  )

const nameTaken = ({ name, path }: NameTaken) =>
  refused(path, "format", `Expected a name that no other entry has, received ${show(name)} twice.`)
