// Fetches the page of a URL that a customer typed, through the guard of outbound/ (spec 1.9). If it can't be read,
// fails with a reason (spec 9).
import { Context, Effect, Layer } from "effect"
import { makePartyTurns } from "../../../platform/jobs/fair-turns.ts"
import type { PageError, UrlNotAllowed } from "../../../platform/outbound/outbound-error.ts"
import { Outbound, type OutboundPage } from "../../../platform/outbound/outbound.ts"
import type { PageReading } from "./page-reading.ts"
import { PageThreads } from "./page-threads.ts"
import { SitesBusy, SiteUnreadable, type UnreadableReason } from "./site-analysis.ts"

/** spec 1.9. */
const reading = { redirectsMax: 3, timeoutMs: 10_000, bytesMax: 2 * 1024 * 1024 }

/** Pages fetched at the same time, each up to 2 MiB and 10 seconds. */
export const SitesAtOnceMax = Context.Reference<number>("@footfall/server/topics/SitesAtOnceMax", {
  defaultValue: () => 32,
})

/** Pages of one organization, or of all callers without credentials, at the same time. */
const sitesOfOneMax = 8

/** How long a page waits to be fetched. By then, the first fetches have ended. */
const turnWait = reading.timeoutMs

export interface ReadSite extends PageReading {
  /** The page's URL after redirects. */
  readonly url: string
}

const make = Effect.gen(function* () {
  const outbound = yield* Outbound
  const threads = yield* PageThreads
  const turns = yield* makePartyTurns({
    turns: yield* SitesAtOnceMax,
    turnsOfOne: sitesOfOneMax,
    leavesHalf: true,
    wait: turnWait,
    busy: () => new SitesBusy(),
  })

  const read = Effect.fnUntraced(function* (reader: string, asked: string) {
    const { body, headers, status, url } = yield* outbound
      .readPage({ url: asked, ...reading })
      .pipe(Effect.catchIf(isNotRefusal, unreadable))
    const reason = refusalOf({ headers, status })
    if (reason !== undefined) return yield* new SiteUnreadable({ reason })
    const contentType = headers["content-type"]
    const page = yield* threads.read(reader, { body, contentType, host: new URL(url).hostname })
    return { ...page, url }
  })

  return {
    /**
     * `reader`: the requesting organization, or a word for callers without one.
     *
     * *Errors*: UrlNotAllowed if the URL or one it redirects to may not be fetched; SitesBusy after 10 seconds without
     * a turn.
     */
    read: Effect.fn("Sites.read")(
      (
        reader: string,
        url: string,
      ): Effect.Effect<ReadSite, UrlNotAllowed | SiteUnreadable | SitesBusy> =>
        turns.run(reader, read(reader, url)),
    ),
  }
})

export class Sites extends Context.Service<Sites, Effect.Success<typeof make>>()(
  "@footfall/server/topics/Sites",
) {
  static readonly layer = Layer.effect(Sites, make)
}

const isNotRefusal = (error: PageError): error is Exclude<PageError, UrlNotAllowed> =>
  error._tag !== "UrlNotAllowed"

const unreadable = ({ _tag }: Exclude<PageError, UrlNotAllowed>) => {
  switch (_tag) {
    case "TimedOut":
      return new SiteUnreadable({ reason: "timeout" })
    case "TooLarge":
      return new SiteUnreadable({ reason: "too_large" })
    default:
      return new SiteUnreadable({ reason: "unreachable" })
  }
}

/** Why a response is not a readable page: an error status, or not HTML, by its content type and content. */
const refusalOf = ({
  headers,
  status,
}: Pick<OutboundPage, "headers" | "status">): UnreadableReason | undefined => {
  if (status < 200 || status >= 300) return "status"
  const { "content-encoding": encoding = "identity", "content-type": type = "text/html" } = headers
  return encoding.toLowerCase() === "identity" &&
    /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)
    ? undefined
    : "not_html"
}
