// Company size bands. People have a head count, so a band is two bounds, never a label (spec 2.9).

/** Minimum and maximum employees per band; the last has no maximum. */
const bands = {
  "1-10": [1, 10],
  "11-50": [11, 50],
  "51-200": [51, 200],
  "201-500": [201, 500],
  "501-1000": [501, 1_000],
  "1001-5000": [1_001, 5_000],
  "5001-10000": [5_001, 10_000],
  "10001+": [10_001, 2_147_483_647],
} as const

export type CompanySize = keyof typeof bands

// the keys of an object literal keep their order
export const companySizes = Object.keys(bands) as ReadonlyArray<CompanySize>

export const employeesOf = (size: CompanySize): readonly [least: number, most: number] =>
  bands[size]
