// What a command that changed the profiles prints: a sentence for people, the profile for programs.

import type { GlobalOptions } from "../../connection/global-options.ts"
import { jsonDocument } from "../../output/json.ts"
import { outputFormat } from "../../output/output-format.ts"
import { profileRow } from "../../profiles/profile-row.ts"
import { requireProfile, type Profiles } from "../../profiles/profile.ts"
import { writeOut, type Terminal } from "../../terminal/terminal.ts"

/** The profile `name` of `profiles`, which must be there. Never prints its key. */
export const printProfile = async (
  terminal: Terminal,
  options: GlobalOptions,
  result: { readonly profiles: Profiles; readonly name: string; readonly sentence: string },
): Promise<void> => {
  const { profiles, name, sentence } = result
  if (outputFormat(options, terminal) === "table") return writeOut(terminal, `${sentence}\n`)
  const row = profileRow(profiles, name, requireProfile(profiles, name))
  return writeOut(terminal, jsonDocument({ data: row }))
}
