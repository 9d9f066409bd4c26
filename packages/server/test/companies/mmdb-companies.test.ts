// Companies from MMDB files (spec 13.2): MaxMind's own test databases, and files with the field names of IPinfo and
// DB-IP.
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { registrableDomain } from "@footfall/normal-form"
import { providerDomains } from "../../src/people/identification/resolving/provider-domains.ts"
import { emailKind } from "../../src/collect/visits/email-address.ts"
import { isMmdb, MmdbCompanies } from "../../src/people/identification/resolving/mmdb-companies.ts"
import { ipv4, mmdbFile } from "./mmdb-file.ts"

const maxmind = (name: string) =>
  new MmdbCompanies(readFileSync(new URL(`./mmdb/${name}-Test.mmdb`, import.meta.url)))

const companyOf = (record: Parameters<typeof ipv4>[1]) =>
  new MmdbCompanies(mmdbFile([ipv4("192.0.2.0/24", record)])).find("192.0.2.7")

describe("GeoIP2 Enterprise", () => {
  const enterprise = maxmind("GeoIP2-Enterprise")

  it("names no company if the reverse name is the provider's and the organization is another", () => {
    expect(enterprise.find("216.160.83.56")).toBeUndefined()
    expect(enterprise.find("89.160.20.112")).toBeUndefined()
  })

  const traits = { isp: "Fjordlink", autonomous_system_organization: "Fjordlink AS" }
  it.each([
    ["another company's", "Harbor Insurance", "harborinsurance.example", true],
    ["another company's by its initials", "Harbor Freight Line", "hfl.example", true],
    ["another company's by its first word", "Harbor, Inc.", "harbor-group.example", true],
    ["unlike both names", "Harbor, Inc.", "tidewater.example", true],
    ["the provider's, with a customer as organization", "Harbor, Inc.", "fjordlink.example", false],
    ["a known provider's, whatever its name", "Harbor, Inc.", "qwest.net", false],
    ["a known provider's own", "Telenor", "telenor.no", false],
  ])("of an organization: a domain that is %s", (_what, organization, domain, isCompany) => {
    const found = companyOf({
      traits: { ...traits, organization, domain, user_type: "business" },
    })
    expect(found).toEqual(isCompany ? { domain, name: organization } : undefined)
  })

  it("names no company for a residential network, a crawler's, or a private address", () => {
    expect(enterprise.find("74.209.24.1")).toBeUndefined()
    expect(enterprise.find("10.0.0.1")).toBeUndefined()
    expect(enterprise.find("nowhere")).toBeUndefined()
  })
})

describe("files without domains", () => {
  it.each(["GeoIP2-ISP", "GeoLite2-ASN"])("%s gives no company", (name) => {
    expect(maxmind(name).find("1.128.0.1")).toBeUndefined()
  })
})

describe("IPinfo", () => {
  it("names the company in its own database, and none for an access provider", () => {
    const company = { name: "Harbor Freight", domain: "harbor.example", country: "US" }
    expect(companyOf({ ...company, type: "business", as_type: "isp" })).toEqual({
      domain: "harbor.example",
      name: "Harbor Freight",
      country: "US",
    })
    expect(companyOf({ ...company, type: "isp" })).toBeUndefined()
    expect(companyOf({ ...company, type: "business", hosting: "true" })).toBeUndefined()
  })

  it("names the company of an autonomous system if nothing else does", () => {
    const asn = { as_name: "Harbor", as_domain: "harbor.example", country_code: "us" }
    expect(companyOf(asn)).toEqual({ domain: "harbor.example", name: "Harbor", country: "US" })
    expect(companyOf({ ...asn, as_type: "hosting" })).toBeUndefined()
  })

  it("reads the inner records of its bundles", () => {
    expect(
      companyOf({
        city: "Oakland",
        region: "California",
        company: { name: "Harbor", domain: "www.harbor.example", type: "business" },
        asn: { name: "Some Carrier", domain: "carrier.example", type: "isp" },
      }),
    ).toEqual({ domain: "harbor.example", name: "Harbor", city: "Oakland", state: "California" })
  })
})

