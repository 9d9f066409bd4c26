// Anonymous visits in the demo. They come from networks of made-up companies, in address ranges reserved for
// documentation (RFC 5737, RFC 3849), and are looked up like any visit.
import { IpCompanies, readNetworks } from "../../people/identification/resolving/ip-companies.ts"
import type { NetworkCompany } from "../../collect/visits/network-companies.ts"
import { companies } from "./sample-companies.ts"
import type { SeededRandom } from "./seeded-random.ts"

/** Companies without anyone in the sample. */
const strangers = [
  ["Cobalt Freight", "maritime transportation", 2100],
  ["Juniper Foods", "food production", 780],
  ["Quarry Analytics", "software", 95],
  ["Saltmarsh Energy", "utilities", 4300],
  ["Wren Instruments", "medical devices", 160],
  ["Yarrow Capital", "financial services", 60],
] as const

const prefixes = ["192.0.2", "198.51.100", "203.0.113"] as const
const addressesPerNetwork = 16
const networksPerPrefix = 256 / addressesPerNetwork

interface Network {
  readonly cidr: string
  /** The address of a visit. */
  readonly address: string
  readonly cells: string
}

const cellsOf = [
  ...strangers.map(([name, industry, employeeCount]) => ({
    name,
    domain: `${name.toLowerCase().replaceAll(" ", "-")}.example`,
    industry,
    employeeCount,
    place: ",",
  })),
  ...companies.map(({ city, domain, employeeCount, industry, name, state }) => ({
    name,
    domain,
    industry,
    employeeCount,
    place: `${city},${state}`,
  })),
].map(
  ({ domain, employeeCount, industry, name, place }) =>
    `${name},${domain},${industry},${employeeCount},${place},US`,
)

/** As many as fit into the ranges; every fourth is an IPv6 network. */
const networks: ReadonlyArray<Network> = cellsOf
  .slice(0, 4 * networksPerPrefix)
  .map((cells, index) => {
    if (index % 4 === 3) {
      return { cells, cidr: `2001:db8:${index}::/48`, address: `2001:db8:${index}::7` }
    }
    const place = index - Math.floor(index / 4)
    const prefix = prefixes[Math.floor(place / networksPerPrefix)]!
    const first = (place % networksPerPrefix) * addressesPerNetwork
    return {
      cells,
      cidr: `${prefix}.${first}/28`,
      address: `${prefix}.${first + 7}`,
    }
  })

/** What IP_COMPANY_FILE would contain, including a provider's network around the whole first range. */
export const networkFile = [
  "cidr,type,name,domain,industry,employeeCount,city,state,country",
  "192.0.2.0/24,isp,Tidewater Broadband,tidewater-broadband.example,telecommunications,900,,,US",
  ...networks.map(({ cells, cidr }) => `${cidr},business,${cells}`),
].join("\n")

/** Read on first use, because only a demo needs it. */
let table: IpCompanies | undefined

/** The company of a visit; some visits come from home. */
export const companyOfVisit = (random: SeededRandom): NetworkCompany | undefined => {
  table ??= new IpCompanies(readNetworks(Buffer.from(networkFile)))
  return table.find(random.next() < 0.15 ? "192.0.2.255" : random.pick(networks).address)
}
