// The outbound room with names of the test's own, and a page read through it.
import { Effect, Layer } from "effect"
import {
  Outbound,
  type OutboundPage,
  type PageRequest,
  PrivateAddressesAllowed,
} from "../../src/outbound/outbound.ts"
import type { PageError } from "../../src/outbound/outbound-error.ts"
import { NameLookup, type ResolvedAddress } from "../../src/outbound/vetted-addresses.ts"

type Lookup = (name: string) => Promise<ReadonlyArray<ResolvedAddress>>

export interface Reading extends Partial<PageRequest> {
  /** Default: as the operating system resolves. */
  readonly lookup?: Lookup
  /** Default false, as in production. */
  readonly isPrivateAllowed?: boolean
}

/** Resolves these names and no others. */
export const lookupOf =
  (names: Readonly<Record<string, ReadonlyArray<string>>>): Lookup =>
  async (name) =>
    (names[name] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))

/** The page, or what was in its way. */
export const readPage = (
  url: string,
  { isPrivateAllowed = false, lookup, ...request }: Reading = {},
): Promise<OutboundPage | PageError> =>
  Effect.flatMap(Outbound, (outbound) =>
    outbound.readPage({ url, timeoutMs: 10_000, bytesMax: 65_536, ...request }),
  ).pipe(
    Effect.provide(
      Outbound.layer.pipe(
        Layer.provide(lookup === undefined ? Layer.empty : Layer.succeed(NameLookup, lookup)),
        Layer.provide(Layer.succeed(PrivateAddressesAllowed, isPrivateAllowed)),
      ),
    ),
    Effect.match({ onSuccess: (page) => page, onFailure: (error) => error }),
    Effect.runPromise,
  )

/** The tag of what was in the way; undefined when a page came. */
export const refusalOf = async (
  url: string,
  reading: Reading = {},
): Promise<string | undefined> => {
  const result = await readPage(url, reading)
  return "_tag" in result ? result._tag : undefined
}

/** The text of the page; what was in its way is thrown. */
export const textOf = async (url: string, reading: Reading = {}): Promise<string> => {
  const result = await readPage(url, reading)
  if ("_tag" in result) throw result
  return Buffer.from(result.body).toString()
}
