// `footfall link-tokens create`: a token for each person, to go into the links of a mail.

import type { LinkTokenBatch, LinkTokenPerson } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { fieldsOption, outputOption, type OutputOptions } from "../../output/output-format.ts"
import { printRows } from "../../output/print-rows.ts"
import { dateAndTime } from "../../screens/time.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { givenValues } from "../given-values.ts"
import { wholeNumber } from "../whole-number.ts"

/** As commander hands them over. */
type CreateOptions = GlobalOptions & OutputOptions & { readonly expiresInDays?: number }

/** What one request takes (spec 5.1). */
const PEOPLE_MAX = 1_000
const DAYS_MAX = 365

/** Longest address there can be (RFC 5321), and its line break. */
const LINE_LENGTH_MAX = 256

/** Adds the command to its group. */
export const addLinkTokensCreate = (linkTokens: Command, terminal: Terminal): void => {
  linkTokens
    .command("create")
    .summary("make a token for each person")
    .description(
      "Make a token for each person, at most 1,000 at a time. Who follows a link that ends with\n" +
        "`?_vid=<token>` to a page with the pixel is known as that person. The server keeps no token:\n" +
        "there is nothing to list or to take back, and each ends by itself.",
    )
    .argument(
      "<people...>",
      "addresses, or the SHA-256 of them; `-` for standard input, one a line",
    )
    .addOption(
      new Option("--expires-in-days <days>", "how long they are good (default: 90)").argParser(
        wholeNumber(DAYS_MAX),
      ),
    )
    .addOption(outputOption())
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall link-tokens create jane@acme.example",
        "footfall link-tokens create jane@acme.example --json | jq -r '.data.tokens[0].token'",
        "cut -d, -f2 recipients.csv | footfall link-tokens create - --expires-in-days 30 --output csv > tokens.csv",
      ),
    )
    .action(async (words: ReadonlyArray<string>, _options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const people = await givenValues(terminal, words, options, {
        max: PEOPLE_MAX,
        inputLengthMax: PEOPLE_MAX * LINE_LENGTH_MAX,
        tooMany,
      })
      const client = await connect(terminal, command)

      const batch = await client.linkTokens.create({
        people: people.map(asPerson),
        expiresInDays: options.expiresInDays,
      })

      const rows = rowsOf(people, batch)
      await printRows(terminal, options, {
        data: batch,
        rows,
        csvColumns: ["person", "emailHash", "token", "expiresAt"],
        drawn: () => textOf(rows, batch),
      })
    })
}

const tooMany = () =>
  usageError("These are more than 1,000 people.", "Give them in parts: split -l 1000 people.txt")

const asPerson = (text: string): LinkTokenPerson =>
  /^[0-9a-f]{64}$/i.test(text) ? { emailHash: text } : { email: text }

/** A token beside the person as they were given, so that a mailing can be put together from it. */
interface TokenRow {
  readonly person: string
  readonly emailHash: string
  readonly token: string
  readonly expiresAt: string
}

/** The server answers in the order of the people. */
const rowsOf = (
  people: ReadonlyArray<string>,
  { expiresAt, tokens }: LinkTokenBatch,
): ReadonlyArray<TokenRow> =>
  tokens.map((token, index) => ({ person: people[index] ?? "", ...token, expiresAt }))

/** Tokens stand on lines of their own, however long, so that they can be copied. */
const textOf = (rows: ReadonlyArray<TokenRow>, { expiresAt }: LinkTokenBatch): string =>
  lines(
    ...rows.flatMap(({ person, token }) => [person, `  ?_vid=${token}`]),
    "",
    "Put it at the end of a link to a page with the pixel.",
    `Good until ${dateAndTime(expiresAt)}.`,
  )
