// Finds one of the user's organizations by id, slug or name.

import type { Me } from "@footfall/sdk"
import { comparable } from "../command/names.ts"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"

type Own = Me["organizations"][number]

/** Errors: `NOT_FOUND` (exit code 5); usage, if several organizations have the name. Both list the organizations. */
export const ownOrganization = (organizations: ReadonlyArray<Own>, text: string): Own => {
  const wanted = comparable(text)
  const exact = organizations.find(({ id, slug }) => id === wanted || slug === wanted)
  const named = organizations.filter(({ name }) => comparable(name) === wanted)
  const found = exact ?? named[0]
  if (found === undefined) {
    throw new CliError({
      code: "NOT_FOUND",
      message: `You have no organization called ${text}.`,
      exitCode: ExitCode.notFound,
      nextStep: `Your organizations: ${listed(organizations)}.`,
    })
  }
  if (exact !== undefined || named.length === 1) return found
  throw usageError(
    `${named.length} of your organizations are called ${text}.`,
    `Use the slug of one of them: ${listed(named)}.`,
  )
}

/** For example `Tidewater (tidewater), Kelp (kelp)`. */
const listed = (organizations: ReadonlyArray<Own>): string =>
  organizations.map(({ name, slug }) => `${name} (${slug})`).join(", ")
