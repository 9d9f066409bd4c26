// A length of time as a rule names it: hours or days up to bounds (spec 3.2).

export const hoursMax = 8_760
export const daysMax = 3_650

/** Whole hours, or undefined for a text that is no `<n>h` or `<n>d` within the bounds. */
export const hoursOf = (text: string): number | undefined => {
  const [, digits, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const count = Number(digits)
  if (unit === "h") return count <= hoursMax ? count : undefined
  return count <= daysMax ? count * 24 : undefined
}
