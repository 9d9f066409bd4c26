// Fetches the page of a URL that a customer typed, through the guard of outbound/ (spec 1.9). If it can't be read,
// fails with a reason (spec 9).
import { Context, Effect, Layer, Schema } from "effect"
import { makeFairTurns } from "../../jobs/fair-turns.ts"
import type { PageError, UrlNotAllowed } from "../../outbound/outbound-error.ts"
import { Outbound, type OutboundPage } from "../../outbound/outbound.ts"
import { inTurns } from "../in-turns.ts"
import { PageReader, type ReadPage } from "./page-reader.ts"
import { UnreadableReason } from "./site-analysis.ts"

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

/** Characters of a page parsed before other requests get a turn. */
const pieceLength = 4_096

export class SiteUnreadable extends Schema.TaggedError<SiteUnreadable>()("SiteUnreadable", {
  reason: UnreadableReason,
}) {}
/** No turn became free within the wait. */
export class SitesBusy extends Schema.TaggedError<SitesBusy>()("SitesBusy", {}) {}

export interface ReadSite extends ReadPage {
  /** The page's URL after redirects. */
  readonly url: string
  /** That URL's host. */
  readonly host: string
}

const make = Effect.gen(function* () {
  const outbound = yield* Outbound
  const turns = makeFairTurns({
    turns: yield* SitesAtOnceMax,
    turnsOfOne: sitesOfOneMax,
    wait: turnWait,
    busy: () => new SitesBusy(),
  })

  const read = Effect.fnUntraced(function* (url: string) {
    const answer = yield* outbound
      .readPage({ url, ...reading })
      .pipe(Effect.catchIf(isNotRefusal, unreadable))
    const reason = refusalOf(answer)
    if (reason !== undefined) return yield* new SiteUnreadable({ reason })
    const page = yield* readPage(decodePage(answer.body, answer.headers["content-type"]))
    // A title alone is no content; every error page has one.
    if (page.description === null && page.blocks.length === 0) {
      return yield* new SiteUnreadable({ reason: "empty" })
    }
    return { ...page, url: answer.url, host: new URL(answer.url).hostname }
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
        turns.run(reader, read(url)),
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
const refusalOf = ({ headers, status }: OutboundPage): UnreadableReason | undefined => {
  if (status < 200 || status >= 300) return "status"
  const { "content-encoding": encoding = "identity", "content-type": type = "text/html" } = headers
  return encoding.toLowerCase() === "identity" &&
    /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)
    ? undefined
    : "not_html"
}

const readPage = Effect.fnUntraced(function* (html: string) {
  const reader = new PageReader()
  const starts = Array.from(
    { length: Math.ceil(html.length / pieceLength) },
    (_, piece) => piece * pieceLength,
  )
  yield* inTurns(starts, (start) => reader.write(html.slice(start, start + pieceLength)))
  return reader.end()
})

// Decodes a page as browsers do: by byte order mark, then the header, then the page's own meta tag; without any of
// these as UTF-8, or Windows-1252 if it is not valid UTF-8.
/** How far into a page its encoding is looked for. Units: bytes. WHATWG, prescan. */
const prescanBytes = 1024

export const decodePage = (body: Uint8Array, contentType: string | undefined): string => {
  const label = markedEncoding(body) ?? charsetOf(contentType ?? "") ?? metaCharset(body)
  const decoded = label === undefined ? undefined : decodeAs(label, body)
  return decoded ?? decodeAs("utf-8", body, { fatal: true }) ?? decodeAs("windows-1252", body) ?? ""
}

const markedEncoding = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined
}

const charsetOf = (text: string): string | undefined =>
  /charset\s*=\s*["']?\s*([^\s"';>/]+)/i.exec(text)?.[1]

/** A page whose start is readable is not UTF-16, whatever its tag declares. */
const metaCharset = (body: Uint8Array): string | undefined => {
  const start = new TextDecoder("latin1").decode(body.subarray(0, prescanBytes))
  const [tag] = /<meta\s[^>]*charset\s*=[^>]*/i.exec(start) ?? []
  const label = tag === undefined ? undefined : charsetOf(tag)
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** Undefined for an unknown encoding and, if strict, for invalid bytes. */
const decodeAs = (
  label: string,
  body: Uint8Array,
  options: { readonly fatal?: boolean } = {},
): string | undefined => {
  try {
    return new TextDecoder(label, options).decode(body)
  } catch {
    return undefined
  }
}
