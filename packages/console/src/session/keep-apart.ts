// What was read as one user or in one organization is dropped before another is shown. What failed while a session had
// ended is read again once its user is back.
import type { QueryClient } from "@tanstack/react-query"
import { dismissAll } from "../ui/notices.tsx"
import { isSameIdentity } from "./identity.ts"
import { session } from "./session.ts"

/** Call it before anything is drawn, so that it hears of a change first. */
export const keepApart = (client: QueryClient): void => {
  let [identity, state] = [session.identity(), session.state()]
  session.subscribe(() => {
    const before = { identity, state }
    identity = session.identity()
    state = session.state()
    if (before.identity !== undefined && !isSameIdentity(before.identity, identity)) {
      client.clear()
      // A change that is undone there would be undone as someone else.
      dismissAll()
    } else if (before.state === "expired" && state === "signedIn") void client.invalidateQueries()
  })
}
