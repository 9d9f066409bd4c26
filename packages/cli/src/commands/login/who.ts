// Who is logged in, in a sentence.

import { Footfall, type Me } from "@footfall/sdk"
import type { LoginPlace } from "../../connection/login-place.ts"

/** Asks the server whose token it is. Errors: those of the server. */
export const meOf = ({ baseUrl }: Pick<LoginPlace, "baseUrl">, accessToken: string): Promise<Me> =>
  new Footfall({ baseUrl, accessToken }).auth.me()

/** For example `Logged in as jane@…, owner of Tidewater, in the profile demo.` */
export const loggedInSentence = (me: Me, profile: string): string =>
  `Logged in as ${me.user.email}, ${me.role} of ${me.organization.name}, in the profile ${profile}.`
