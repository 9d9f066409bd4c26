// A source of kind `url`: a file of rules on a web server, fetched through the guard for customers' addresses (spec 1.9).
import { Effect, Stream } from "effect"
import { type OpenedPage, Outbound } from "../../platform/outbound/outbound.ts"
import type { PageError } from "../../platform/outbound/outbound-error.ts"
import type { ImportFormat } from "../imports/import-format.ts"
import { type SourceContent, SourceFailed, type SourceKind, type Validators } from "./source.ts"

/** Maximum size of the file as it is sent. */ // spec 10.3
export const urlBytesMax = 100 * 1_048_576
/** Waiting for everything: the name, the connection, redirects and the file. */ // spec 10.3
const timeoutMs = 120_000
const redirectsMax = 3

export const makeUrlKind = Effect.map(Outbound, (outbound): SourceKind => ({
  read: Effect.fn("UrlKind.read")(function* ({ headers, url, validators }) {
    if (url === null) return yield* new SourceFailed({ code: "URL_MISSING", message: "No URL." })
    const page = yield* outbound
      .openPage({
        url,
        redirectsMax,
        timeoutMs,
        bytesMax: urlBytesMax,
        isPlainAllowed: false,
        headers: {
          accept: "text/csv, application/x-ndjson, text/plain, */*;q=0.5",
          ...headers,
          ...conditional(validators),
        },
      })
      .pipe(Effect.mapError((error) => new SourceFailed(failureOf(error))))
    if (page.status === 304) return { is: "unchanged" } satisfies SourceContent
    if (page.status !== 200) {
      return yield* new SourceFailed({
        code: "HTTP_STATUS",
        message: `Expected status 200, received ${page.status}.`,
      })
    }
    return {
      is: "file",
      format: formatOf(page),
      input: Stream.mapError(page.body, (error) => new SourceFailed(failureOf(error))),
      validators: validatorsOf(page),
    } satisfies SourceContent
  }),
}))

/** Asks for the file only if it has changed. */
const conditional = (validators: Validators | null): Readonly<Record<string, string>> => ({
  ...(validators?.etag === undefined ? {} : { "if-none-match": validators.etag }),
  ...(validators?.lastModified === undefined
    ? {}
    : { "if-modified-since": validators.lastModified }),
})

/** Longer ones are no validators, so the file is read every time. Units: characters. */
const validatorLengthMax = 500

const validatorsOf = ({ headers }: OpenedPage): Validators | null => {
  const short = (value: string | undefined) =>
    value === undefined || value.length > validatorLengthMax ? undefined : value
  const [etag, lastModified] = [short(headers["etag"]), short(headers["last-modified"])]
  if (etag === undefined && lastModified === undefined) return null
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  }
}

const formatOf = ({ headers, url }: OpenedPage): ImportFormat => {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? ""
  const isLines =
    /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)$/.test(type) ||
    /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(new URL(url).pathname)
  return isLines ? "ndjson" : "csv"
}

const failureOf = (error: PageError): { readonly code: string; readonly message: string } =>
  failures[error._tag]

/** They reveal no address behind a name, because the reader may be probing. */
const failures: Readonly<
  Record<PageError["_tag"], { readonly code: string; readonly message: string }>
> = {
  UrlNotAllowed: {
    code: "URL_NOT_ALLOWED",
    message: "Expected an https URL on the public internet, also after redirects.",
  },
  NameNotResolved: { code: "NAME_NOT_RESOLVED", message: "The host name has no address." },
  ConnectionRefused: { code: "CONNECTION_REFUSED", message: "The server refused the connection." },
  TlsFailed: { code: "TLS_ERROR", message: "The server has no valid certificate." },
  NoAnswer: { code: "NO_ANSWER", message: "The connection ended before the file was complete." },
  TimedOut: { code: "TIMED_OUT", message: "The file did not arrive within 2 minutes." },
  TooLarge: { code: "FILE_TOO_LARGE", message: "The file is larger than 100 MiB." },
  RedirectedTooOften: { code: "REDIRECTED", message: "The URL redirects more than 3 times." },
}
