// Shows the request that a webhook destination would send, for headers, a body and a template that need not be saved
// (spec 5.10.17): with a sample contact, without sending or storing anything.
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { newMessageId, signedHeaders } from "../../platform/outbound/signing.ts"
import { type EventType, eventTypes } from "./destination.ts"
import { type NewDestination, templateIssues } from "./destination-request.ts"
import { DestinationNotFound, FieldsInvalid } from "./destinations.ts"
import { formatsOf } from "./events/format.ts"
import { sampleBody, sampleDestination } from "./events/sample.ts"
import { type AudienceKey, DestinationStore } from "./store.ts"
import { bodyOf, textOf } from "./transition.ts"
import { readHeaders, tooManyHeaders } from "./webhook-headers.ts"

export class RequestPreview extends Schema.Opaque<RequestPreview>()(
  Schema.Struct({
    eventType: Schema.Literals(eventTypes),
    /** A null value is not shown. */
    headers: Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
    body: Schema.String,
  }).annotate({ identifier: "DestinationRequestPreview" }),
) {}

interface Trial extends Pick<NewDestination, "body" | "headers" | "template"> {
  readonly eventType?: EventType
}

const make = Effect.gen(function* () {
  const store = yield* DestinationStore
  const random = yield* SecureRandom.SecureRandom

  return {
    of: Effect.fn("RequestPreviews.of")(function* (
      key: AudienceKey,
      { eventType = "intent.audience.contact.upserted", headers: given = {}, ...trial }: Trial,
    ) {
      const { headers, issues: ofHeaders } = readHeaders(given)
      const issues = [
        ...ofHeaders,
        ...tooManyHeaders(headers),
        ...templateIssues(trial, { isStored: false }),
      ]
      if (issues.length > 0) return yield* new FieldsInvalid({ issues })
      const audience = yield* store.audience(key)
      if (audience === undefined) return yield* new DestinationNotFound()
      const id = yield* newMessageId(random)
      const at = yield* DateTime.now
      const format = formatsOf(bodyOf(trial.body, textOf(trial.template)))(eventType)
      const body = sampleBody(
        eventType,
        { id, timestamp: DateTime.formatIso(at) },
        { organizationId: key.organizationId, audience, destination: sampleDestination },
        format,
      )
      const signed = signedHeaders({
        id,
        attempt: 1,
        at: at.epochMilliseconds,
        body,
        contentType: format.contentType,
        secrets: [],
      })
      const hidden = Object.keys(headers).map((name) => [name, null] as const)
      return {
        eventType,
        headers: { ...Object.fromEntries(hidden), ...signed, "webhook-signature": null },
        body,
      }
    }),
  }
})

export class RequestPreviews extends Context.Service<
  RequestPreviews,
  Effect.Success<typeof make>
>()("@footfall/server/destinations/RequestPreviews") {
  static readonly layer = Layer.effect(RequestPreviews, make)
}
