// The outbound services with the test's own host names, and both kinds of requests: pages and webhooks.
import { Effect, Layer } from "effect"
import {
  Outbound,
  type OutboundPage,
  type PageRequest,
  PrivateAddressesAllowed,
} from "../../src/platform/outbound/outbound.ts"
import type { OutboundError, PageError } from "../../src/platform/outbound/outbound-error.ts"
import type { OutboundAnswer, OutboundRequest } from "../../src/platform/outbound/sending.ts"
import { NameLookup, type ResolvedAddress } from "../../src/platform/outbound/vetted-addresses.ts"

type Lookup = (name: string) => Promise<ReadonlyArray<ResolvedAddress>>

export interface Names {
  /** Default: as the operating system resolves. */
  readonly lookup?: Lookup
  /** Default false, as in production. */
  readonly isPrivateAllowed?: boolean
}

export interface Reading extends Partial<PageRequest>, Names {}

export interface Sending extends Partial<OutboundRequest>, Names {}

/** Resolves only these names. */
export const lookupOf =
  (names: Readonly<Record<string, ReadonlyArray<string>>>): Lookup =>
  async (name) =>
    (names[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))

const outboundOf = ({ isPrivateAllowed = false, lookup }: Names) =>
  Outbound.layer.pipe(
    Layer.provide(lookup === undefined ? Layer.empty : Layer.succeed(NameLookup, lookup)),
    Layer.provide(Layer.succeed(PrivateAddressesAllowed, isPrivateAllowed)),
  )

const either = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A | E> =>
  Effect.match(effect, { onSuccess: (value): A | E => value, onFailure: (error) => error })

/** The page, or the failure. */
export const readPage = (
  url: string,
  { isPrivateAllowed, lookup, ...request }: Reading = {},
): Promise<OutboundPage | PageError> =>
  Outbound.pipe(
    Effect.flatMap((outbound) =>
      either(outbound.readPage({ url, timeoutMs: 10_000, bytesMax: 65_536, ...request })),
    ),
    Effect.provide(outboundOf(namesOf({ isPrivateAllowed, lookup }))),
    Effect.runPromise,
  )

type Send = (
  url: string,
  request?: Partial<OutboundRequest>,
) => Promise<OutboundAnswer | OutboundError>

/** Runs with one set of outbound services, whose connections stay open until the end. */
export const withOutbound = <A>(
  names: Names,
  work: (send: Send, outbound: Outbound["Service"]) => Promise<A>,
): Promise<A> =>
  Outbound.pipe(
    Effect.flatMap((outbound) =>
      Effect.promise(() =>
        work(
          (url, request) =>
            Effect.runPromise(
              either(outbound.send({ url, headers: {}, timeoutMs: 10_000, ...request })),
            ),
          outbound,
        ),
      ),
    ),
    Effect.provide(outboundOf(names)),
    Effect.runPromise,
  )

/** Returns the response to one POST request, or the failure. */
export const send = (
  url: string,
  { isPrivateAllowed, lookup, ...request }: Sending = {},
): Promise<OutboundAnswer | OutboundError> =>
  withOutbound(namesOf({ isPrivateAllowed, lookup }), (send) => send(url, request))

/** Checks without sending. Returns the failure, or undefined. */
export const check = (url: string, names: Names = {}): Promise<OutboundError | undefined> =>
  withOutbound(names, (_, outbound) => Effect.runPromise(either(outbound.check(url)))).then(
    (result) => result ?? undefined,
  )

const namesOf = (names: {
  readonly [Name in keyof Names]: Names[Name] | undefined
}): Names => ({
  ...(names.lookup === undefined ? {} : { lookup: names.lookup }),
  ...(names.isPrivateAllowed === undefined ? {} : { isPrivateAllowed: names.isPrivateAllowed }),
})

/** Both kinds of requests, which must follow the same rules. */
export const waysOut: ReadonlyArray<{
  readonly way: string
  /** The allowed schemes where private addresses are refused. */
  readonly schemes: ReadonlyArray<string>
  go(url: string, names?: Names): Promise<OutboundPage | OutboundAnswer | PageError>
}> = [
  { way: "a page", schemes: ["http", "https"], go: readPage },
  { way: "a webhook", schemes: ["https"], go: send },
]

/** The tag of the failure. Undefined if there was a page. */
export const refusalOf = async (
  url: string,
  reading: Reading = {},
): Promise<string | undefined> => {
  const result = await readPage(url, reading)
  return "_tag" in result ? result._tag : undefined
}

/** The text of the page. Throws the failure. */
export const textOf = async (url: string, reading: Reading = {}): Promise<string> => {
  const result = await readPage(url, reading)
  if ("_tag" in result) throw result
  return Buffer.from(result.body).toString()
}
