// `footfall sign-ins`: where the user is signed in. Sessions are something else: visits to a site.

import type { UserSession } from "@footfall/sdk"
import { define } from "../command/define.ts"
import { defineDelete } from "../command/define-delete.ts"
import { addWholeListOptions, type ListOptions } from "../command/list-options.ts"
import { uuid } from "../command/values.ts"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { factsText } from "../output/print-result.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines } from "../terminal/terminal.ts"
import { counted, timeAgo } from "../ui/text.ts"

/** For examples in help texts. */
const EXAMPLE = "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0d9e"

const signInId = uuid("a sign-in", "footfall sign-ins list")

export const signIns = [
  define<ListOptions>("list", {
    description: "list where you are signed in, last used first",
    takes: (command) => addWholeListOptions(command, "sign-ins"),
    fields: "id,userAgent,lastUsedAt",
    examples: ["footfall sign-ins list"],
    credential: "accessToken",
    run: async ({ connect, printWhole }) => {
      const client = await connect()
      await printWhole(await client.auth.listSessions(), signInList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one sign-in",
    takes: (command) => command.argument("<id>", "id of the sign-in", signInId),
    fields: "userAgent,lastUsedAt",
    examples: [`footfall sign-ins get ${EXAMPLE}`],
    credential: "accessToken",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()
      const found = (await client.auth.listSessions()).find((one) => one.id === id)
      if (found === undefined) {
        throw new CliError({
          code: "NOT_FOUND",
          message: `Sign-in not found: ${id}`,
          exitCode: ExitCode.notFound,
          nextStep: "Run: footfall sign-ins list",
        })
      }
      const { now } = terminal
      await print(
        found,
        factsText([
          ["Where", whereOf(found)],
          ["Client", found.userAgent ?? "unknown"],
          ["Last used", timeAgo(found.lastUsedAt, now)],
          ["Signed in", timeAgo(found.createdAt, now)],
          ["Id", found.id],
        ]),
      )
    },
  }),

  defineDelete({
    description: "end a sign-in; its access ends within an hour",
    id: ["id of the sign-in", signInId],
    example: `footfall sign-ins delete ${EXAMPLE}`,
    credential: "accessToken",
    warning: (id) => `The sign-in ${id} will end.`,
    run: ({ auth }, id) => auth.deleteSession(id),
    done: (id) => `Ended the sign-in ${id}.`,
  }),

  define<{ readonly yes?: true }>("end-others", {
    description: "sign out everywhere except here",
    takes: (command) => command.option("-y, --yes", "do not ask for confirmation"),
    examples: ["footfall sign-ins end-others"],
    credential: "accessToken",
    run: async ({ connect, options, print, terminal }) => {
      const client = await connect()
      await requireConsent(terminal, {
        what: "All your other sign-ins will end.",
        isConfirmed: options.yes === true,
      })
      const ended = await client.auth.endOtherSessions()
      await print(ended, () => lines(`Ended ${counted(ended.ended, "sign-in", "sign-ins")}.`))
    },
  }),
]

const whereOf = ({ isConsole, isCurrent }: UserSession): string =>
  `${isConsole ? "console" : "terminal or program"}${isCurrent ? ", this one" : ""}`

export const signInList = listForm<UserSession>({
  csvColumns: ["id", "isCurrent", "isConsole", "userAgent", "createdAt", "lastUsedAt", "expiresAt"],
  nouns: ["sign-in", "sign-ins"],
  empty: { message: "You have no active sign-ins." },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Where", cell: whereOf, dropRank: 1 },
    {
      title: "Client",
      cell: ({ userAgent }) => userAgent ?? "",
      widthMin: 8,
      widthKept: 12,
      dropRank: 2,
    },
    { title: "Last used", cell: ({ lastUsedAt }) => timeAgo(lastUsedAt, now), align: "right" },
  ],
})