describe("flags", () => {
  const company = { name: "Harbor", domain: "harbor.example", type: "business" }
  it.each([
    "is_anonymous",
    "is_anonymous_vpn",
    "is_anonymous_hosting",
    "is_hosting",
    "is_hosting_provider",
    "is_mobile",
    "is_proxy",
    "is_public_proxy",
    "is_relay",
    "is_residential_proxy",
    "is_satellite",
    "is_satellite_provider",
    "is_tor",
    "is_tor_exit_node",
    "is_vpn",
    "hosting",
    "proxy",
    "relay",
    "tor",
    "vpn",
  ])("%s leaves the network out, in any form that is true", (flag) => {
    for (const value of [true, "true", "TRUE", 1, "1"]) {
      expect(companyOf({ ...company, [flag]: value })).toBeUndefined()
      expect(companyOf({ ...company, traits: { [flag]: value } })).toBeUndefined()
      expect(companyOf({ ...company, privacy: { [flag]: value } })).toBeUndefined()
    }
    for (const value of [false, "false", "", 0, "0"]) {
      expect(companyOf({ ...company, [flag]: value })).toMatchObject({ name: "Harbor" })
    }
  })

  it("that are nothing of the kind keep it", () => {
    expect(companyOf({ ...company, is_anycast: true })).toMatchObject({ name: "Harbor" })
  })
})

describe("a record without a type", () => {
  it.each([
    { domain: "comcast.net" },
    { domain: "c-73-1-2-3.hsd1.ca.comcast.net" },
    { as_domain: "telefonica.com", as_name: "Telefonica" },
    { as: { domain: "hetzner.com", name: "Hetzner" } },
    { asn: "AS1", as_domain: "orange.com", country_code: "FR" },
  ])("%j belongs to a known provider, so it is no company", (record) => {
    expect(companyOf(record)).toBeUndefined()
  })

  it("of another domain is a company, and so is a typed one of a provider", () => {
    expect(companyOf({ as_domain: "harbor.example" })).toEqual({ domain: "harbor.example" })
    expect(companyOf({ domain: "comcast.com", type: "business" })).toEqual({
      domain: "comcast.com",
    })
  })
})

describe("the list of providers", () => {
  it("has more than a thousand registrable domains, each once", () => {
    expect(providerDomains.size).toBeGreaterThan(1_000)
    for (const domain of providerDomains) expect(registrableDomain(domain)).toBe(domain)
  })

  it("counts for networks alone: a person's address at a provider founds a company as before", () => {
    expect(emailKind("jane@hetzner.com")).toBe("business")
  })
})

describe("DB-IP", () => {
  it("leaves out consumer and cellular networks", () => {
    const traits = { organization: "Harbor", domain: "harbor.example" }
    expect(companyOf({ traits: { ...traits, user_type: "corporate" } })).toMatchObject({
      domain: "harbor.example",
    })
    expect(companyOf({ traits: { ...traits, user_type: "consumer" } })).toBeUndefined()
    expect(companyOf({ traits: { ...traits, connection_type: "Cellular" } })).toBeUndefined()
  })
})

describe("any file", () => {
  it("returns the smallest network that contains the address", () => {
    const file = mmdbFile([
      ipv4("203.0.113.0/25", { domain: "group.example" }),
      ipv4("203.0.113.128/28", { domain: "office.example" }),
    ])
    const companies = new MmdbCompanies(file)
    expect(companies.find("203.0.113.130")).toEqual({ domain: "office.example" })
    expect(companies.find("203.0.113.0")).toEqual({ domain: "group.example" })
    expect(companies.find("203.0.113.200")).toBeUndefined()
  })

  it("is recognized by the end of the file, and rejected if it is truncated", () => {
    const file = mmdbFile([ipv4("192.0.2.0/24", { domain: "harbor.example" })])
    expect(isMmdb(file)).toBe(true)
    expect(isMmdb(Buffer.from("cidr,name\n192.0.2.0/24,Harbor\n"))).toBe(false)
    expect(() => new MmdbCompanies(file.subarray(file.length - 200))).toThrow()
  })
})
