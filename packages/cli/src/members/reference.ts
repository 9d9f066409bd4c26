// How the command line identifies a member: by email address or user id, and the organization.

import { ConfigurationError, type Footfall, type Member, type Role } from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"
import { organizationId } from "../command/ids.ts"
import { CliError, ExitCode } from "../errors/cli-error.ts"

/** As commander passes it. */
export interface OrganizationOption {
  readonly organization?: string
}

/** `--organization`, for an organization other than the session's. */
export const organizationOption = (): Option =>
  new Option(
    "--organization <organization>",
    "another organization: its slug, name or id",
  ).argParser(organizationId)

/** The named organization, or the session's. */
export const organizationIdOf = async (
  client: Footfall,
  { organization }: OrganizationOption,
): Promise<string> => organization ?? (await client.auth.me()).organization.id

/** Looks for a member by address. Errors: those of `look`; that an API key can't do it. */
export const withSession = async <A>(look: () => Promise<A>): Promise<A> => {
  try {
    return await look()
  } catch (error) {
    const isMissing = error instanceof ConfigurationError && error.code === "CREDENTIALS_MISSING"
    if (!isMissing) throw error
    throw new CliError({
      code: "CREDENTIALS_MISSING",
      message: "Only someone who is signed in can name a member by email address.",
      exitCode: ExitCode.authentication,
      nextStep: "Run: footfall login, or use the user id of the member.",
    })
  }
}

/** The member with this email address or user id. Errors: `NOT_FOUND` (exit code 5); those of the server. */
export const memberOf = async (
  client: Footfall,
  organizationId: string,
  reference: string,
): Promise<Member> => {
  const wanted = reference.trim().toLowerCase()
  for await (const member of client.members.list(organizationId, { limit: 100 })) {
    if (member.email.toLowerCase() === wanted || member.userId === wanted) return member
  }
  throw new CliError({
    code: "NOT_FOUND",
    message: `No member found for ${reference}.`,
    exitCode: ExitCode.notFound,
    nextStep: "Run: footfall members list",
  })
}

/** Source: spec 2.21. */
const roles = ["owner", "admin", "member", "viewer"] satisfies ReadonlyArray<Role>

/** Parses a role. Errors: InvalidArgumentError. */
export const role = (text: string): Role => {
  const found = roles.find((one) => one === text)
  if (found !== undefined) return found
  throw new InvalidArgumentError(`Expected one of ${roles.join(", ")}.`)
}
