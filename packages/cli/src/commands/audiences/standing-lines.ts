// What follows from the status of an audience that was just saved or activated, and what to do next.

import type { Audience } from "@footfall/sdk"

/** Nothing for a paused one: it was not what the command made of it. */
export const standingLines = ({ accessType, id, status }: Audience): ReadonlyArray<string> => {
  if (status === "draft") {
    return [`It is a draft and finds nobody yet. Run: footfall audiences activate ${id}`]
  }
  if (status === "paused") return []
  return [
    accessType === "one_shot"
      ? "No slot is free: it may run once, and is paused after that run."
      : "It runs by itself for every new day of data.",
    `Its first run: footfall runs start ${id}`,
  ]
}
