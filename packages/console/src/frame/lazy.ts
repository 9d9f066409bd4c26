// The part of a screen, loaded when it is opened. While the server is away the router would load the whole page again, and
// so lose it: the part is waited for instead.
import { lazyRouteComponent as routerPart } from "@tanstack/react-router"
import type { ComponentType } from "react"
import { session } from "../session/session.ts"

/** Between two looks whether the server is back. */
const lookMs = 3_000

export const lazyRouteComponent = (
  load: () => Promise<{ readonly default: ComponentType }>,
): ReturnType<typeof routerPart> => routerPart(() => load().catch(() => waitForServer().then(load)))

const waitForServer = async (): Promise<void> => {
  while (!(await session.isServerThere())) {
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}
