// Arguments that are an id or a name. An id costs no request; a name is looked up before the command runs. Names are
// not unique: a name that several things have is refused.

import type { Footfall } from "@footfall/sdk"
import type { Argument, Command } from "commander"
import { connect } from "../connection/connect.ts"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"

/**
 * The id of what `text` names. `before`: the arguments to its left, as ids.
 * Errors: `NOT_FOUND` (exit code 5); usage, where several have the name; those of the server.
 */
type LookUp = (client: Footfall, text: string, before: ReadonlyArray<string>) => Promise<string>

type Parser = (text: string) => string

const lookUps = new WeakMap<object, LookUp>()

/** An id is a uuid in lower case (spec 1.5). */
const asId = (text: string): string | undefined => {
  const id = text.trim().toLowerCase()
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : undefined
}

/** A parser that keeps names. `check` refuses what is neither. Errors: those of `check`. */
export const reference = (lookUp: LookUp, check: Parser = (text) => text): Parser => {
  const parse: Parser = (text) => asId(text) ?? check(text)
  lookUps.set(parse, lookUp)
  return parse
}

/** Replaces the names among the arguments with ids. Sends no request where there is no name. */
export const resolveReferences = async (terminal: Terminal, command: Command): Promise<void> => {
  const given: Array<string> = command.processedArgs
  let client: Footfall | undefined
  for (const [at, argument] of command.registeredArguments.entries()) {
    const text = given[at]
    const lookUp = lookUpOf(argument)
    if (lookUp === undefined || text === undefined || asId(text) !== undefined) continue
    client ??= await connect(terminal, command, "either")
    given[at] = await lookUp(client, text, given.slice(0, at))
  }
}

const lookUpOf = ({ parseArg }: Argument): LookUp | undefined =>
  parseArg === undefined ? undefined : lookUps.get(parseArg)

/** The one of a name. `noun`: like `audience`; `listCommand`: what lists them. Errors: as `LookUp`. */
export const idOfName = (
  things: ReadonlyArray<{ readonly id: string; readonly name: string }>,
  text: string,
  { listCommand, noun }: { readonly noun: string; readonly listCommand: string },
): string => {
  const named = things.filter(({ name }) => comparable(name) === comparable(text))
  const [thing] = named
  if (thing === undefined) {
    throw new CliError({
      code: "NOT_FOUND",
      message: `No ${noun} found with the name ${text}.`,
      exitCode: ExitCode.notFound,
      nextStep: `To list them: ${listCommand}`,
    })
  }
  if (named.length === 1) return thing.id
  const ids = named.map(({ id }) => id).join(", ")
  throw usageError(
    `${named.length} ${noun}s have the name ${text}.`,
    `Use the id of one of them: ${ids}.`,
  )
}

/** Spaces and case tell no two names apart. */
const comparable = (name: string): string => name.trim().replace(/\s+/g, " ").toLowerCase()
