// Hooks for the session and the signed-in user.
import { useSuspenseQuery } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import type { Identity } from "./identity.ts"
import { footfall, session, type SessionState } from "./session.ts"

export const useSessionState = (): SessionState =>
  useSyncExternalStore(session.subscribe, session.state)

/** Returns the same object while user and organization stay the same. */
export const useIdentity = (): Identity | undefined =>
  useSyncExternalStore(session.subscribe, session.identity)

export const meQuery = { queryKey: ["me"], queryFn: () => footfall.auth.me(), staleTime: 60_000 }

/** The user, the organization, and the user's permissions. */
export const useMe = () => {
  const { data } = useSuspenseQuery(meQuery)
  return {
    ...data,
    /** Everyone except viewers. */
    canWrite: data.role !== "viewer",
    canManage: data.role === "admin" || data.role === "owner",
    isOwner: data.role === "owner",
  }
}
