// Arguments and options that are an id or a name. An id costs no request; a name is looked up before the command runs.

import type { Footfall } from "@footfall/sdk"
import type { Argument, Command, Option } from "commander"

/**
 * Returns the id for a name. `before`: the ids of the arguments to its left. Errors: `NOT_FOUND`
 * (exit code 5); usage, for an ambiguous name; those of the server.
 */
type Lookup = (client: Footfall, text: string, before: ReadonlyArray<string>) => Promise<string>

/** Reads an argument or option. */
export type Parser = (text: string) => string

const lookups = new WeakMap<object, Lookup>()

/** Ids are lower-case UUIDs (spec 1.5). */
export const asId = (text: string): string | undefined => {
  const id = text.trim().toLowerCase()
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : undefined
}

/**
 * A parser that keeps names to look up later. `check` rejects text that is neither an id nor a name. Errors: those of
 * `check`.
 */
export const reference = (lookup: Lookup, check: Parser = (text) => text): Parser => {
  const parse: Parser = (text) => asId(text) ?? check(text)
  lookups.set(parse, lookup)
  return parse
}

/** Replaces names in the arguments and options with ids. Connects only if there is a name. */
export const resolveReferences = async (
  command: Command,
  connect: () => Promise<Footfall>,
): Promise<void> => {
  const texts: Array<string> = command.processedArgs
  const resolved = async (
    of: Argument | Option,
    text: unknown,
    before: ReadonlyArray<string>,
  ): Promise<string | undefined> => {
    const lookup = of.parseArg === undefined ? undefined : lookups.get(of.parseArg)
    if (lookup === undefined || typeof text !== "string" || asId(text) !== undefined) return
    return lookup(await connect(), text, before)
  }
  for (const [at, argument] of command.registeredArguments.entries()) {
    const id = await resolved(argument, texts[at], texts.slice(0, at))
    if (id !== undefined) texts[at] = id
  }
  for (const option of command.options) {
    const name = option.attributeName()
    const id = await resolved(option, command.getOptionValue(name), texts)
    if (id !== undefined) command.setOptionValue(name, id)
  }
}
