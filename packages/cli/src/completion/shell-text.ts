// Pieces that the scripts of several shells share.

import type { Place } from "./words.ts"

/** One argument of a command line in bash or zsh, whatever it holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Prints the names of the profiles, one a line; asked for when they are needed. */
export const profileNames = `footfall profiles list --json 2>/dev/null | sed -n 's/^ *"name": "\\(.*\\)",*$/\\1/p'`

/** Options that are followed by a value. */
export const valuedOptions = ({ options }: Place): ReadonlyArray<string> =>
  options.filter(({ value }) => value !== null).map(({ text }) => text)

/** Places and options by the values that may follow: `["table json"]: [["visitors list", "--output"]]`. */
export const byChoices = (
  places: ReadonlyArray<Place>,
): ReadonlyArray<readonly [choices: string, at: ReadonlyArray<string>]> => {
  const found = new Map<string, Array<string>>()
  for (const { path, options } of places) {
    for (const { text, value } of options) {
      if (typeof value !== "object" || value === null) continue
      const choices = value.join(" ")
      found.set(choices, [...(found.get(choices) ?? []), `${path} ${text}`])
    }
  }
  return [...found]
}
