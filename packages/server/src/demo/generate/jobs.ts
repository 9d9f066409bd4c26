// What generated people do: departments of the closed vocabulary (spec 2.9) with their word in
// a job title, and seniorities with the form of the title.

export interface Department {
  readonly name: string
  /** As it stands in a title: "Director of Logistics". */
  readonly field: string
  /** Whoever does the work: "Logistics Specialist". */
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
