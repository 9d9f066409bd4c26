// `footfall pixels shared-user-ids`: user ids that strangers share, which no longer join browsers.

import type { SharedUserId } from "@footfall/sdk"
import { define } from "../command/define.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { named } from "../command/names.ts"
import { listForm } from "../output/print-list.ts"
import { lines } from "../terminal/terminal.ts"
import { timeAgo } from "../ui/text.ts"
import { pixelIdOf } from "./pixel-id.ts"

/** Parses the id of a shared user id, or the text that the site sends. The pixel is the argument before it. */
const sharedId = named(
  "shared user id",
  "footfall pixels shared-user-ids list <pixel>",
  async (client, [pixel = ""]) => {
    const shared = await client.pixels.sharedUserIds.list(await pixelIdOf(client, pixel))
    return shared.map(({ id, userId }) => ({ id, name: userId ?? id }))
  },
)

export const sharedUserIdCommands = [
  define<ListOptions, [reference: string]>("list", {
    description: "list the user ids that strangers share",
    takes: (command) =>
      addWholeListOptions(
        command.argument("<pixel>", "id or domain of the pixel"),
        "shared user ids",
      ),
    fields: "id,userId,sharedAt",
    examples: ["footfall pixels shared-user-ids list example.com"],
    run: async ({ connect, printWhole }, reference) => {
      const client = await connect()
      const pixelId = await pixelIdOf(client, reference)
      await printWhole(await client.pixels.sharedUserIds.list(pixelId), sharedUserIdList)
    },
  }),

  define<object, [reference: string, id: string]>("release", {
    description: "let a user id join browsers again",
    takes: (command) =>
      command
        .argument("<pixel>", "id or domain of the pixel")
        .argument("<user-id>", "the user id, or its id in the list", sharedId),
    examples: ["footfall pixels shared-user-ids release example.com demo-account"],
    run: async ({ command, connect, print }, reference, id) => {
      const client = await connect()
      const pixelId = await pixelIdOf(client, reference)
      const [, given = id] = command.args

      const released = await client.pixels.sharedUserIds.release(pixelId, id)

      await print({ id, ...released }, () =>
        lines(
          `Released user id ${given}. It joins browsers again.`,
          "If the site still sends it for strangers, the server will find it again.",
        ),
      )
    },
  }),
]

const sharedUserIdList = listForm<SharedUserId>({
  csvColumns: ["id", "userId", "sharedAt"],
  nouns: ["shared user id", "shared user ids"],
  empty: { message: "Strangers share no user id on this site." },
  columns: ({ now }) => [
    { title: "User id", cell: ({ userId }) => userId ?? "(an email address)", widthMin: 8 },
    { title: "Id", cell: ({ id }) => id },
    { title: "Found", cell: ({ sharedAt }) => timeAgo(sharedAt, now), align: "right" },
  ],
})
