// Which company a network address belongs to, from the file named by IP_COMPANY_FILE: CSV with the column
// `cidr` and any of the company fields of an import without their prefix (`name`, `domain`, `industry`,
// `employeeCount`, `revenueRange`, `zipCode`, `linkedinUrl`). Of nested networks the smallest counts. It is
// read once, into two flat arrays: 20 bytes for each bound of a network. Source: spec 1.2, 6.7.
import { readFile } from "node:fs/promises"
import ipaddr from "ipaddr.js"
import { csvCells } from "../../people/import/csv-cells.ts"
import { Refused } from "../../people/import/field.ts"
import { Records, tooLong } from "../../people/import/records.ts"
import { companyFields } from "../../people/person-fields.ts"
import type { IdentityResolver, ResolverAnswer } from "./identity-resolver.ts"

const addressBytes = 16

interface Network {
  readonly from: Buffer
  /** The first address behind it; undefined: it goes up to the last one there is. */
  readonly until: Buffer | undefined
  readonly prefix: number
  readonly company: number
}

export class IpCompanies {
  readonly #bounds: Buffer
  readonly #companies: Int32Array
  readonly #answers: ReadonlyArray<ResolverAnswer>

  constructor(networks: ReadonlyArray<Network>, answers: ReadonlyArray<ResolverAnswer>) {
    const bounds = boundsOf(networks)
    this.#bounds = Buffer.concat(bounds.map(({ from }) => from))
    this.#companies = Int32Array.from(bounds, ({ company }) => company)
    this.#answers = answers
  }

  /** Undefined for an address that is none, or of no network. */
  find(address: string): ResolverAnswer | undefined {
    const bytes = bytesOf(address)
    if (bytes === undefined) return undefined
    let [low, high] = [0, this.#companies.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const place = middle * addressBytes
      const order = this.#bounds.compare(bytes, 0, addressBytes, place, place + addressBytes)
      if (order <= 0) low = middle + 1
      else high = middle
    }
    return this.#answers[this.#companies[low - 1] ?? -1]
  }
}

/** Rejects with what is wrong with the file; a row that does not do is wrong. */
export const readIpCompanies = async (path: string): Promise<IpCompanies> => {
  const records = new Records({ hasQuotes: true })
  const bytes = await readFile(path)
  const [header = [], ...rows] = csvCells(
    [...records.push(bytes), ...records.end()].map((record) =>
      record === tooLong ? '"' : record.toString("utf8"),
    ),
  )
  const names = header.map((name) => name.replace(/^\ufeff/, "").trim())
  if (!names.includes("cidr")) throw new Error("expected a header with the column cidr")
  const answers: Array<ResolverAnswer> = []
  const known = new Map<string, number>()
  const networks = rows.map((cells, index) => {
    const row = index + 1
    if (cells?.length !== names.length) throw new Error(`row ${row} is no row of the table`)
    const network = networkOf(cells[names.indexOf("cidr")]!.trim())
    if (network === undefined) throw new Error(`row ${row}: expected a network like 192.0.2.0/24`)
    const company = companyOf(names, cells, row)
    const text = JSON.stringify(company)
    const place = known.get(text) ?? answers.push({ company }) - 1
    known.set(text, place)
    return { ...network, company: place }
  })
  return new IpCompanies(networks, answers)
}

export const ipCompanyResolver = (companies: IpCompanies): IdentityResolver => ({
  name: "IP_COMPANY_FILE",
  resolve: (questions) =>
    Promise.resolve(questions.map(({ ip }) => (ip === null ? null : (companies.find(ip) ?? null)))),
})

const companyOf = (names: ReadonlyArray<string>, cells: ReadonlyArray<string>, row: number) =>
  Object.fromEntries(
    companyFields.flatMap(({ ofText, path, read }) => {
      const name = path.slice("company.".length)
      const cell = cells[names.indexOf(name)]?.trim() ?? ""
      if (cell === "") return []
      const value = read(ofText(cell))
      if (value instanceof Refused) throw new Error(`row ${row}: ${name}: ${value.reason}`)
      return [[name, value]]
    }),
  )

/** Where the company changes, in order of addresses: a network ends where the next begins, or its parent goes on. */
const boundsOf = (networks: ReadonlyArray<Network>) => {
  const bounds: Array<{ readonly from: Buffer; readonly company: number }> = []
  const open: Array<Network> = []
  const closeUpTo = (address: Buffer | undefined) => {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if (address !== undefined && (last.until === undefined || last.until.compare(address) > 0))
        return
      open.pop()
      if (last.until !== undefined) push(last.until, open.at(-1)?.company ?? -1)
    }
  }
  const push = (from: Buffer, company: number) => {
    // Of two bounds in one place the one told last holds.
    if (bounds.at(-1)?.from.equals(from) === true) bounds.pop()
    bounds.push({ from, company })
  }
  for (const network of networks.toSorted(
    (a, b) => a.from.compare(b.from) || a.prefix - b.prefix,
  )) {
    closeUpTo(network.from)
    push(network.from, network.company)
    open.push(network)
  }
  closeUpTo(undefined)
  return bounds
}

const networkOf = (text: string): Omit<Network, "company"> | undefined => {
  if (!ipaddr.isValidCIDR(text)) return undefined
  const [address, length] = ipaddr.parseCIDR(text)
  const prefix = address.kind() === "ipv4" ? length + 96 : length
  const bytes = mapped(address)
  const from = masked(bytes, prefix)
  return { from, until: next(from, prefix), prefix }
}

const bytesOf = (address: string): Buffer | undefined =>
  ipaddr.isValid(address) ? mapped(ipaddr.parse(address)) : undefined

const mapped = (address: ipaddr.IPv4 | ipaddr.IPv6): Buffer =>
  Buffer.from(
    (address.kind() === "ipv4"
      ? (address as ipaddr.IPv4).toIPv4MappedAddress()
      : address
    ).toByteArray(),
  )

const masked = (bytes: Buffer, prefix: number): Buffer =>
  Buffer.from(
    bytes.map((byte, place) => {
      const bits = Math.min(8, Math.max(0, prefix - place * 8))
      return byte & (0xff << (8 - bits)) & 0xff
    }),
  )

/** The first address behind a network. */
const next = (from: Buffer, prefix: number): Buffer | undefined => {
  const bytes = Buffer.from(from)
  let carry = prefix === 0 ? 256 : 1 << ((8 - (prefix % 8)) % 8)
  for (let place = Math.ceil(prefix / 8) - 1; place >= 0 && carry > 0; place--) {
    const sum = bytes[place]! + carry
    bytes[place] = sum & 0xff
    carry = sum > 0xff ? 1 : 0
  }
  return carry > 0 ? undefined : bytes
}
