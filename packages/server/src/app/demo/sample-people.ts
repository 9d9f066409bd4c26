// Names and roles for the people of the sample data. None of them is real.

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
