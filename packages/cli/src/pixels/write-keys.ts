// `footfall pixels write-keys`: the keys that send events to a pixel. A key is shown once, when it is created.

import type { WriteKey, WriteKeyKind } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { named } from "../command/names.ts"
import { wholeNumber } from "../command/values.ts"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines } from "../terminal/terminal.ts"
import { timeAgo } from "../ui/text.ts"
import { pixelIdOf } from "./pixel-id.ts"

/** Parses the id or name of an active write key. The pixel is the argument before it. */
const keyId = named(
  "write key",
  "footfall pixels write-keys list <pixel>",
  async (client, [pixel = ""]) => {
    const keys = await client.pixels.writeKeys.list(await pixelIdOf(client, pixel))
    return keys.filter(({ revokedAt }) => revokedAt === null)
  },
)

export const writeKeyCommands = [
  define<ListOptions, [reference: string]>("list", {
    description: "list the write keys of a pixel",
    takes: (command) =>
      addWholeListOptions(command.argument("<pixel>", "id or domain of the pixel"), "write keys"),
    fields: "id,name,kind",
    examples: ["footfall pixels write-keys list example.com"],
    run: async ({ connect, printWhole }, reference) => {
      const client = await connect()
      const pixelId = await pixelIdOf(client, reference)
      await printWhole(await client.pixels.writeKeys.list(pixelId), writeKeyList)
    },
  }),

  define<object, [reference: string, keyId: string]>("get", {
    description: "show one write key, without its secret",
    takes: (command) =>
      command
        .argument("<pixel>", "id or domain of the pixel")
        .argument("<id>", "id or name of the write key", keyId),
    fields: "name,kind,lastUsedAt",
    examples: ["footfall pixels write-keys get example.com Checkout"],
    run: async ({ connect, print, terminal }, reference, id) => {
      const client = await connect()
      const pixelId = await pixelIdOf(client, reference)
      const keys = await client.pixels.writeKeys.list(pixelId)
      const key = keys.find((one) => one.id === id)
      if (key === undefined) {
        throw new CliError({
          code: "NOT_FOUND",
          message: `Write key not found: ${id}`,
          exitCode: ExitCode.notFound,
          nextStep: `Run: footfall pixels write-keys list ${reference}`,
        })
      }
      const { now } = terminal
      await print(
        key,
        factsText([
          ["Name", key.name],
          ["Kind", key.kind],
          ["Key", `wk_…${key.last4}`],
          ["State", stateOf(key, now)],
          ["Last used", key.lastUsedAt === null ? "never" : timeAgo(key.lastUsedAt, now)],
          ["Created", timeAgo(key.createdAt, now)],
          ["Id", key.id],
        ]),
      )
    },
  }),

  define<{ readonly kind?: WriteKeyKind }, [reference: string, name: string]>("create", {
    description: "create a write key; it is shown once",
    takes: (command) =>
      command
        .argument("<pixel>", "id or domain of the pixel")
        .argument("<name>", "what the key is for")
        .addOption(
          new Option(
            "--kind <kind>",
            "where it is used; a browser key may be public (default: server)",
          ).choices(["server", "browser"]),
        ),
    examples: [
      "footfall pixels write-keys create example.com Checkout",
      "footfall pixels write-keys create example.com Site --kind browser",
      "footfall pixels write-keys create example.com ci --json | jq -r .data.writeKey",
    ],
    creates: true,
    run: async ({ connect, creation, options, print }, reference, name) => {
      const client = await connect()
      const pixelId = await pixelIdOf(client, reference)

      const created = await client.pixels.writeKeys.create(
        pixelId,
        { name, kind: options.kind },
        creation,
      )

      await print(created, () =>
        lines(
          `Created ${created.key.kind} write key ${created.key.name}. It is shown only once:`,
          "",
          `  ${created.writeKey}`,
          "",
          created.key.kind === "server"
            ? "Anyone who has it can send events for any visitor. Keep it secret."
            : "It may be public: it only works on pages of the pixel's own site.",
        ),
      )
    },
  }),

  define<{ readonly graceHours?: number; readonly yes?: true }, [reference: string, keyId: string]>(
    "delete",
    {
      description: "revoke a write key, immediately or after some hours",
      takes: (command) =>
        command
          .argument("<pixel>", "id or domain of the pixel")
          .argument("<id>", "id or name of the write key", keyId)
          .addOption(
            new Option(
              "--grace-hours <hours>",
              "hours the key keeps working, 0 to 72 (default: 0)",
            ).argParser(wholeNumber(72, 0)),
          )
          .option("-y, --yes", "do not ask for confirmation"),
      examples: [
        "footfall pixels write-keys delete example.com Checkout",
        "footfall pixels write-keys delete example.com Checkout --grace-hours 24",
      ],
      run: async ({ command, connect, options, print, terminal }, reference, id) => {
        const client = await connect()
        const hours = options.graceHours ?? 0
        const when = hours === 0 ? "now" : `in ${hours} ${hours === 1 ? "hour" : "hours"}`
        const [, given = id] = command.args
        const label = given.toLowerCase() === id ? id : `${given} (${id})`
        await requireConsent(terminal, {
          what: `The write key ${label} will stop working ${when}.`,
          isConfirmed: options.yes === true,
        })
        const pixelId = await pixelIdOf(client, reference)

        const revoked = await client.pixels.writeKeys.revoke(pixelId, id, { graceHours: hours })

        await print({ id, ...revoked }, () =>
          lines(`Revoked write key ${label}. It stops working ${when}.`),
        )
      },
    },
  ),
]

const stateOf = ({ expiresAt }: WriteKey, now: Date): string => {
  if (expiresAt === null) return "active"
  return Date.parse(expiresAt) <= now.getTime() ? "revoked" : `until ${expiresAt.slice(0, 16)}Z`
}

const writeKeyList = listForm<WriteKey>({
  csvColumns: ["id", "name", "kind", "last4", "createdAt", "lastUsedAt", "expiresAt", "revokedAt"],
  nouns: ["write key", "write keys"],
  empty: {
    message: "This pixel has no write keys.",
    next: "Run: footfall pixels write-keys create <pixel> <name>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 16 },
    { title: "Kind", cell: ({ kind }) => kind },
    { title: "Key", cell: ({ last4 }) => `wk_…${last4}`, dropRank: 1 },
    { title: "State", cell: (key) => stateOf(key, now), widthMin: 8 },
    {
      title: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : timeAgo(lastUsedAt, now)),
      align: "right",
    },
  ],
  isDim: ({ expiresAt }) => expiresAt !== null,
})
