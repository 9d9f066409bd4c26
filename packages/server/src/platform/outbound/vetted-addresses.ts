// Resolves a hostname to the addresses that may be dialed. The name is resolved once, here, so the dialed addresses are
// the checked ones. One rejected address rejects the name (spec 1.9).
import { Context } from "effect"
import { lookup, Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"
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
    const running = underWay.get(name)
    if (running !== undefined) return running
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

/**
 * Resolves hostnames by querying the system's name servers directly, which blocks no thread. The operating system's
 * lookup occupies one of the process's few threads, so two names whose servers never respond would block every request,
 * and the database too. It is therefore used only for names that a stranger's name server cannot stall: names without a
 * dot and names in the hosts file. Names that DNS does not know may still be known to the system (search domain, mDNS);
 * those lookups run one at a time.
 */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** First round, per server; the second round waits twice as long. */
const answerTimeoutMs = 2_000
const rounds = 2

const hostsFile =
  process.platform === "win32" ? String.raw`C:\Windows\System32\drivers\etc\hosts` : "/etc/hosts"

/** Codes for a name that does not exist, or for a system without name servers. */
const unknownCodes: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"])

type Addresses = ReadonlyArray<ResolvedAddress>

/** The addresses of a lower-case hostname. Rejects when it has none. */
export const lookUpName = async (host: string): Promise<Addresses> => {
  const name = host.replace(/\.$/, "")
  if (!name.includes(".") || (await isInHostsFile(name))) return bySystem(host)
  const { addresses, isUnknown } = await byNameServers(host)
  return isUnknown ? oneAtATime(() => bySystem(host)) : addresses
}

const bySystem = (host: string): Promise<Addresses> => lookup(host, { all: true })

/** IPv4 first: networks without IPv6 are more common than networks without IPv4. */
const byNameServers = async (host: string) => {
  // Created for each lookup, because it reads the list of name servers, which may change.
  const resolver = new Resolver({ timeout: answerTimeoutMs, tries: rounds })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer, place) =>
    answer.status === "fulfilled"
      ? answer.value.map((address) => ({ address, family: place === 0 ? 4 : 6 }))
      : [],
  )
  const isUnknown = answers.every(
    (answer) => answer.status === "rejected" && unknownCodes.has(codeOf(answer.reason)),
  )
  return { addresses, isUnknown }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined

/** Read each time, because operators edit it without a restart. */
const isInHostsFile = async (name: string): Promise<boolean> => {
  const text = (await readFile(hostsFile, "utf8").catch(() => "")).toLowerCase()
  const names = (line: string) => line.replace(/#.*/, "").trim().split(/\s+/).slice(1)
  return text.includes(name) && text.split("\n").some((line) => names(line).includes(name))
}

let last: Promise<unknown> = Promise.resolve()
const oneAtATime = (begin: () => Promise<Addresses>): Promise<Addresses> => {
  const mine = last.then(begin)
  last = mine.catch(() => undefined)
  return mine
}
