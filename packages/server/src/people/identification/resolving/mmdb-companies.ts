// Companies from an MMDB file, by the field names its makers publish: MaxMind (GeoIP2 Enterprise, ISP and Domain,
// GeoLite2 ASN), IPinfo and DB-IP. The file stays one buffer that the library searches, so nothing is parsed in
// advance. A file without domains names no companies, because an autonomous system is usually a provider's (spec 13.2).
import { normalizeDomain, registrableDomain } from "@footfall/normal-form"
import { Reader, type Response } from "mmdb-lib"
import { cleanText } from "../../../collect/visits/clean-text.ts"
import { readCountry } from "../../../collect/visits/country.ts"
import type { NetworkCompany } from "../../../collect/visits/network-companies.ts"
import type { CompanyFileReport } from "./company-file-report.ts"
import { isProviderNetwork, isSharedNetwork } from "./network-type.ts"

/** Decoded records to cache. */
const decodedMax = 65_536
const textLengthMax = 255
/** Networks that a report looks at. */
const reportedMax = 500_000
const ipv4Addresses = 2 ** 32

/** Found at the end of every MMDB file. */
const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1")
const metadataBytesMax = 128 * 1024

export const isMmdb = (file: Buffer): boolean =>
  file.lastIndexOf(marker) >= Math.max(0, file.length - metadataBytesMax)

/** Records by their place in the file. Decoding their texts is faster than looking them up here. */
class Decoded {
  readonly #records = new Map<unknown, { readonly value: unknown }>()

  get(place: unknown) {
    return this.#records.get(place)
  }

  set(place: unknown, decoded: { readonly value: unknown }) {
    if (typeof decoded.value !== "object") return
    if (this.#records.size >= decodedMax) this.#records.clear()
    this.#records.set(place, decoded)
  }
}

export class MmdbCompanies {
  readonly #reader: Reader<Response>
  /** Networks of one company share a record, which the reader returns as the same object while it caches it. */
  readonly #companies = new WeakMap<object, NetworkCompany | typeof noCompany>()

  /**
   * *Errors*: throws for an incomplete file.
   */
  constructor(file: Buffer) {
    this.#reader = new Reader<Response>(file, { cache: new Decoded() })
    // A truncated file ends before its tree does.
    this.#reader.get("192.0.2.1")
  }

  /** Undefined for an invalid address, or one outside every company's network. */
  find(address: string): NetworkCompany | undefined {
    try {
      const record = this.#reader.get(address)
      return isFields(record) ? this.#companyOf(record) : undefined
    } catch {
      // An IPv6 address in an IPv4 file, or a broken record.
      return undefined
    }
  }

