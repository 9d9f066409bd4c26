// Maps requests and responses to the Destinations service; decides nothing.
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../platform/http/contract.ts"
import { Caller } from "../../access/caller.ts"
import { hintIfEmpty } from "../../platform/http/lists.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import { urlRefused } from "../../platform/outbound/url-refused.ts"
import { accountUnhealthyRefused, integrationUnavailableRefused } from "./accounts/handlers.ts"
import type { ListMissing } from "./approval.ts"
import {
  Destinations,
  type FieldsInvalid,
  type TooManyDestinations,
  type WithSecret,
} from "./destinations.ts"
import type { DestinationChange } from "./destination-request.ts"
import { destinationOf } from "./destination-wire.ts"
import { RequestPreviews } from "./preview.ts"
import { TestCalls } from "./test-call.ts"
import type { TransitionInvalid } from "./transition.ts"
import { DestinationSecretsApi, DestinationsApi } from "./api.ts"

/** spec 5.10. Units: hours. */
const graceHoursDefault = 24

export const DestinationsHandlers = HttpApiBuilder.group(
  footfall.add(DestinationsApi),
  "destinations",
  Effect.fn(function* (handlers) {
    const destinations = yield* Destinations
    const tests = yield* TestCalls
    const previews = yield* RequestPreviews

    return handlers.handleAll({
      create: Effect.fnUntraced(
        function* ({ params, payload }) {
          const created = yield* destinations.create(yield* Caller, params.audienceId, payload)
          return yield* success(withSecretOf(created))
        },
        Effect.catchTags({
          AccountNotFound: () => notFound,
          AccountUnhealthy: accountUnhealthyRefused,
          DestinationNotFound: () => notFound,
          FieldsInvalid: fieldsInvalid,
          IntegrationUnavailable: () => integrationUnavailableRefused,
          TooManyDestinations: tooManyDestinations,
          UrlRefused: ({ reason }) => urlRefused(reason, "/body/url"),
        }),
      ),
      preview: Effect.fnUntraced(
        function* ({ params, payload }) {
          const { organizationId } = yield* Caller
          const request = yield* previews.of({ organizationId, ...params }, payload)
          return yield* success({ request })
        },
        Effect.catchTags({ DestinationNotFound: () => notFound, FieldsInvalid: fieldsInvalid }),
      ),
      list: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          const rows = yield* destinations.list({ organizationId, ...params })
          return yield* success(
            { destinations: rows.map(destinationOf), total: rows.length },
            hintIfEmpty(rows, "destinations"),
          )
        },
        Effect.catchTag("DestinationNotFound", () => notFound),
      ),
      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          const row = yield* destinations.find({ organizationId, ...params })
          return yield* success({ destination: destinationOf(row) })
        },
        Effect.catchTag("DestinationNotFound", () => notFound),
      ),
      update: ({ params, payload }) =>
        Effect.gen(function* () {
          const row = yield* destinations.change(yield* Caller, params, payload)
          return yield* success({ destination: destinationOf(row) })
        }).pipe(
          Effect.catchTags({
            AccountUnhealthy: accountUnhealthyRefused,
            DestinationNotFound: () => notFound,
            FieldsInvalid: fieldsInvalid,
            IntegrationUnavailable: () => integrationUnavailableRefused,
            ListMissing: (error) => listMissing(error, payload),
            TransitionInvalid: transitionInvalid,
            UrlRefused: ({ reason }) => urlRefused(reason, `/body/${namedBy("url", payload)}`),
          }),
        ),
      delete: Effect.fnUntraced(
        function* ({ params }) {
          yield* destinations.delete(yield* Caller, params)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTag("DestinationNotFound", () => notFound),
      ),
      test: Effect.fnUntraced(
        function* ({ params, payload }) {
          const { organizationId } = yield* Caller
          return yield* success(yield* tests.call({ organizationId, ...params }, payload.eventType))
        },
        Effect.catchTag("DestinationNotFound", () => notFound),
      ),
    })
  }),
)

export const DestinationSecretsHandlers = HttpApiBuilder.group(
  footfall.add(DestinationSecretsApi),
  "destinationSecrets",
  Effect.fn(function* (handlers) {
    const destinations = yield* Destinations

    return handlers.handle(
      "rotate",
      Effect.fnUntraced(
        function* ({ params, payload }) {
          const { graceHours = graceHoursDefault } = payload
          const rotated = yield* destinations.rotateSecret(yield* Caller, params, graceHours)
          return yield* success(withSecretOf(rotated))
        },
        Effect.catchTags({ DestinationNotFound: () => notFound, NoSecret: () => noSecret }),
      ),
    )
  }),
)

/** The only place that returns a secret. spec 2.15. */
const withSecretOf = ({ destination, secret }: WithSecret) => ({
  destination: destinationOf(destination),
  webhookSecret: secret === null ? null : Redacted.value(secret),
})

const fieldsInvalid = ({ issues }: FieldsInvalid) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `Invalid request: ${issues[0]!.path} ${issues[0]!.message}`, // there is at least one
    details: { issues: [...issues] },
  })

const tooManyDestinations = ({ limit }: TooManyDestinations) =>
  refuse({
    code: "CONFLICT",
    message: `This audience already has ${limit} destinations. Delete one first.`,
    details: { limit },
  })

const transitionInvalid = ({ requested, status }: TransitionInvalid) =>
  refuse({
    code: "INVALID_TRANSITION",
    message: `The destination is ${status} and cannot change to ${requested}.`,
    details: { status, requested },
  })

const listMissing = ({ listId }: ListMissing, payload: DestinationChange) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: `No list found with id ${listId} in the connected account.`,
    details: {
      issues: [
        {
          path: payload.config === undefined ? "/body/status" : "/body/config/listId",
          code: "enum",
          message: `Expected the id of a list of the connected account, received "${listId}".`,
        },
      ],
    },
  })

const noSecret = refuse({
  code: "CONFLICT",
  message: "A destination of type automation does not have a secret.",
  details: { field: "destinationType" },
})

/** Which part of the body caused the rejection: the value itself, or activating the stored one. */
const namedBy = (field: "url", payload: DestinationChange): string =>
  payload[field] === undefined ? "status" : field
