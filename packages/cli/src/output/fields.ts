// The fields that `--fields` selects: paths like `id` or `company.name`. Pure.

import { usageError } from "../errors/cli-error.ts"

/** Paths, in the requested order. */
export type Fields = ReadonlyArray<string>

/** Splits the option's value. Errors: usage, for an empty path. */
export const fieldsGiven = (text: string): Fields => {
  const fields = [...new Set(text.split(",").map((path) => path.trim()))]
  if (fields.every((path) => /^[^.]+(\.[^.]+)*$/.test(path))) return fields
  throw usageError(`--fields ${text} has an empty field name.`, "For example: --fields id,name")
}
