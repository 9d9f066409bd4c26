// The signed-in user's access token, renewed before it expires. A refresh token works once, and
// using it twice ends the session. So only one of several concurrent commands renews it, while it
// holds the configuration file's lock. The others use its result.

import { AuthenticationError, Footfall } from "@footfall/sdk"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import type { ConfigFile } from "../profiles/config-file.ts"
import {
  findProfile,
  isFresh,
  type Profile,
  type Session,
  sessionOf,
  withProfile,
  withSession,
} from "../profiles/profile.ts"
import { credentialsMissing } from "./credential.ts"

/** The file's lock is held for at most this long. Other commands wait a little longer. */
const RENEWAL_TIMEOUT_MS = 10_000

/**
 * A token valid for at least another minute, from the named profile. Errors: `SESSION_ENDED` (exit code 4), those of
 * the server and the file.
 */
export const sessionToken = async (file: ConfigFile, profileName: string): Promise<string> => {
  const session = findProfile(await file.read(ignore), profileName)?.session
  if (session !== undefined && isFresh(session, Date.now())) return session.accessToken
  return (await renewedSession(file, profileName)).accessToken
}

/**
 * Renews the session unless another command just has. With `organizationId` it always renews,
 * because the token must be for that organization.
 */
export const renewedSession = async (
  file: ConfigFile,
  profileName: string,
  organizationId?: string,
): Promise<Session> => {
  let renewed: Session | undefined
  await file.change(ignore, async (profiles) => {
    const profile = findProfile(profiles, profileName)
    const session = profile?.session
    if (profile === undefined || session === undefined) throw credentialsMissing("accessToken")
    if (organizationId === undefined && isFresh(session, Date.now())) {
      renewed = session
      return profiles
    }
    renewed = await renew(profile, session, organizationId)
    return withProfile(profiles, profileName, withSession(profile, renewed))
  })
  if (renewed === undefined) throw credentialsMissing("accessToken")
  return renewed
}

const renew = async (
  { baseUrl }: Profile,
  { email, refreshToken }: Session,
  organizationId: string | undefined,
): Promise<Session> => {
  const client = new Footfall({ baseUrl, timeoutMs: RENEWAL_TIMEOUT_MS, maxRetries: 0 })
  try {
    const tokens = await client.auth.refresh({ refreshToken, organizationId })
    return sessionOf(email, tokens, Date.now())
  } catch (error) {
    throw error instanceof AuthenticationError && organizationId === undefined
      ? sessionEnded(email)
      : error
  }
}

const sessionEnded = (email: string): CliError =>
  new CliError({
    code: "SESSION_ENDED",
    message: `The session for ${email} has expired.`,
    exitCode: ExitCode.authentication,
    nextStep: "Run: footfall login",
  })

/** The first reader has already printed the warning. */
const ignore = (): void => {}
