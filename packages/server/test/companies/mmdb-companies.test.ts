// Companies from MMDB files (spec 13.2): MaxMind's own test databases, and files with the field names of IPinfo and
// DB-IP.
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isMmdb, MmdbCompanies } from "../../src/identification/resolving/mmdb-companies.ts"
import { ipv4, mmdbFile } from "./mmdb-file.ts"

const maxmind = (name: string) =>
  new MmdbCompanies(readFileSync(new URL(`./mmdb/${name}-Test.mmdb`, import.meta.url)))

const companyOf = (record: Parameters<typeof ipv4>[1]) =>
  new MmdbCompanies(mmdbFile([ipv4("192.0.2.0/24", record)])).find("192.0.2.7")

describe("GeoIP2 Enterprise", () => {
  const enterprise = maxmind("GeoIP2-Enterprise")

  it("names the company of a business or public network", () => {
    expect(enterprise.find("216.160.83.56")).toBeUndefined()
    expect(enterprise.find("89.160.20.112")).toEqual({
      domain: "bredband2.com",
      name: "Bevtec",
      city: "Linköping",
      state: "Östergötland County",
      country: "SE",
    })
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
