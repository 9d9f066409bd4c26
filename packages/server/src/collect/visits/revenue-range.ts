// The ranges of a company's revenue per year (spec 2.9), and the one that an amount is in.

export const companyRevenueRanges = [
  "under 1 million",
  "1 million to 5 million",
  "5 million to 10 million",
  "10 million to 25 million",
  "25 million to 50 million",
  "50 million to 100 million",
  "100 million to 250 million",
  "250 million to 500 million",
  "500 million to 1 billion",
  "1 billion and over",
] as const

/** Where each range but the first begins, in millions. */
const beginnings = [1, 5, 10, 25, 50, 100, 250, 500, 1_000]

/** Long enough for every way in which a vendor writes an amount. */
const textLengthMax = 100
const amountForm = /(\d[\d,.']*)\s*([a-z]*)/i
const units: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["thousand", 1e3],
  ["m", 1e6],
  ["mm", 1e6],
  ["mn", 1e6],
  ["mio", 1e6],
  ["mil", 1e6],
  ["million", 1e6],
  ["b", 1e9],
  ["bn", 1e9],
  ["bil", 1e9],
  ["billion", 1e9],
  ["t", 1e12],
  ["tn", 1e12],
  ["trillion", 1e12],
])
const unitForm = new RegExp(String.raw`(?<=\d\s*)(?:${[...units.keys()].join("|")})\b`)

/** The range of an amount, such as `22000000`, `$22M rev` or `$10M - $50M`, whose lower end counts. */
export const revenueRangeOf = (value: unknown): string | undefined => {
  if (typeof value === "number") return rangeOf(value)
  if (typeof value !== "string") return undefined
  const text = value.slice(0, textLengthMax).trim().toLowerCase()
  const range = companyRevenueRanges.find((one) => one === text)
  if (range !== undefined) return range
  const [, digits, unit = ""] = amountForm.exec(text) ?? []
  if (digits === undefined) return undefined
  // In `10-50 million` the unit of the upper end counts for both.
  const [later = ""] = unitForm.exec(text) ?? []
  const factor = units.get(unit) ?? units.get(later) ?? 1
  const amount = rangeOf(Number(withoutSeparators(digits)) * factor)
  return /^(?:under|less than|<|below|up to)/.test(text) && amount === companyRevenueRanges[1]
    ? companyRevenueRanges[0]
    : amount
}

const rangeOf = (amount: number): string | undefined =>
  Number.isFinite(amount) && amount >= 0
    ? companyRevenueRanges[beginnings.filter((from) => amount >= from * 1e6).length]
    : undefined

/** `22,000,000` and `22.000.000` are whole numbers; `1.5` is not. */
const withoutSeparators = (digits: string): string =>
  /^\d{1,3}(?:[,.']\d{3})+$/.test(digits)
    ? digits.replaceAll(/[,.']/g, "")
    : digits.replaceAll(/[,']/g, "").replace(/(?<!\.)\.+$/, "")
