// Companies of the sample data. All are made up; their domains end in `.example`, which no one can own (RFC 2606).

export interface SampleCompany {
  readonly name: string
  readonly domain: string
  readonly industry: string
  readonly employeeCount: number
  readonly revenue: string
  readonly city: string
  readonly state: string
  readonly zipCode: string
}

const company = (
  name: string,
  industry: string,
  employeeCount: number,
  revenue: string,
  [city, state, zipCode]: readonly [string, string, string],
): SampleCompany => ({
  name,
  domain: `${name.toLowerCase().replace(/[^a-z]+/g, "-")}.example`,
  industry,
  employeeCount,
  revenue,
  city,
  state,
  zipCode,
})

export const companies: ReadonlyArray<SampleCompany> = [
  company("Harbor Logistics", "maritime transportation", 340, "50 million to 100 million", [
    "San Francisco",
    "CA",
    "94111",
  ]),
  company("Northwind Robotics", "industrial automation", 1250, "250 million to 500 million", [
    "Boston",
    "MA",
    "02210",
  ]),
  company("Alder and Finch", "furniture manufacturing", 85, "10 million to 25 million", [
    "Portland",
    "OR",
    "97209",
  ]),
  company("Cobalt Health", "hospitals and health care", 5200, "500 million to 1 billion", [
    "Nashville",
    "TN",
    "37203",
  ]),
  company("Meridian Bank", "banking", 11400, "1 billion and over", ["Charlotte", "NC", "28202"]),
  company("Tern Analytics", "software development", 62, "5 million to 10 million", [
    "Austin",
    "TX",
    "78701",
  ]),
  company(
    "Greyfield Foods",
    "food and beverage manufacturing",
    2300,
    "250 million to 500 million",
    ["Minneapolis", "MN", "55401"],
  ),
  company("Lumen Studios", "design services", 38, "1 million to 5 million", [
    "Brooklyn",
    "NY",
    "11201",
  ]),
  company("Redwood Solar", "renewable energy", 410, "50 million to 100 million", [
    "Sacramento",
    "CA",
    "95814",
  ]),
  company("Piper Aviation", "aviation and aerospace", 870, "100 million to 250 million", [
    "Wichita",
    "KS",
    "67202",
  ]),
  company("Juniper Legal", "law practice", 140, "25 million to 50 million", [
    "Chicago",
    "IL",
    "60606",
  ]),
  company("Basalt Construction", "construction", 960, "100 million to 250 million", [
    "Denver",
    "CO",
    "80202",
  ]),
  company("Orchard Learning", "e-learning", 120, "10 million to 25 million", [
    "Philadelphia",
    "PA",
    "19103",
  ]),
  company("Saltmarsh Insurance", "insurance", 1800, "250 million to 500 million", [
    "Hartford",
    "CT",
    "06103",
  ]),
  company(
    "Kestrel Freight",
    "freight and package transportation",
    3100,
    "500 million to 1 billion",
    ["Memphis", "TN", "38103"],
  ),
  company("Foxglove Pharma", "pharmaceutical manufacturing", 640, "100 million to 250 million", [
    "San Diego",
    "CA",
    "92121",
  ]),
  company("Ironwood Retail", "retail", 7800, "1 billion and over", ["Columbus", "OH", "43215"]),
  company("Quill and Ledger", "accounting", 54, "5 million to 10 million", [
    "Atlanta",
    "GA",
    "30308",
  ]),
]
