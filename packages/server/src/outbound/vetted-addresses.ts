// Resolves a hostname to the addresses that may be dialed. The name is resolved once, here, so what is dialed is what
// was checked. One rejected address rejects the name (spec 1.9).
import { Context } from "effect"
import { lookUpName, type ResolvedAddress } from "./name-lookup.ts"
import { NameNotResolved, UrlNotAllowed } from "./outbound-error.ts"
import { literalAddress } from "./outbound-url.ts"
import { isPublicAddress } from "./public-address.ts"

type Lookup = (name: string) => Promise<ReadonlyArray<ResolvedAddress>>

/** The resolver. Tests replace it. */
export const NameLookup = Context.Reference<Lookup>("@footfall/server/outbound/NameLookup", {
  defaultValue: () => lookUpName,
})

/**
 * Shares one lookup between attempts that start while it runs; its result is newer than they are. Nothing is cached
 * afterwards, so every attempt resolves the name again.
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

/** The rules the guard applies. */
export interface Guard {
  readonly lookup: Lookup
  /** `ALLOW_PRIVATE_WEBHOOKS`. */
  readonly isPrivateAllowed: boolean
}

/** Rejects with NameNotResolved, or with UrlNotAllowed when any address is rejected. */
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
