// Parsers of names. Names are not unique: a name that several things have is rejected.

import type { Footfall } from "@footfall/sdk"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { type Parser, reference } from "./reference.ts"

/** Things with a name, as a whole or page by page. */
type Things = AsyncIterable<Thing> | PromiseLike<Iterable<Thing>>

interface Thing {
  readonly id: string
  readonly name: string
}

/** Parses ids and names of what `list` returns. `before`: the ids of the arguments to its left. */
export const named = (
  noun: string,
  listCommand: string,
  list: (client: Footfall, before: ReadonlyArray<string>) => Things,
): Parser =>
  reference(async (client, text, before) => {
    const things = []
    const listed = list(client, before)
    // A paged list could also be awaited, which would only return its first page.
    for await (const thing of Symbol.asyncIterator in listed ? listed : await listed) {
      things.push(thing)
    }
    return idOfName(things, text, {
      noun,
      listCommand: listCommand.replace(/<[^<>]+>/, (blank) => before.at(-1) ?? blank),
    })
  })

/**
 * The id of the only thing with this name. `noun`: for example `audience`; `listCommand`: lists them. Errors: as for
 * `Lookup`.
 */
export const idOfName = (
  things: ReadonlyArray<Thing>,
  text: string,
  { listCommand, noun }: { readonly noun: string; readonly listCommand: string },
): string => {
  const named = new Set(
    things.filter(({ name }) => comparable(name) === comparable(text)).map(({ id }) => id),
  )
  const [found] = named
  if (found === undefined) {
    throw new CliError({
      code: "NOT_FOUND",
      message: `No ${noun} found with the name ${text}.`,
      exitCode: ExitCode.notFound,
      nextStep: `To list them: ${listCommand}`,
    })
  }
  if (named.size === 1) return found
  throw usageError(
    `${named.size} ${noun.replace(/(?= of |$)/, "s")} have the name ${text}.`,
    `Use the id of one of them: ${[...named].join(", ")}.`,
  )
}

/** Names that only differ in spaces and case are the same. */
export const comparable = (name: string): string => name.trim().replace(/\s+/g, " ").toLowerCase()
