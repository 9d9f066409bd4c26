// The addresses of a host that may be dialled. A name is resolved once, here, and what is dialled is
// what was judged; one refused address refuses the name (spec 1.9).
import { Context } from "effect"
import { lookUpName, type ResolvedAddress } from "./name-lookup.ts"
import { NameNotResolved, UrlNotAllowed } from "./outbound-error.ts"
import { literalAddress } from "./outbound-url.ts"
import { isPublicAddress } from "./public-address.ts"

type Lookup = (name: string) => Promise<ReadonlyArray<ResolvedAddress>>

/** How names are resolved. A test has names of its own. */
export const NameLookup = Context.Reference<Lookup>("@footfall/server/outbound/NameLookup", {
  defaultValue: () => lookUpName,
})

/**
 * Looks a name up once at a time: attempts that begin while a look-up is running share its answer, which is
 * newer than they are. Nothing is cached after it, so that every attempt looks the name up.
 */ // spec 1.9
export const sharedLookup = (lookup: Lookup): Lookup => {
  const underWay = new Map<string, ReturnType<Lookup>>()
  return (name) => {
    const present = underWay.get(name)
    if (present !== undefined) return present
    const begun = lookup(name).finally(() => underWay.delete(name))
    underWay.set(name, begun)
    return begun
  }
}

/** What the guard goes by. */
export interface Guard {
  readonly lookup: Lookup
  /** `ALLOW_PRIVATE_WEBHOOKS`. */
  readonly isPrivateAllowed: boolean
}

/** Rejects with NameNotResolved, or with UrlNotAllowed when any of the addresses is refused. */
export const vettedAddresses = async (
  host: string,
  { isPrivateAllowed, lookup }: Guard,
): Promise<ReadonlyArray<ResolvedAddress>> => {
  const literal = literalAddress(host)
  const addresses =
    literal === undefined
      ? await lookup(host).catch(() => [])
      : [{ address: literal, family: literal.includes(":") ? 6 : 4 }]
  if (addresses.length === 0) throw new NameNotResolved()
  if (!isPrivateAllowed && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new UrlNotAllowed({ reason: "address" })
  }
  return addresses
}
