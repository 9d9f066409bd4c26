// The organization of a profile's API key. Once the user works in another organization, the key is kept but not used.

import { AuthenticationError, Footfall } from "@footfall/sdk"
import { waitHooks } from "../connection/connect.ts"
import type { ConfigFile } from "../profiles/config-file.ts"
import {
  findProfile,
  type KeyOrganization,
  withKeyOrganization,
  withProfile,
} from "../profiles/profile.ts"
import type { Terminal } from "../terminal/terminal.ts"

/** Undefined if the profile has no key, or the server no longer accepts it. Errors: others of the server. */
export const keyOwner = async (
  terminal: Terminal,
  file: ConfigFile,
  profileName: string,
): Promise<KeyOrganization | undefined> => {
  const profile = findProfile(await file.read(() => {}), profileName)
  if (profile?.apiKey === undefined) return undefined
  const { apiKey, baseUrl } = profile
  try {
    return await ownerOf(new Footfall({ baseUrl, apiKey, hooks: waitHooks(terminal) }))
  } catch (error) {
    if (error instanceof AuthenticationError) return undefined
    throw error
  }
}

/** The organization of a client with a key. Errors: those of the server. */
export const ownerOf = async (client: Footfall): Promise<KeyOrganization> => {
  const { organization } = await client.account.get()
  return { id: organization.id, name: organization.name }
}

/** Saves whose key it is if another organization is in use. Returns the owner then. */
export const keepKeyOrganization = async (
  file: ConfigFile,
  profileName: string,
  organizationId: string,
  owner: KeyOrganization | undefined,
): Promise<KeyOrganization | undefined> => {
  const other = owner === undefined || owner.id === organizationId ? undefined : owner
  await file.change(
    () => {},
    (profiles) => {
      const profile = findProfile(profiles, profileName)
      if (profile === undefined) return profiles
      return withProfile(profiles, profileName, withKeyOrganization(profile, other))
    },
  )
  return other
}
