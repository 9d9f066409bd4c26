// The session and the signed-in user, as components read them.
import { useSuspenseQuery } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import type { Identity } from "./identity.ts"
import { footfall, session, type SessionState } from "./session.ts"

export const useSessionState = (): SessionState =>
  useSyncExternalStore(session.subscribe, session.state)

/** The same object as long as the page is of one user in one organization. */
export const useIdentity = (): Identity | undefined =>
  useSyncExternalStore(session.subscribe, session.identity)

export const meQuery = { queryKey: ["me"], queryFn: () => footfall.auth.me(), staleTime: 60_000 }

/** The user, the organization and what the user may do in it. */
export const useMe = () => {
  const { data } = useSuspenseQuery(meQuery)
  return {
    ...data,
    /** Everyone but a viewer. */
    canWrite: data.role !== "viewer",
    canManage: data.role === "admin" || data.role === "owner",
    isOwner: data.role === "owner",
  }
}
