// Parsers of names. Names are not unique: a name that several things have is refused.

import type { Footfall } from "@footfall/sdk"
import { CliError, ExitCode, usageError } from "../errors/cli-error.ts"
import { comparable } from "./comparable.ts"
import { type Parser, reference } from "./reference.ts"

/** Things with a name, whole or page by page. */
type Things = AsyncIterable<Thing> | PromiseLike<Iterable<Thing>>

interface Thing {
  readonly id: string
  readonly name: string
}

/** A parser of ids and names of what `list` gives. `before`: the arguments to its left, as ids. */
export const named = (
  noun: string,
  listCommand: string,
  list: (client: Footfall, before: ReadonlyArray<string>) => Things,
): Parser =>
  reference(async (client, text, before) => {
    const things = []
    const listed = list(client, before)
    // A list that comes page by page could be awaited too, which would give its first page.
    for await (const thing of Symbol.asyncIterator in listed ? listed : await listed) {
      things.push(thing)
    }
    return idOfName(things, text, {
      noun,
      listCommand: listCommand.replace(/<.+>/, (blank) => before.at(-1) ?? blank),
    })
  })

/** The one of a name. `noun`: like `audience`; `listCommand`: what lists them. Errors: as `LookUp`. */
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
    `${named.size} ${noun}s have the name ${text}.`,
    `Use the id of one of them: ${[...named].join(", ")}.`,
  )
}
