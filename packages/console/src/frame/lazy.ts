// Loads the code of a screen when it opens. If the server is down, the router would reload the whole page and lose it,
// so this waits for the server instead.
import { lazyRouteComponent as routerPart } from "@tanstack/react-router"
import type { ComponentType } from "react"
import { session } from "../session/session.ts"

/** How often to check whether the server is back. */
const lookMs = 3_000

export const lazyRouteComponent = (
  load: () => Promise<{ readonly default: ComponentType }>,
): ReturnType<typeof routerPart> => routerPart(() => load().catch(() => waitForServer().then(load)))

const waitForServer = async (): Promise<void> => {
  while (!(await session.isServerThere())) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}
