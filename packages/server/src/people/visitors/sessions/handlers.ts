// Maps requests and responses to the Sessions service; decides nothing except the defaults.
import { DateTime, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { footfall } from "../../../platform/http/contract.ts"
import { Caller, sitesOfCaller } from "../../../access/caller.ts"
import { cursorRefused, hintIfEmpty } from "../../../platform/http/lists.ts"
import { success } from "../../../platform/http/envelope.ts"
import { notFound } from "../../../platform/http/errors.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import { periodOf } from "../scope-on-the-wire.ts"
import { sessionSummaryOf } from "./session-summary.ts"
import { Sessions } from "./sessions.ts"
import { SessionsApi } from "./api.ts"

/** Default number of sessions per page. spec 10.3. */
const sessionPageSize = 50

export const SessionsHandlers = HttpApiBuilder.group(
  footfall.add(SessionsApi),
  "sessions",
  Effect.fn(function* (handlers) {
    const sessions = yield* Sessions
    const secrets = yield* Secrets

    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ params, query }) {
          const limit = query.limit ?? sessionPageSize
          const caller = yield* Caller
          const page = yield* sessions.list({
            organizationId: caller.organizationId,
            pixelIds: sitesOfCaller(caller),
            visitorId: params.visitorId,
            timeframe: yield* periodOf(query, "30d"),
            pixelId: query.pixelId?.toLowerCase(),
            limit,
            cursor: query.cursor,
          })
          const { asOf, hasMore, nextCursor } = page
          return yield* success(
            page.sessions.map((row) => sessionSummaryOf(row, secrets)),
            {
              asOf: DateTime.formatIso(asOf),
              limit,
              hasMore,
              nextCursor,
              ...(query.cursor === undefined ? hintIfEmpty(page.sessions, "sessions") : {}),
            },
          )
        },
        Effect.catchTags({
          PixelNotFound: () => notFound,
          VisitorNotFound: () => notFound,
          CursorRefused: cursorRefused,
        }),
      ),
    })
  }),
)
