// Networks and companies from a file (spec 1.2, 6.7): among nested networks, the smallest wins.
import * as fc from "fast-check"
import ipaddr from "ipaddr.js"
import { describe, expect, it } from "vitest"
import { IpCompanies, readNetworks } from "./ip-companies.ts"

const companies = async (text: string) => new IpCompanies(readNetworks(Buffer.from(text)))

const nameAt = async (text: string, address: string) =>
  (await companies(`cidr,name\n${text}`)).find(address)?.name

describe("companies by network", () => {
  it("are found up to the bounds of their network, and not beyond", async () => {
    const text = "192.0.2.0/25,Harbor"
    expect(await nameAt(text, "192.0.2.0")).toBe("Harbor")
    expect(await nameAt(text, "192.0.2.127")).toBe("Harbor")
    expect(await nameAt(text, "192.0.2.128")).toBeUndefined()
    expect(await nameAt(text, "192.0.1.255")).toBeUndefined()
  })

  it("are those of the smallest network, wherever it is in the file", async () => {
    const text = "10.1.0.0/16,Branch\n10.0.0.0/8,Group\n10.1.2.0/24,Office\n10.1.3.0/24,Shop\n"
    const at = (address: string) => nameAt(text, address)
    expect(await at("10.1.2.9")).toBe("Office")
    expect(await at("10.1.3.0")).toBe("Shop")
    expect(await at("10.1.4.0")).toBe("Branch")
    expect(await at("10.2.0.0")).toBe("Group")
    expect(await at("10.255.255.255")).toBe("Group")
    expect(await at("11.0.0.0")).toBeUndefined()
  })

  it("are found by IPv6 and by IPv4 written as IPv6; an invalid address has no company", async () => {
    const text = "2001:db8::/32,Six\n192.0.2.0/24,Four\nff00::/8,Last"
    expect(await nameAt(text, "2001:db8:ffff::1")).toBe("Six")
    expect(await nameAt(text, "2001:db9::")).toBeUndefined()
    expect(await nameAt(text, "::ffff:192.0.2.7")).toBe("Four")
    expect(await nameAt(text, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")).toBe("Last")
    expect(await nameAt(text, "nowhere")).toBeUndefined()
  })

  it("have every company field, normalized as an import normalizes it", async () => {
    const found = await companies(
      "cidr,name,domain,industry,employeeCount,revenueRange,zipCode,linkedinUrl,city,state,country\n" +
        '192.0.2.0/24,"Harbor, Inc.",https://WWW.harbor.example/,Logistics,340,10 Million to 25 million,94111,linkedin.example/h,Oakland,California,us\n',
    )
    expect(found.find("192.0.2.1")).toEqual({
      name: "Harbor, Inc.",
      domain: "harbor.example",
      industry: "logistics",
      employeeCount: 340,
      revenueRange: "10 million to 25 million",
      zipCode: "94111",
      linkedinUrl: "https://linkedin.example/h",
      city: "Oakland",
      state: "California",
      country: "US",
    })
  })

  it("have the registrable part of their domain", async () => {
    const found = await companies("cidr,domain\n192.0.2.0/24,eu.shop.harbor.co.uk\n")
    expect(found.find("192.0.2.1")).toEqual({ domain: "harbor.co.uk" })
  })

  it.each([
    "isp",
    "Mobile",
    "CELLULAR",
    "residential",
    "consumer",
    "hosting",
    "Content Delivery Network",
    "content_delivery_network",
    "vpn",
    "proxy",
    "education",
    "search_engine_spider",
  ])("are not assigned in a network of type %j, even inside a larger network", async (type) => {
    const text = `cidr,type,name\n192.0.0.0/16,business,Harbor\n192.0.2.0/24,${type},Provider\n`
    const found = await companies(text)
    expect(found.find("192.0.2.1")).toBeUndefined()
    expect(found.find("192.0.3.1")).toEqual({ name: "Harbor" })
  })

  it("are not assigned to a known provider if the row has no type", async () => {
    const rows = (type: string) =>
      `192.0.2.0/24,Provider,static.vodafone.de${type}\n198.51.100.0/24,Harbor,harbor.example${type}\n`
    for (const text of [`cidr,name,domain\n${rows("")}`, `cidr,name,domain,type\n${rows(", ")}`]) {
      const found = await companies(text)
      expect(found.find("192.0.2.1")).toBeUndefined()
      expect(found.find("198.51.100.1")).toMatchObject({ name: "Harbor" })
    }
    const typed = await companies(`cidr,name,domain,type\n${rows(",business")}`)
    expect(typed.find("192.0.2.1")).toMatchObject({ name: "Provider" })
  })

  it.each([
    ["smaller", "10.9.0.0/24,Office\n10.9.0.0/16,Group\n10.9.0.0/28,Desk\n"],
    ["smaller, in any order", "10.9.0.0/28,Desk\n10.9.0.0/24,Office\n10.9.0.0/16,Group\n"],
  ])("that begin at the same address: the %s one counts", async (_what, rows) => {
    const found = await companies(`cidr,name\n${rows}`)
    const names = ["10.9.0.1", "10.9.0.16", "10.9.1.1"].map((one) => found.find(one)?.name)
    expect(names).toEqual(["Desk", "Office", "Group"])
  })

  it.each([
    ["name\nHarbor", "expected a header with the column cidr"],
    [
      "cidr,name\n192.0.2.0/24,Harbor\n192.0.2.300/24,Other",
      "row 2: expected a network like 192.0.2.0/24",
    ],
    ["cidr,name\n192.0.2.0,Harbor", "row 1: expected a network like 192.0.2.0/24"],
    ["cidr,employeeCount\n192.0.2.0/24,many", "row 1: employeeCount: invalid_type"],
    ["cidr,name\n192.0.2.0/24", "row 1: expected as many cells as the header has"],
    ["cidr,domain\n192.0.2.0/24,co.uk", "row 1: domain: invalid_value"],
  ])("%j is refused: %s", async (text, message) => {
    await expect(companies(text)).rejects.toThrow(message)
  })

  it("are the same as those found by searching all networks one by one", async () => {
    const network = fc
      .tuple(
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 0, max: 255 }),
        fc.integer({ min: 0, max: 32 }),
      )
      .map(([a, b, prefix]) => `${a % 4}.${b % 8}.0.0/${prefix}`)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(network, {
          minLength: 1,
          maxLength: 12,
          selector: (text) => `${ipaddr.IPv4.networkAddressFromCIDR(text)}/${text.split("/")[1]}`,
        }),
        fc.array(fc.tuple(fc.nat(4), fc.nat(8), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        async (networks, addresses) => {
          const found = await companies(
            `cidr,name\n${networks.map((text) => `${text},${text}`).join("\n")}`,
          )
          for (const [a, b, c] of addresses) {
            const address = ipaddr.parse(`${a}.${b}.${c}.1`)
            const [smallest] = networks
              .filter((text) => address.match(ipaddr.parseCIDR(text)))
              .toSorted((one, other) => Number(other.split("/")[1]) - Number(one.split("/")[1]))
            expect(found.find(address.toString())?.name).toBe(smallest)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})
