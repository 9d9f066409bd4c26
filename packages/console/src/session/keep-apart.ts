// Drops cached data when the user or organization changes. When the same user signs in again after the session expired,
// all queries run again.
import type { QueryClient } from "@tanstack/react-query"
import { dismissAll } from "../ui/notices.tsx"
import { isSameIdentity } from "./identity.ts"
import { session } from "./session.ts"

/** Call it before rendering, so that it sees each change first. */
export const keepApart = (client: QueryClient): void => {
  let [identity, state] = [session.identity(), session.state()]
  session.subscribe(() => {
    const before = { identity, state }
    identity = session.identity()
    state = session.state()
    if (before.identity !== undefined && !isSameIdentity(before.identity, identity)) {
      client.clear()
      // Undoing from an old notice would act as the new user.
      dismissAll()
    } else if (before.state === "expired" && state === "signedIn") void client.invalidateQueries()
  })
}
