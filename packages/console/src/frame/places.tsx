// The screens, in the order of the rail.
import { useMe } from "../session/use-session.ts"
import type { IconName } from "../ui/icon.tsx"

export interface Place {
  readonly to: string
  readonly name: string
  /** Pressed after `g`. */
  readonly key: string
  readonly icon: IconName
  /** Places of a group stand together. */
  readonly group: number
  /** Hidden from viewers, who can't read it. */
  readonly isForMembers?: boolean
}

const allPlaces: ReadonlyArray<Place> = [
  { to: "/overview", name: "Overview", key: "o", icon: "overview", group: 0 },
  { to: "/people", name: "People", key: "p", icon: "people", group: 0 },
  { to: "/companies", name: "Companies", key: "c", icon: "companies", group: 0 },
  { to: "/topics", name: "Topics", key: "t", icon: "topics", group: 0 },
  { to: "/webhooks", name: "Alerts", key: "w", icon: "bell", group: 1, isForMembers: true },
  { to: "/audiences", name: "Audiences", key: "a", icon: "audiences", group: 1 },
  { to: "/lists", name: "Lists", key: "l", icon: "lists", group: 2 },
  { to: "/suppression", name: "Suppression", key: "u", icon: "suppress", group: 2 },
  { to: "/pixels", name: "Sites", key: "x", icon: "sites", group: 2 },
  { to: "/settings", name: "Settings", key: ",", icon: "settings", group: 2 },
  { to: "/start", name: "Getting started", key: "s", icon: "check", group: 3 },
]

/** The screens this user can read. */
export const usePlaces = (): ReadonlyArray<Place> => {
  const { canWrite } = useMe()
  return allPlaces.filter(({ isForMembers = false }) => canWrite || !isForMembers)
}
