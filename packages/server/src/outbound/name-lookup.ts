// Resolves hostnames by querying the system's name servers directly, which blocks no thread. The operating system's
// lookup occupies one of the process's few threads, so two names whose servers never respond would stop every request,
// and the database too. It is used only where a stranger's name server cannot stall it: for names without a dot and
// names in the hosts file. Names that DNS does not know may still be known to the system (search domain, mDNS); those
// lookups run one at a time.
import { lookup, Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"

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
