/**
 * `window.footfall`: takes commands from the page, those pushed before loading first (decisions.md
 * 6.7). Where two pixels are on a page, the later one passes commands on to the earlier one too.
 *
 * Promises never to throw. Refuses to replace a `window.footfall` that is something of the page's
 * own; the pixel then works without commands.
 */
import { commands } from "./commands.ts"
import type { Command } from "./commands.ts"
import { guard } from "./guard.ts"

/** `["identify", "jane@acme.example"]`; a command takes at most two arguments. */
type Call = ArrayLike<unknown>

type Api = { [name: string]: Command } & {
  /** What was pushed before the first pixel loaded; each pixel runs it. */
  early?: Call[]
}

/** A name that is no command throws here, and the guard tells so. */
const run = guard((target: { [name: string]: Command }, call: Call) =>
  (target[call[0] as string] as Command)(call[1], call[2]),
)

export const publish = (): void => {
  // A property of `window` that no type declares: nothing, a list of calls, or an earlier pixel.
  const globals = window as unknown as { footfall?: Api }
  const before = globals.footfall || ({ early: [] } as unknown as Api)
  const early = before.early || before
  if (!Array.isArray(early)) return

  const api = { early } as Api
  for (const name in commands) {
    api[name] = (first, second) => {
      if (before[name]) run(before, [name, first, second])
      return run(commands, [name, first, second])
    }
  }
  api["push"] = function () {
    for (let index = 0; index < arguments.length; index++) run(api, arguments[index])
  }
  globals.footfall = api
  for (let index = 0; index < early.length; index++) run(commands, early[index])
}
