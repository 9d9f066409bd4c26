// The screens, in the order of the rail.
import type { ReactNode } from "react"
import { useMe } from "../session/use-session.ts"

export interface Place {
  readonly to: string
  readonly name: string
  /** Pressed after `g`. */
  readonly key: string
  readonly icon: ReactNode
  /** Hidden from viewers, who can't read it. */
  readonly isForMembers?: boolean
}

const icon = (path: string) => (
  <svg
    viewBox="0 0 20 20"
    width="18"
    height="18"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
)

const allPlaces: ReadonlyArray<Place> = [
  {
    to: "/overview",
    name: "Overview",
    key: "o",
    icon: icon("M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z"),
  },
  {
    to: "/people",
    name: "People",
    key: "p",
    icon: icon(
      "M7.5 9a3 3 0 100-6 3 3 0 000 6zM2 17c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 3.4a3 3 0 010 5.2M15 12.5c1.9.7 3 2.3 3 4.5",
    ),
  },
  {
    to: "/companies",
    name: "Companies",
    key: "c",
    icon: icon("M4 17V4h7v13M11 8h5v9M2.500 17h15M6.500 7.500h2M6.500 11h2M13.500 11.500v2"),
  },
  {
    to: "/topics",
    name: "Topics",
    key: "t",
    icon: icon("M3 16l4.5-6 3.5 3.5L17 5M13 5h4v4"),
  },
  {
    to: "/audiences",
    name: "Audiences",
    key: "a",
    icon: icon(
      "M10 17.5a7.5 7.5 0 100-15 7.5 7.5 0 000 15zM10 13.5a3.500 3.500 0 100-7 3.500 3.500 0 000 7z",
    ),
  },
  {
    to: "/lists",
    name: "Lists",
    key: "l",
    icon: icon("M7 5h10M7 10h10M7 15h10M3 5h.01M3 10h.01M3 15h.01"),
  },
  {
    to: "/suppression",
    name: "Suppression",
    key: "u",
    icon: icon("M10 17.500a7.500 7.500 0 100-15 7.500 7.500 0 000 15zM4.700 4.700l10.600 10.600"),
  },
  {
    to: "/webhooks",
    name: "Webhooks",
    key: "w",
    isForMembers: true,
    icon: icon("M3 10h11M10 5l5 5-5 5M17 4v12"),
  },
  { to: "/pixels", name: "Pixels", key: "x", icon: icon("M3 4h14v9H3zM7 17h6M10 13v4") },
  {
    to: "/settings",
    name: "Settings",
    key: ",",
    icon: icon("M4 5h7M15 5h1M4 10h1M9 10h7M4 15h7M15 15h1M13 3.500v3M7 8.500v3M13 13.500v3"),
  },
  { to: "/start", name: "Getting started", key: "s", icon: icon("M4 10l4 4 8-9") },
]

/** The screens this user can read. */
export const usePlaces = (): ReadonlyArray<Place> => {
  const { canWrite } = useMe()
  return allPlaces.filter(({ isForMembers = false }) => canWrite || !isForMembers)
}
