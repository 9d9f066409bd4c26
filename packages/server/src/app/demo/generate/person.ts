// A generated person by number: the same number and seed always produce the same one. People work in companies of
// realistic sizes, and each has one business address.
import type { PersonRecord } from "../../../people/person/person.ts"
import { ageRanges } from "../../../people/person/vocabulary.ts"
import { firstNames, lastNames } from "../sample-people.ts"
import { SeededRandom } from "../seeded-random.ts"
import { companyAt } from "./company.ts"

/** Company sizes for people with neighboring numbers. */
const colleagues = [24, 14, 9, 6, 4, 3, 2, 1, 1] as const
const perBlock = colleagues.reduce((sum, size) => sum + size, 0)

export const emailAt = (number: number, seed: number): string => {
  const { company, position } = workplaceOf(number)
  return `${nameAt(company, position).join(".").toLowerCase()}@${companyAt(company, seed).domain}`
}

export const personAt = (number: number, seed: number): PersonRecord => {
  const random = new SeededRandom(seed * 15_485_863 + number * 32_452_843)
  const { company: companyNumber, position } = workplaceOf(number)
  const company = companyAt(companyNumber, seed)
  const [firstName, lastName] = nameAt(companyNumber, position)
  const local = `${firstName}.${lastName}`.toLowerCase()
  const email = `${local}@${company.domain}`
  const personalEmail = random.next() < 0.25 ? `${local}.${number}@mail.example` : undefined
  const department = random.weighted(departments)
  const [seniority, titleOf] = random.weighted(seniorities)
  const hasPhone = random.next() < 0.55
  return {
    email,
    businessEmail: email,
    ...(personalEmail === undefined ? {} : { personalEmail }),
    emailStatus: random.weighted(emailStatuses),
    firstName,
    lastName,
    ...(hasPhone ? { phones: [phoneAt(random)], phonesDnc: random.next() < 0.12 } : {}),
    ...(random.next() < 0.6
      ? { linkedinUrl: `https://linkedin.example/in/${local}-${number}` }
      : {}),
    jobTitle: titleOf(department),
    seniority,
    department: department.name,
    company: {
      name: company.name,
      domain: company.domain,
      industry: company.industry.label,
      industryGroup: company.industry.group,
      employeeCount: company.employeeCount,
      revenueRange: company.revenueRange,
      zipCode: company.zipCode,
    },
    geo: { city: company.place.city, state: company.place.state, country: "US" },
    demographics: { ageRange: random.pick(ageRanges), gender: random.weighted(genders) },
    isB2b: random.next() < 0.8 ? "y" : "n",
  }
}

const emailStatuses = [
  ["valid", 75],
  ["catch_all", 15],
  ["unknown", 7],
  ["invalid", 3],
] as const
const genders = [
  ["F", 46],
  ["M", 47],
  ["U", 7],
] as const

/** Numbers reserved for fiction in the United States. */
const phoneAt = (random: SeededRandom): string =>
  `+1${200 + random.below(700)}555${String(random.below(10_000)).padStart(4, "0")}`

const workplaceOf = (number: number): { readonly company: number; readonly position: number } => {
  let position = number % perBlock
  let company = Math.floor(number / perBlock) * colleagues.length
  for (const size of colleagues) {
    if (position < size) break
    position -= size
    company += 1
  }
  return { company, position }
}

/** Colleagues get different names: the step is prime to the number of names. */
const nameAt = (company: number, position: number): readonly [first: string, last: string] => {
  const place = (company * 331 + position * 97) % (firstNames.length * lastNames.length)
  return [firstNames[place % firstNames.length]!, lastNames[Math.floor(place / firstNames.length)]!]
}

// Jobs of generated people: departments from the closed vocabulary (spec 2.9) with their word in a job title, and
// seniorities with the form of the title.
export interface Department {
  readonly name: string
  /** As used in a title: "Director of Logistics". */
  readonly field: string
  /** The title of someone who does the work: "Logistics Specialist". */
  readonly worker: string
}

const department = (
  name: string,
  field: string,
  worker: string,
  weight: number,
): readonly [Department, number] => [{ name, field, worker }, weight]

export const departments: ReadonlyArray<readonly [Department, weight: number]> = [
  department("sales", "Sales", "Account Executive", 16),
  department("engineering", "Engineering", "Software Engineer", 15),
  department("information technology", "IT", "Systems Administrator", 12),
  department("operations", "Operations", "Operations Specialist", 12),
  department("marketing", "Marketing", "Marketing Specialist", 10),
  department("finance", "Finance", "Financial Analyst", 7),
  department("human resources", "Human Resources", "HR Business Partner", 6),
  department("customer success and support", "Customer Success", "Support Specialist", 6),
  department("product management", "Product", "Product Owner", 5),
  department("purchasing", "Procurement", "Buyer", 4),
  department("accounting", "Accounting", "Accountant", 4),
  department("administrative", "Administration", "Office Coordinator", 4),
  department("healthcare services", "Clinical Services", "Nurse", 4),
  department("legal", "Legal Affairs", "Counsel", 3),
  department("business development", "Business Development", "Partnership Associate", 3),
  department("quality assurance", "Quality", "Quality Engineer", 3),
  department("program and project management", "Programs", "Project Coordinator", 3),
  department("consulting", "Consulting", "Consultant", 3),
  department("research", "Research", "Research Scientist", 2),
  department("education", "Learning", "Instructor", 2),
  department("arts and design", "Design", "Designer", 2),
  department("media and communication", "Communications", "Editor", 1),
  department("real estate", "Real Estate", "Property Specialist", 1),
]

type Title = (department: Department) => string

export const seniorities: ReadonlyArray<
  readonly [seniority: readonly [name: string, title: Title], weight: number]
> = [
  [["senior", ({ worker }) => `Senior ${worker}`], 26],
  [["entry", ({ worker }) => worker], 24],
  [["manager", ({ field }) => `${field} Manager`], 19],
  [["director", ({ field }) => `Director of ${field}`], 11],
  [["vp", ({ field }) => `VP ${field}`], 5],
  [["head", ({ field }) => `Head of ${field}`], 4],
  [["c_suite", ({ field }) => `Chief ${field} Officer`], 4],
  [["owner", () => "Owner"], 3],
  [["founder", () => "Founder"], 2],
  [["partner", () => "Partner"], 1],
  [["intern", ({ field }) => `${field} Intern`], 1],
]
