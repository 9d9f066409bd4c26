/**
 * What the function of the npm package returns: the build writes this bundle into its body, so all of
 * it runs, with a state of its own, at each call. See `index.ts` and `tsup.config.ts`.
 */
import type { Command } from "./commands.ts"
import { guard } from "./guard.ts"
import type { Footfall } from "./index.ts"
import { start } from "./start.ts"

/** None on a server, and none where the options were wrong: calls then do nothing. */
const running = typeof window === "undefined" ? undefined : start()

const run = guard((name: string, values: readonly unknown[]) =>
  running ? (running[name] as Command)(values[0], values[1]) : undefined,
)
const command =
  (name: keyof Footfall) =>
  (...values: readonly unknown[]): void =>
    void run(name, values)

export const api: Footfall = {
  page: command("page"),
  identify: command("identify"),
  track: command("track"),
  consent: command("consent"),
  optOut: command("optOut"),
  optIn: command("optIn"),
  reset: command("reset"),
  ready: command("ready"),
  // The command answers with an id or null.
  getVisitorId: () => (run("getVisitorId", []) as string | null | undefined) ?? null,
}
