// Which company a network address belongs to, from a CSV with the column `cidr` and any company fields of an import
// without their prefix (`name`, `domain`, `industry`, `employeeCount`, `revenueRange`, `zipCode`, `linkedinUrl`),
// `city`, `state`, `country`, and `type`, the kind of network. Among nested networks the smallest counts. The file is
// read once into two flat arrays, 20 bytes per network boundary (spec 1.2, 13.2).
import { registrableDomain } from "@footfall/normal-form"
import ipaddr from "ipaddr.js"
import { csvCells } from "../../imports/csv-cells.ts"
import { Refused } from "../../imports/field.ts"
import { Records, tooLong } from "../../imports/records.ts"
import { companyFields, personFields } from "../../person/person-fields.ts"
import type { NetworkCompany } from "../../../collect/visits/network-companies.ts"
import type { CompanyFileReport } from "./company-file-report.ts"
import { isProviderNetwork, isSharedNetwork } from "./network-type.ts"

const addressBytes = 16
/** For a network that belongs to no company. */
const none = -1

interface Network {
  readonly from: Buffer
  /** The first address after it; undefined if it reaches the last address. */
  readonly until: Buffer | undefined
  readonly prefix: number
  readonly company: number
}

/** The parsed file, in a form that one thread can pass to another. */
export interface NetworkTable {
  /** 16 bytes each. */
  readonly bounds: Uint8Array
  /** The company's place in `answers` from a boundary on; negative for none. */
  readonly companies: Int32Array
  readonly answers: ReadonlyArray<NetworkCompany>
  readonly report: CompanyFileReport
}

export class IpCompanies {
  readonly report: CompanyFileReport
  readonly #bounds: Buffer
  readonly #companies: Int32Array
  readonly #answers: ReadonlyArray<NetworkCompany>

  constructor({ answers, bounds, companies, report }: NetworkTable) {
    this.report = report
    this.#bounds = Buffer.from(bounds.buffer, bounds.byteOffset, bounds.byteLength)
    this.#companies = companies
    this.#answers = answers
  }

  /** Undefined for an invalid address, or one in no network. */
  find(address: string): NetworkCompany | undefined {
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
    return this.#answers[this.#companies[low - 1] ?? none]
  }
}

/**
 * *Errors*: throws what is wrong with the file, including any invalid row.
 */
export const readNetworks = (file: Buffer): NetworkTable => {
  const records = new Records({ hasQuotes: true })
  const [header = [], ...rows] = csvCells(
    [...records.push(file), ...records.end()].map((record) =>
      record === tooLong ? '"' : record.toString("utf8"),
    ),
  )
  const names = header.map((name) => name.replace(/^\ufeff/, "").trim())
  if (!names.includes("cidr")) throw new Error("expected a header with the column cidr")
  const type = names.indexOf("type")
  const answers: Array<NetworkCompany> = []
  const known = new Map<string, number>()
  const placeOf = (company: NetworkCompany) => {
    const text = JSON.stringify(company)
    const place = known.get(text) ?? answers.push(company) - 1
    known.set(text, place)
    return place
  }
  const networks = rows.map((cells, index) => {
    const row = index + 1
    if (cells?.length !== names.length)
      throw new Error(`row ${row}: expected as many cells as the header has`)
    const network = networkOf(cells[names.indexOf("cidr")]!.trim())
    if (network === undefined) throw new Error(`row ${row}: expected a network like 192.0.2.0/24`)
    const company = companyOf(names, cells, row)
    return { ...network, company: isShared(cells[type], company) ? none : placeOf(company) }
  })
  const bounds = boundsOf(networks)
  return {
    bounds: Buffer.concat(bounds.map(({ from }) => from)),
    companies: Int32Array.from(bounds, ({ company }) => company),
    answers,
    report: {
      networks: networks.filter(({ company }) => answers[company]?.domain !== undefined).length,
      isWhole: true,
      hasTypes: type !== -1,
      builtAt: undefined,
    },
  }
}

const isShared = (type: string | undefined, { domain }: NetworkCompany): boolean =>
  type === undefined || type.trim() === "" ? isProviderNetwork(domain) : isSharedNetwork(type)

/** By column. */
const fields = [
  ...companyFields.map((field) => [field.path.slice("company.".length), field] as const),
  ...personFields.flatMap((field) =>
    field.path.startsWith("geo.") ? [[field.path.slice("geo.".length), field] as const] : [],
  ),
]

const companyOf = (
  names: ReadonlyArray<string>,
  cells: ReadonlyArray<string>,
  row: number,
): NetworkCompany => {
  const company = Object.fromEntries(
    fields.flatMap(([name, { ofText, read }]) => {
      const cell = cells[names.indexOf(name)]?.trim() ?? ""
      if (cell === "") return []
      const value = read(ofText(cell))
      if (value instanceof Refused) throw new Error(`row ${row}: ${name}: ${value.reason}`)
      return [[name, value]]
    }),
  ) as NetworkCompany
  const domain = company.domain === undefined ? undefined : registrableDomain(company.domain)
  if (company.domain !== undefined && domain === undefined) {
    throw new Error(`row ${row}: domain: invalid_value`)
  }
  return domain === undefined ? company : { ...company, domain }
}

/** Where the company changes, in address order: a network ends where the next begins or its parent continues. */
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
    // Of two boundaries at the same address, the later one counts.
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

/** The first address after a network. */
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
