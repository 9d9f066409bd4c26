// How names are resolved: by questions to the name servers of the system, which hold no thread while they wait. The
// look-up of the operating system holds one of the few threads that the whole process has, so two names whose servers
// never answer would stop every request, and the database's too. It is asked where no stranger's name server can keep it
// waiting: for names without a dot, and for those in the file of hosts. And for a name that DNS does not know, because
// the system may (a search domain, mDNS), it is asked one at a time.
import { lookup, Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** For the first round of questions, to each server; the second has twice of it. */
const answerTimeoutMs = 2_000
const rounds = 2

const hostsFile =
  process.platform === "win32" ? String.raw`C:\Windows\System32\drivers\etc\hosts` : "/etc/hosts"

/** What DNS says of a name that it does not have, or the system of itself when it has no name server. */
const unknownCodes: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"])

type Addresses = ReadonlyArray<ResolvedAddress>

/** The addresses of a host in lower case; rejects when there is none. */
export const lookUpName = async (host: string): Promise<Addresses> => {
  const name = host.replace(/\.$/, "")
  if (!name.includes(".") || (await isInHostsFile(name))) return bySystem(host)
  const { addresses, isUnknown } = await byNameServers(host)
  return isUnknown ? oneAtATime(() => bySystem(host)) : addresses
}

const bySystem = (host: string): Promise<Addresses> => lookup(host, { all: true })

/** IPv4 first: a network without IPv6 is more frequent than one without IPv4. */
const byNameServers = async (host: string) => {
  // Made for each look-up: it reads which name servers there are, and those may change.
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

/** Read each time, because an operator changes it without a restart. */
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
