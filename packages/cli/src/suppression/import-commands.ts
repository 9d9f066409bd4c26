// `footfall suppression imports`: files that were imported in the last 7 days can be undone.

import type { FileImport, ListMeta } from "@footfall/sdk"
import { define } from "../command/define.ts"
import { addListOptions } from "../command/list-options.ts"
import { uuid } from "../command/values.ts"
import { SLOW_TIMEOUT_MS } from "../connection/connect.ts"
import { usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, plainText } from "../terminal/terminal.ts"
import { counted, countText, timeAgo } from "../ui/text.ts"

const kind = "suppression-rules"
const LIST_COMMAND = "footfall suppression imports list"
const importId = uuid("an import", LIST_COMMAND)

/** Imports that are searched for the one to undo. */
const SEARCHED_MAX = 500

export const importCommands = [
  define("list", {
    description: "list the files that were imported, newest first",
    takes: (command) => addListOptions(command, "imports"),
    fields: "importId,name,added",
    examples: [LIST_COMMAND, `${LIST_COMMAND} --json`],
    run: async ({ connect, printList }) => {
      const client = await connect()
      await printList(client.fileImports.list(kind), importList)
    },
  }),

  define<{ readonly yes?: true }, [id: string]>("undo", {
    description:
      "Undo an import of the last 7 days. Rules that it added are removed, except those that someone\n" +
      "has added again since. Rules that it removed return.",
    summary: "undo an import of the last 7 days",
    takes: (command) =>
      command
        .argument("<import>", `id of the import, from: ${LIST_COMMAND}`, importId)
        .option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall suppression imports undo 6f2d8c1a-4b7e-4d3f-9a05-1c2e3f4a5b6c"],
    run: async ({ connect, options, print, terminal }, id) => {
      const client = await connect()
      const found = await importOf(client.fileImports.list(kind, { limit: 100 }), id)
      await requireConsent(terminal, { what: whatOf(found), isConfirmed: options.yes === true })
      const undone = await client.fileImports.undo(kind, id, { timeoutMs: SLOW_TIMEOUT_MS })
      await print({ importId: id, ...undone }, () =>
        lines(
          `Undid the import of ${plainText(found.name)}: removed ${counted(undone.removed, "rule")}, and ${countText(undone.added)} returned.`,
          `${counted(undone.total, "rule")} in total.`,
        ),
      )
    },
  }),
]

/** Errors: usage, for an import that does not exist or can't be undone. */
const importOf = async (imports: AsyncIterable<FileImport>, id: string): Promise<FileImport> => {
  let searched = 0
  for await (const each of imports) {
    if (each.importId === id) {
      if (each.undoableUntil !== null) return each
      const why = each.undoneAt === null ? "is older than 7 days" : "was undone before"
      throw usageError(`The import of ${plainText(each.name)} ${why}. Nothing was changed.`)
    }
    if (++searched === SEARCHED_MAX) break
  }
  throw usageError(`There is no import ${id}.`, `To list them: ${LIST_COMMAND}`)
}

const whatOf = ({ added, name, removed }: FileImport): string => {
  const gone = added === 0 ? null : `up to ${counted(added, "rule")} will be removed`
  const back = removed === 0 ? null : `up to ${countText(removed)} will return`
  const parts = [gone, back].filter((part) => part !== null).join(", and ")
  return `The import of ${plainText(name)} will be undone: ${parts}.`
}

const stateOf = ({ undoableUntil, undoneAt }: FileImport): string =>
  undoneAt !== null ? "undone" : undoableUntil === null ? "" : "can be undone"

const importList = listForm<FileImport, ListMeta>({
  csvColumns: ["importId", "name", "mode", "added", "removed", "member", "appliedAt", "undoneAt"],
  nouns: ["import", "imports"],
  empty: {
    message: "No file has changed the rules yet.",
    next: "Run: footfall suppression import <file>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ importId }) => importId },
    { title: "File", cell: ({ name }) => plainText(name), widthMin: 10, widthKept: 20 },
    { title: "Added", cell: ({ added }) => countText(added), align: "right" },
    { title: "Removed", cell: ({ removed }) => countText(removed), align: "right" },
    { title: "State", cell: stateOf, dropRank: 2 },
    {
      title: "Applied",
      cell: ({ appliedAt }) => timeAgo(appliedAt, now),
      align: "right",
      dropRank: 1,
    },
  ],
})
