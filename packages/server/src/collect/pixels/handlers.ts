// Maps requests and responses to the pixel services; decides nothing.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../platform/http/contract.ts"
import { Caller, sitesOfCaller } from "../../access/caller.ts"
import { hintIfEmpty } from "../../platform/http/lists.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse, unknownTopics } from "../../platform/http/errors.ts"
import {
  type PathListsExclusive,
  PixelChanges,
  type PixelExists,
  type TopicsUnknown,
} from "./pixel-changes.ts"
import { embedOf, PixelBaseUrl } from "./embed.ts"
import { ImmutableScripts } from "./immutable-scripts.ts"
import type { Pixel } from "./pixel.ts"
import { Pixels } from "./pixels.ts"
import { type SettingsChange, unsetSettings } from "./settings.ts"
import type { PixelRow } from "./store.ts"
import { Verification } from "./verification/verification.ts"
import { PixelsApi } from "./api.ts"

export const PixelsHandlers = HttpApiBuilder.group(
  footfall.add(PixelsApi),
  "pixels",
  Effect.fn(function* (handlers) {
    const pixels = yield* Pixels
    const changes = yield* PixelChanges
    const scripts = yield* ImmutableScripts
    const verification = yield* Verification
    const baseUrl = yield* PixelBaseUrl

    const withCode = Effect.fnUntraced(function* (row: PixelRow) {
      const script = yield* scripts.publish(row)
      return { ...pixelOf(row), ...embedOf(baseUrl, row.id, script) }
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const caller = yield* Caller
        const sites = sitesOfCaller(caller)
        const all = yield* pixels.list(caller.organizationId)
        const rows = all.filter(({ id }) => sites === undefined || sites.includes(id))
        return yield* success(rows.map(pixelOf), hintIfEmpty(rows, "pixels"))
      }),

      create: Effect.fnUntraced(function* ({ payload }) {
        const row = yield* changes.create(yield* Caller, payload).pipe(
          Effect.catchTags({
            PixelExists: pixelExists,
            TopicsUnknown: (error) => topicsUnknown(error, payload.settings),
          }),
        )
        return yield* success(yield* withCode(row))
      }),

      get: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          const row = yield* pixels.find({ organizationId, pixelId: params.id })
          return yield* success(yield* withCode(row))
        },
        Effect.catchTag("PixelNotFound", () => notFound),
      ),

      update: Effect.fnUntraced(function* ({ params, payload }) {
        const row = yield* changes.change(yield* Caller, params.id, payload).pipe(
          Effect.catchTags({
            PixelNotFound: () => notFound,
            PathListsExclusive: pathListsExclusive,
            PausedWithOrganization: () => pausedWithOrganization,
            TopicsUnknown: (error) => topicsUnknown(error, payload.settings),
          }),
        )
        return yield* success(pixelOf(row))
      }),

      delete: Effect.fnUntraced(
        function* ({ params }) {
          yield* changes.delete(yield* Caller, params.id)
          return yield* success({ deleted: true as const })
        },
        Effect.catchTag("PixelNotFound", () => notFound),
      ),

      verify: Effect.fnUntraced(
        function* ({ params }) {
          const { organizationId } = yield* Caller
          const { findings, pixel, reason } = yield* verification.verify({
            organizationId,
            pixelId: params.id,
          })
          const { lastEventAt, verifiedAt } = pixel
          const verified = reason === null
          return yield* success({ verified, verifiedAt, lastEventAt, reason, findings })
        },
        Effect.catchTag("PixelNotFound", () => notFound),
      ),
    })
  }),
)

const pixelOf = ({ organizationId: _, settings, ...row }: PixelRow): Pixel => ({
  ...row,
  settings: { ...unsetSettings, ...settings },
})

const pixelExists = ({ pixelId }: PixelExists) =>
  refuse({
    code: "PIXEL_EXISTS",
    message: "This domain already has a pixel.",
    details: { pixelId },
  })

const pathListsExclusive = ({ field }: PathListsExclusive) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "A pixel can either exclude paths or include them.",
    details: {
      issues: [
        {
          path: `/body/${field}`,
          code: "mutually_exclusive",
          message: "Expected null, because the other list of paths is set.",
        },
      ],
    },
  })

const pausedWithOrganization = refuse({
  code: "CONFLICT",
  message:
    "The pixel is paused because its organization is not active. It resumes when the organization is active again.",
  details: { status: "paused" },
})

const topicsUnknown = ({ topicIds }: TopicsUnknown, { topicRules }: SettingsChange = {}) =>
  unknownTopics(
    topicIds,
    (topicRules ?? []).map(({ topicId }) => topicId),
    (place) => `/body/settings/topicRules/${place}/topicId`,
  )