  /** Looks at the IPv4 networks in the order of their addresses. */
  get report(): CompanyFileReport {
    let [networks, seen, address, hasTypes] = [0, 0, 0, false]
    while (address < ipv4Addresses && seen < reportedMax) {
      const [record, prefix] = this.#reader.getWithPrefixLength(dotted(address))
      const size = 2 ** (32 - prefix)
      address = (Math.floor(address / size) + 1) * size
      if (!isFields(record)) continue
      seen++
      hasTypes ||= isTyped(record)
      if (this.#companyOf(record) !== undefined) networks++
    }
    const isWhole = address >= ipv4Addresses
    return { networks, isWhole, hasTypes, builtAt: this.#reader.metadata.buildEpoch }
  }

  #companyOf(record: Fields): NetworkCompany | undefined {
    const known = this.#companies.get(record)
    if (known !== undefined) return known === noCompany ? undefined : known
    const company = companyOf(record)
    this.#companies.set(record, company ?? noCompany)
    return company
  }
}

const noCompany = Symbol("no company")

const at = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

type Fields = { readonly [name: string]: unknown }

const companyOf = (record: Fields): NetworkCompany | undefined => {
  const { asn, company, traits } = innerOf(record)
  const places = [record, company, traits]
  if (typesOf(record).some(isSharedNetwork) || isHidden(record)) return undefined
  // Data of the autonomous system alone comes last, and then its own type counts too.
  const own = first(places, ["domain"])
  if (own === undefined && [asn["type"], record["as_type"]].some(isSharedNetwork)) return undefined
  const domain = domainOf(own ?? first([record, asn], ["as_domain", "domain"]))
  if (domain === undefined) return undefined
  if (!isTyped(record) && isProviderNetwork(domain)) return undefined
  if (own !== undefined && own === at(traits, "domain") && isOfProvider(domain, traits))
    return undefined
  const names = ["name", "organization", "organization_name", "as_name"]
  const name = textOf(first([company, traits, asn, record], names))
  const city = textOf(placeName(record["city"]))
  const state = textOf(
    placeName(listed(record["subdivisions"]) ?? record["region"] ?? record["stateprov"]),
  )
  const country = countryOf(record)
  return {
    domain,
    ...(name === undefined ? {} : { name }),
    ...(city === undefined ? {} : { city }),
    ...(state === undefined ? {} : { state }),
    ...(country === undefined ? {} : { country }),
  }
}

/** MaxMind Enterprise and DB-IP write `traits`, IPinfo `company`, `as` and `asn`, or no inner record at all. */
const innerOf = (record: Fields) => ({
  traits: fieldsOf(at(record, "traits")),
  company: fieldsOf(at(record, "company")),
  asn: fieldsOf(at(record, "asn") ?? at(record, "as")),
})

/** The types of the network itself; those of its autonomous system come in `isTyped`. */
const typesOf = (record: Fields): ReadonlyArray<unknown> => {
  const { company, traits } = innerOf(record)
  return [record, company, traits].flatMap((place) =>
    ["type", "user_type", "connection_type"].map((name) => at(place, name)),
  )
}

/** Whether the record says what kind of network it is. */
const isTyped = (record: Fields): boolean =>
  [...typesOf(record), at(record, "as_type"), at(innerOf(record).asn, "type")].some(
    (type) => typeof type === "string" && type.trim() !== "",
  )

/** Flags of MaxMind's and IPinfo's files for networks of providers and of anonymizing services. */
const hiddenFlags: ReadonlyArray<string> = [
  "is_hosting_provider",
  "is_hosting",
  "is_public_proxy",
  "is_residential_proxy",
  "is_proxy",
  "is_vpn",
  "is_tor",
  "is_tor_exit_node",
  "is_relay",
  "is_mobile",
  "is_satellite",
  "is_satellite_provider",
  "hosting",
  "vpn",
  "proxy",
  "tor",
  "relay",
]

const isHidden = (record: Fields): boolean =>
  [record, ...["traits", "privacy", "anonymous"].map((name) => fieldsOf(at(record, name)))].some(
    (place) =>
      hiddenFlags.some((name) => isSet(at(place, name))) ||
      // is_anonymous, is_anonymous_vpn, is_anonymous_proxy, …
      // own keys: those of the record.
      Object.keys(place).some((name) => name.startsWith("is_anonymous") && isSet(place[name])),
  )

const isSet = (flag: unknown): boolean =>
  flag === true || flag === 1 || (typeof flag === "string" && /^(?:true|1)$/i.test(flag))

/**
 * MaxMind takes the domain from the reverse name of the address, so behind a provider it is the provider's, whatever
 * organization the record names.
 */
const isOfProvider = (domain: string, traits: Fields): boolean => {
  if (isProviderNetwork(domain)) return true
  const [organization, ...providers] = [
    "organization",
    "isp",
    "autonomous_system_organization",
  ].map((name) => textOf(at(traits, name)))
  if (organization === undefined || isNamedLike(domain, organization)) return false
  return providers.some((provider) => provider !== undefined && isNamedLike(domain, provider))
}

/** Whether the first label of the domain contains the first word of the name, or begins with its initials. */
const isNamedLike = (domain: string, name: string): boolean => {
  const label = domain.slice(0, domain.indexOf(".")).replaceAll("-", "")
  const words = name.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
  const [word = ""] = words
  const initials = words.map((each) => each[0]).join("")
  return (
    (word.length > 2 && label.includes(word)) ||
    label === words.join("").slice(0, label.length) ||
    (label.length > 1 && initials.startsWith(label))
  )
}

const first = (places: ReadonlyArray<Fields>, names: ReadonlyArray<string>): unknown => {
  for (const name of names) {
    for (const place of places) {
      const value = at(place, name)
      if (typeof value === "string" && value.trim() !== "") return value
    }
  }
  return undefined
}

const domainOf = (value: unknown): string | undefined => {
  const domain = typeof value === "string" ? normalizeDomain(value, textLengthMax) : undefined
  const registrable = domain === undefined ? undefined : registrableDomain(domain)
  // Names of machines, not of companies.
  return registrable === "in-addr.arpa" || registrable === "ip6.arpa" ? undefined : registrable
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? cleanText(value, textLengthMax) : undefined

const placeName = (value: unknown): unknown =>
  isFields(value) ? fieldsOf(value["names"])["en"] : value

const listed = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)

const countryOf = (record: Fields): string | undefined => {
  const { country, country_code: code } = record
  const given = isFields(country) ? country["iso_code"] : (code ?? country)
  return typeof given === "string" ? readCountry(given) : undefined
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

const dotted = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join(".")
