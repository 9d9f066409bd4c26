/** The middle one; of an even count the mean of the two in the middle. Refuses no numbers. */
export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  const half = sorted.length / 2
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1)
  if (middle.length === 0) throw new Error("There is no median of nothing")
  return middle.reduce((sum, number) => sum + number) / middle.length
}
