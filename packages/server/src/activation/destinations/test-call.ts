// Sends one made-up event to a webhook destination, or checks whether an automation destination could be written to
// (spec 5.10). Synchronous, in any state of the destination, never counted.
import { Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { postMessage } from "../../platform/outbound/message.ts"
import { Outbound } from "../../platform/outbound/outbound.ts"
import { newMessageId } from "../../platform/outbound/signing.ts"
import {
  type AccountNotFound,
  AccountProbes,
  type IntegrationUnavailable,
} from "./accounts/probes.ts"
import { AccountsStore } from "./accounts/store.ts"
import type {
  AutomationDestinationConfig,
  EventType,
  WebhookDestinationConfig,
} from "./destination.ts"
import { formatsOf } from "./events/format.ts"
import { sampleBody } from "./events/sample.ts"
import { type ConnectorError, providerStatus } from "./connectors/connector-error.ts"
import { DestinationNotFound } from "./destinations.ts"
import { type DestinationKey, DestinationStore } from "./store.ts"
import { endpointOf, type Target } from "./targets/target.ts"
import { Targets } from "./targets/targets.ts"

export class TestResult extends Schema.Opaque<TestResult>()(
  Schema.Struct({
    ok: Schema.Boolean,
    /** Null without a response. */
    statusCode: Schema.NullOr(Schema.Int),
    latencyMs: Schema.Int,
    /** One of a delivery's error codes; null if it succeeded. */
    error: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "DestinationTestResult" }),
) {}

interface Outcome {
  readonly statusCode: number | null
  readonly error: string | null
}

export class TestCalls extends Context.Service<
  TestCalls,
  {
    /** `eventType`: for a webhook; default: the first subscribed one. */
    call(
      key: DestinationKey,
      eventType: EventType | undefined,
    ): Effect.Effect<TestResult, DestinationNotFound>
  }
>()("@footfall/server/destinations/TestCalls") {
  static readonly layer = Layer.effect(
    TestCalls,
    Effect.gen(function* () {
      const outbound = yield* Outbound
      const random = yield* SecureRandom.SecureRandom
      const store = yield* DestinationStore
      const targets = yield* Targets
      const accounts = yield* AccountsStore
      const probes = yield* AccountProbes

      const post = Effect.fnUntraced(function* (
        target: Target,
        config: WebhookDestinationConfig,
        type: EventType,
      ) {
        const { audienceId, audienceName, configRevision, name, organizationId } = target
        const format = formatsOf(config)(type)
        const id = yield* newMessageId(random)
        const at = yield* DateTime.now
        const body = sampleBody(
          type,
          { id, timestamp: DateTime.formatIso(at), isTest: true },
          {
            organizationId,
            audience: { id: audienceId, name: audienceName },
            destination: { id: target.id, name, configRevision },
          },
          format,
        )
        const { contentType } = format
        const message = {
          id,
          attempt: 1,
          body,
          contentType,
          at: at.epochMilliseconds,
          isTest: true,
        }
        const posted = yield* postMessage(outbound, endpointOf(target, config), message)
        return {
          statusCode: posted.statusCode,
          error: posted.error?.code ?? null,
        } satisfies Outcome
      })

      /** Checks the account and the list without writing anything. */
      const look = Effect.fnUntraced(function* (
        organizationId: string,
        { config, connectedAccountId: accountId }: AutomationDestinationConfig,
      ) {
        const account = yield* accounts.find({ organizationId, accountId })
        if (account === undefined) return disconnected
        return yield* Effect.match(probes.lists(account), {
          onFailure: listsOutcome,
          onSuccess: (lists): Outcome =>
            lists.some(({ id }) => id === config.listId)
              ? { statusCode: 200, error: null }
              : { statusCode: 200, error: "LIST_NOT_FOUND" },
        })
      })

      return TestCalls.of({
        call: Effect.fn("TestCalls.call")(function* (key, eventType) {
          const target =
            (yield* store.find(key)) === undefined ? undefined : yield* targets.find(key)
          if (target === undefined) return yield* new DestinationNotFound()
          const { config, organizationId } = target
          const startedAt = yield* Clock.currentTimeMillis
          const outcome =
            config.destinationType === "automation"
              ? yield* look(organizationId, config)
              : yield* post(target, config, eventType ?? config.eventTypes[0]!) // there is at least one
          const latencyMs = Math.round((yield* Clock.currentTimeMillis) - startedAt)
          return { ok: outcome.error === null, latencyMs, ...outcome }
        }),
      })
    }),
  )
}

const disconnected: Outcome = { statusCode: null, error: "ACCOUNT_DISCONNECTED" }

const listsOutcome = (
  error: ConnectorError | AccountNotFound | IntegrationUnavailable,
): Outcome => {
  switch (error._tag) {
    case "AccountNotFound":
      return disconnected
    case "IntegrationUnavailable":
      return { statusCode: null, error: "PROVIDER_ERROR" }
    case "CredentialsRefused":
      return { statusCode: error.status, error: "ENDPOINT_AUTH" }
    default:
      return { statusCode: providerStatus(error), error: "PROVIDER_ERROR" }
  }
}
