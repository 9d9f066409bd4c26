// Industries of generated companies: labels as in enrichment data, their groups, and how common they are.

export interface Industry {
  readonly label: string
  readonly group: string
}

const group = (
  name: string,
  labels: Readonly<Record<string, number>>,
): ReadonlyArray<readonly [Industry, weight: number]> =>
  Object.entries(labels).map(([label, weight]) => [{ label, group: name }, weight])

export const industries: ReadonlyArray<readonly [Industry, weight: number]> = [
  ...group("technology", {
    "software development": 90,
    "information technology and services": 80,
    "computer and network security": 22,
    "data infrastructure and analytics": 18,
    telecommunications: 25,
    "computer hardware": 12,
    semiconductors: 9,
    "computer games": 7,
  }),
  ...group("manufacturing", {
    "industrial automation": 20,
    "machinery manufacturing": 34,
    "furniture manufacturing": 9,
    "chemical manufacturing": 17,
    "plastics manufacturing": 11,
    "food and beverage manufacturing": 26,
    "textile manufacturing": 8,
    "medical device manufacturing": 15,
    "aviation and aerospace": 14,
    automotive: 31,
    "packaging and containers": 9,
  }),
  ...group("transportation and logistics", {
    "maritime transportation": 9,
    "truck transportation": 21,
    "freight and package transportation": 17,
    "warehousing and storage": 15,
    airlines: 5,
    "rail transportation": 4,
  }),
  ...group("financial services", {
    banking: 41,
    "financial services": 56,
    insurance: 38,
    "investment management": 19,
    accounting: 27,
    "venture capital and private equity": 9,
  }),
  ...group("health care", {
    "hospitals and health care": 66,
    pharmaceuticals: 18,
    biotechnology: 15,
    "mental health care": 13,
    "medical practices": 35,
    "health, wellness and fitness": 22,
    veterinary: 7,
  }),
  ...group("professional services", {
    "management consulting": 36,
    "law practice": 30,
    "staffing and recruiting": 24,
    "marketing and advertising": 44,
    "human resources": 15,
    design: 12,
    architecture: 14,
    "research services": 13,
  }),
  ...group("retail and consumer", {
    retail: 52,
    "apparel and fashion": 19,
    "consumer electronics": 12,
    "food and beverage services": 28,
    hospitality: 33,
    restaurants: 30,
    "sporting goods": 8,
    "leisure and travel": 16,
  }),
  ...group("construction and real estate", {
    construction: 47,
    "real estate": 39,
    "civil engineering": 13,
    "building materials": 15,
    "facilities services": 12,
  }),
  ...group("energy and agriculture", {
    "renewable energy": 14,
    "oil and gas": 17,
    utilities: 12,
    "environmental services": 11,
    farming: 14,
    mining: 7,
  }),
  ...group("education and public", {
    "higher education": 37,
    "primary and secondary education": 29,
    "e-learning": 10,
    "government administration": 26,
    "nonprofit organizations": 32,
    "public safety": 8,
  }),
  ...group("media and entertainment", {
    "media production": 14,
    publishing: 12,
    broadcasting: 8,
    entertainment: 16,
    printing: 7,
  }),
]
