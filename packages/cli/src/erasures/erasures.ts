// `footfall erasures`: what erasures did. Receipts contain nothing about the people.

import type { ErasureReceipt, ListMeta } from "@footfall/sdk"
import { define } from "../command/define.ts"
import { addListOptions } from "../command/list-options.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { plainText } from "../terminal/terminal.ts"
import { timeAgo } from "../ui/text.ts"

export const erasureCommands = [
  define("list", {
    description: "list the erasures, newest first, with what they deleted",
    takes: (command) => addListOptions(command, "erasures"),
    fields: "id,requestedAt,completedAt",
    examples: ["footfall erasures list", "footfall erasures list --all --json"],
    credential: "either",
    run: async ({ connect, printList }) => {
      const client = await connect()
      await printList(client.erasures.list(), erasureList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show what one erasure deleted, and what destinations answered",
    takes: (command) => command.argument("<id>", "id of the erasure"),
    fields: "completedAt,destinations",
    examples: ["footfall erasures get c1f7b1de-3c52-4d0a-9a8e-0f4f0b7a6c11"],
    credential: "either",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()
      const receipt = await client.erasures.get(id)
      const { now } = terminal
      const text = factsText([
        ["Requested", timeAgo(receipt.requestedAt, now)],
        ["Completed", receipt.completedAt === null ? "not yet" : timeAgo(receipt.completedAt, now)],
        ["Deleted", kindsText(receipt)],
        ...receipt.destinations.map(({ name, outcome }): [string, string] => [
          plainText(name),
          outcome,
        ]),
        ["Id", receipt.id],
      ])
      return print(receipt, text)
    },
  }),
]

const kindsText = ({ kinds }: ErasureReceipt): string =>
  kinds.map(({ count, kind }) => `${kind} ${count}`).join(", ") || "nothing"

/** `2 of 3`: the destinations that have answered. */
const answeredText = ({ destinations }: ErasureReceipt): string => {
  if (destinations.length === 0) return "none"
  const answered = destinations.filter(({ outcome }) => outcome !== "pending").length
  const failed = destinations.filter(({ outcome }) => outcome === "failed").length
  return `${answered} of ${destinations.length}${failed === 0 ? "" : `, ${failed} failed`}`
}

const erasureList = listForm<ErasureReceipt, ListMeta>({
  csvColumns: ["id", "requestedAt", "completedAt"],
  nouns: ["erasure", "erasures"],
  empty: { message: "No person was erased yet.", next: "Run: footfall visitors erase <email>" },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Requested", cell: ({ requestedAt }) => timeAgo(requestedAt, now) },
    { title: "Destinations", cell: answeredText, widthMin: 6 },
    { title: "Deleted", cell: kindsText, widthMin: 10, dropRank: 1 },
  ],
})
