// Reads the page of an address that a customer typed, through the guard of outbound/ (spec 1.9),
// and tells in one word why it cannot be read (spec 9).
import { Context, Effect, Layer, Schema } from "effect"
import { makeFairTurns } from "../../jobs/fair-turns.ts"
import type { PageError, UrlNotAllowed } from "../../outbound/outbound-error.ts"
import { Outbound, type OutboundPage } from "../../outbound/outbound.ts"
import { inTurns } from "../in-turns.ts"
import { PageReader, type ReadPage } from "./page-reader.ts"
import { UnreadableReason } from "./site-analysis.ts"

/** spec 1.9. */
const reading = { redirectsMax: 3, timeoutMs: 10_000, bytesMax: 2 * 1024 * 1024 }

/** Pages that are read at the same time, each of up to 2 MiB and 10 seconds. Our bound. */
export const SitesAtOnceMax = Context.Reference<number>("@footfall/server/topics/SitesAtOnceMax", {
  defaultValue: () => 32,
})

/** Those of one organization, and of all callers without credentials. Our bound. */
const sitesOfOneMax = 8

/** How long a page waits to be read: by then whoever was first is done. Our bound. */
const turnWait = reading.timeoutMs

/** Of the text of a page that is read between two turns of other requests. */
const pieceLength = 4_096

export class SiteUnreadable extends Schema.TaggedError<SiteUnreadable>()("SiteUnreadable", {
  reason: UnreadableReason,
}) {}
/** As many pages as may be were read for longer than one waits. */
export class SitesBusy extends Schema.TaggedError<SitesBusy>()("SitesBusy", {}) {}

export interface ReadSite extends ReadPage {
  /** Where the page was found, after redirects. */
  readonly url: string
  /** Of that address. */
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
    // A title alone is no content: every error page has one.
    if (page.description === null && page.blocks.length === 0) {
      return yield* new SiteUnreadable({ reason: "empty" })
    }
    return { ...page, url: answer.url, host: new URL(answer.url).hostname }
  })

  return {
    /**
     * `reader`: the organization that asks, or a word for those who belong to none.
     *
     * *Errors*: UrlNotAllowed for an address, or one it leads to, that may not be asked; SitesBusy after 10
     * seconds without a turn.
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

/** Of an answer that is no page: an error, or no HTML, by its own word and as it was sent. */
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

// What the bytes of a page say as text: by byte order mark, then by the header, then by the page's own
// meta tag, as browsers have it; without any of these UTF-8, and Windows-1252 where that is no UTF-8.
/** How far into a page its own word on the encoding is looked for. Units: bytes. WHATWG, prescan. */
const prescanBytes = 1024

export const decodePage = (body: Uint8Array, contentType: string | undefined): string => {
  const label = markedEncoding(body) ?? charsetOf(contentType ?? "") ?? metaCharset(body)
  const told = label === undefined ? undefined : decodeAs(label, body)
  return told ?? decodeAs("utf-8", body, { fatal: true }) ?? decodeAs("windows-1252", body) ?? ""
}

const markedEncoding = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined
}

const charsetOf = (text: string): string | undefined =>
  /charset\s*=\s*["']?\s*([^\s"';>/]+)/i.exec(text)?.[1]

/** A page that could be read so far is not in UTF-16, whatever it says. */
const metaCharset = (body: Uint8Array): string | undefined => {
  const start = new TextDecoder("latin1").decode(body.subarray(0, prescanBytes))
  const [tag] = /<meta\s[^>]*charset\s*=[^>]*/i.exec(start) ?? []
  const label = tag === undefined ? undefined : charsetOf(tag)
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** Undefined for an encoding that no one knows and, when it is strict, for what is not in it. */
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
