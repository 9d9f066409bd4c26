// `footfall link-tokens create`: creates a token for each person, for the links in an email.

import type { LinkTokenBatch, LinkTokenPerson } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { givenValues, wholeNumber } from "../command/values.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { usageError } from "../errors/cli-error.ts"
import { type OutputOptions } from "../output/output-format.ts"
import { lines } from "../terminal/terminal.ts"
import { dateAndTime } from "../ui/text.ts"

type CreateOptions = GlobalOptions & OutputOptions & { readonly expiresInDays?: number }

/** Maximum people per request (spec 5.1). */
const PEOPLE_MAX = 1_000

const DAYS_MAX = 365

/** The longest possible address (RFC 5321) and its line break. */
const LINE_LENGTH_MAX = 256

/** A token and the person as given on the command line, to merge into a mailing. */
interface TokenRow {
  readonly person: string
  readonly emailHash: string
  readonly token: string
  readonly expiresAt: string
}

export const linkTokenCommands = [
  define<CreateOptions, [words: ReadonlyArray<string>]>("create", {
    description:
      "Create a token for each person, at most 1,000 at a time. Add `?_vid=<token>` to a link to a page\n" +
      "with the pixel, and the pixel identifies the person who clicks it. The server does not store\n" +
      "tokens: they cannot be listed or revoked, and they expire.",
    summary: "create a token for each person",
    takes: (command) =>
      command
        .argument(
          "<people...>",
          "email addresses, or their SHA-256; `-` for standard input, one per line",
        )
        .addOption(
          new Option("--expires-in-days <days>", "days until they expire (default: 90)").argParser(
            wholeNumber(DAYS_MAX),
          ),
        ),
    fields: "person,token",
    examples: [
      "footfall link-tokens create jane@acme.example",
      "footfall link-tokens create jane@acme.example --json | jq -r '.data.tokens[0].token'",
      "cut -d, -f2 recipients.csv | footfall link-tokens create - --expires-in-days 30 --output csv > tokens.csv",
    ],
    creates: true,
    run: async ({ connect, creation, options, printRows, terminal }, words) => {
      const people = await givenValues(terminal, words, options, {
        max: PEOPLE_MAX,
        inputLengthMax: PEOPLE_MAX * LINE_LENGTH_MAX,
        tooMany,
      })
      const client = await connect()

      const batch = await client.linkTokens.create(
        { people: people.map(asPerson), expiresInDays: options.expiresInDays },
        creation,
      )

      const rows = rowsOf(people, batch)
      await printRows({
        data: batch,
        rows,
        csvColumns: ["person", "emailHash", "token", "expiresAt"],
        drawn: () => textOf(rows, batch),
      })
    },
  }),
]

const tooMany = () =>
  usageError("At most 1,000 people at a time.", "Split the list: split -l 1000 people.txt")

const asPerson = (text: string): LinkTokenPerson =>
  /^[0-9a-f]{64}$/i.test(text) ? { emailHash: text } : { email: text }

/** The server returns tokens in the order of the people. */
const rowsOf = (
  people: ReadonlyArray<string>,
  { expiresAt, tokens }: LinkTokenBatch,
): ReadonlyArray<TokenRow> =>
  tokens.map((token, index) => ({ person: people[index] ?? "", ...token, expiresAt }))

/** Each token is on a line of its own, however long, so that people can copy it. */
const textOf = (rows: ReadonlyArray<TokenRow>, { expiresAt }: LinkTokenBatch): string =>
  lines(
    ...rows.flatMap(({ person, token }) => [person, `  ?_vid=${token}`]),
    "",
    "Add it to the end of a link to a page with the pixel.",
    `Expires ${dateAndTime(expiresAt)}.`,
  )
