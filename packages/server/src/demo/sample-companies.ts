// The companies and names of the sample data. All of it is made up; domains end in `.example`, which
// nobody can own (RFC 2606).

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

export const firstNames = [
  "Jane",
  "Omar",
  "Priya",
  "Lucas",
  "Mei",
  "Sofia",
  "Daniel",
  "Aisha",
  "Mateo",
  "Hannah",
  "Kenji",
  "Elena",
  "Noah",
  "Zainab",
  "Oliver",
  "Camille",
  "Ravi",
  "Ingrid",
  "Marcus",
  "Yara",
  "Tomas",
  "Grace",
  "Andrei",
  "Leila",
  "Samuel",
  "Nadia",
  "Felix",
  "Amara",
  "Victor",
  "Chloe",
] as const

export const lastNames = [
  "Mercer",
  "Okafor",
  "Lindqvist",
  "Haddad",
  "Nakamura",
  "Silva",
  "Petrov",
  "Novak",
  "Fischer",
  "Adeyemi",
  "Moreau",
  "Castillo",
  "Bennett",
  "Kowalski",
  "Rahman",
  "Sorensen",
  "Whitfield",
  "Ibarra",
  "Dubois",
  "Chandra",
  "Vance",
  "Marin",
  "Osei",
  "Keller",
  "Ortega",
  "Tanaka",
] as const

export interface SampleRole {
  readonly title: string
  readonly seniority: string
  readonly department: string
}

export const roles: ReadonlyArray<SampleRole> = [
  { title: "VP Operations", seniority: "vp", department: "operations" },
  { title: "Director of Procurement", seniority: "director", department: "purchasing" },
  { title: "Head of Growth", seniority: "head", department: "marketing" },
  { title: "Software Engineer", seniority: "senior", department: "engineering" },
  { title: "Marketing Manager", seniority: "manager", department: "marketing" },
  { title: "Chief Financial Officer", seniority: "c_suite", department: "finance" },
  { title: "IT Manager", seniority: "manager", department: "information technology" },
  { title: "Product Manager", seniority: "manager", department: "product management" },
  { title: "Account Executive", seniority: "senior", department: "sales" },
  { title: "Founder", seniority: "founder", department: "entrepreneurship" },
  { title: "Data Analyst", seniority: "entry", department: "research" },
  { title: "HR Business Partner", seniority: "senior", department: "human resources" },
]

/** Where sample sessions come from: landing query values and external referrer. */
export interface SampleSource {
  readonly utm: readonly [source: string, medium: string, campaign: string] | undefined
  readonly referrer: string | undefined
}

export const sources: ReadonlyArray<SampleSource> = [
  { utm: undefined, referrer: undefined },
  { utm: undefined, referrer: undefined },
  { utm: undefined, referrer: "https://www.google.com/" },
  { utm: undefined, referrer: "https://duckduckgo.com/" },
  { utm: ["newsletter", "email", "spring-launch"], referrer: undefined },
  { utm: ["google", "cpc", "visitor-identification"], referrer: "https://www.google.com/" },
  { utm: ["linkedin", "paid-social", "ops-leaders"], referrer: "https://www.linkedin.com/" },
  { utm: undefined, referrer: "https://news.ycombinator.com/" },
]

/** Walks through the site, in the order people take them. */
export const walks: ReadonlyArray<ReadonlyArray<string>> = [
  ["/", "/product", "/pricing"],
  ["/blog/who-visits-your-site", "/product"],
  ["/", "/pricing", "/book-demo"],
  ["/pricing"],
  ["/blog/suppression-at-scale", "/docs/quickstart", "/docs/webhooks"],
  ["/", "/customers", "/customers/harbor-logistics", "/pricing", "/book-demo"],
  ["/docs/quickstart", "/docs/self-hosting"],
  ["/", "/security"],
  ["/blog/intent-without-cookies", "/", "/product", "/pricing"],
  ["/careers"],
]
