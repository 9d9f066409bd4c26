// The size of a suite: small in every run of the tests, full with FOOTFALL_SOAK=1. A full run prints its measurements
// for the table of docs/explanation/reliability.md.
export const isSoak = process.env["FOOTFALL_SOAK"] === "1"

/** A number that an environment variable overrides. */
export const sizeOf = (name: string, small: number, full: number): number =>
  Number(process.env[name] ?? (isSoak ? full : small))

/** One line of a full run. */
export const figure = (promise: string, values: Readonly<Record<string, unknown>>): void => {
  if (isSoak) process.stdout.write(`${promise}: ${JSON.stringify(values)}\n`)
}
