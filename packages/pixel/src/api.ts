/**
 * `window.footfall` takes commands from the page and first runs those pushed before the script loaded (spec 6.7). The
 * command list gets the commands as methods. With two pixels on a page, the later one's commands also call those of the
 * earlier one.
 *
 * Never throws. If `window.footfall` belongs to the page, the pixel leaves it alone and works without commands.
 */
import { commands } from "./commands.ts"
import type { Command } from "./commands.ts"
import { guard } from "./guard.ts"
import { openVisitor } from "./visitor.ts"

/** `["identify", "jane@acme.example"]`; a command takes at most two arguments. */
type Call = ArrayLike<unknown>

type Api = ArrayLike<Call> & { [name: string]: Command }

/** Nothing, a list of calls, or the API of an earlier pixel. */
declare const window: { footfall?: Api }

/** A malformed call or an unknown command throws here, and the guard reports it. */
const runAll = (target: { [name: string]: Command }, calls: ArrayLike<Call>) => {
  const run = guard((call: Call) => {
    openVisitor()
    // own keys: the page calls what it loaded itself.
    return (target[call[0] as string] as Command)(call[1], call[2])
  })
  for (const index in calls) run(calls[index])
}

export const publish = (): void => {
  const api = (window.footfall = window.footfall || ([] as unknown as Api))
  if (api["push"]) {
    runAll(commands, api)
    for (const name in commands) {
      // own keys: the names of our commands.
      const before = api[name] as Command | undefined
      // own keys: likewise.
      api[name] = guard((first, second) => {
        if (before) before(first, second)
        openVisitor()
        return (commands[name] as Command)(first, second) // own keys: likewise.
      })
    }
    api["push"] = (...calls) => runAll(api, calls as Call[])
  }
}
