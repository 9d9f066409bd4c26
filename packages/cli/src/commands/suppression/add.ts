// `footfall suppression add`: some rules by hand. Ends with 3 when some values were no rules; all others
// are added. Ends with 1 when none was a rule.

import type { SuppressionRuleType, SuppressionWrite } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { exitCodeOf } from "../../errors/exit-code.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { plainText } from "../../terminal/plain-text.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import { isRuleType, ruleTypeOption, ruleValues } from "./rule-words.ts"

/** As commander hands them over. */
interface AddOptions extends GlobalOptions {
  readonly type?: SuppressionRuleType
}

/** Adds the command to its group. */
export const addSuppressionAdd = (suppression: Command, terminal: Terminal): void => {
  suppression
    .command("add")
    .summary("add rules")
    .description(
      "Add rules of one type (email, domain, company_domain, industry). What is there already\n" +
        "stays as it is. Rules act from the next sync cycle on.",
    )
    .argument("<type-and-values...>", "a type and values; with --type values, or `-` for input")
    .addOption(ruleTypeOption("type of the values, in place of the first word"))
    .addHelpText(
      "after",
      examples(
        "footfall suppression add domain acme.example contoso.example",
        "footfall suppression add industry 'computer software'",
        "cut -d, -f2 staff.csv | footfall suppression add --type email -",
      ),
    )
    .action(async (words: ReadonlyArray<string>, _options, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>()
      const { type, rest } = typeAndRest(words, options.type)
      const values = await ruleValues(terminal, rest, options, tooMany)
      const client = await connect(terminal, command)
      await warnOfFreeMail(terminal, type, values)

      const write = await client.suppression.add(values.map((value) => ({ type, value })))

      await printResult(terminal, options, write, async () => {
        const { reasonText } = await import("../../suppression/reasons.ts")
        return addedText(write, reasonText)
      })
      const taken = values.length - write.rejectedCount
      terminal.endWith(exitCodeOf({ taken, rejected: write.rejectedCount }))
    })
}

const tooMany = () =>
  usageError("These are more than 25,000 values.", "Use: footfall suppression import <file>")

const typeAndRest = (
  words: ReadonlyArray<string>,
  given: SuppressionRuleType | undefined,
): { readonly type: SuppressionRuleType; readonly rest: ReadonlyArray<string> } => {
  if (given !== undefined) return { type: given, rest: words }
  const [type, ...rest] = words
  if (isRuleType(type)) return { type, rest }
  throw usageError(
    `"${type}" is no type of rules.`,
    "Expected email, domain, company_domain or industry, and then the values.",
  )
}

const warnOfFreeMail = async (
  terminal: Terminal,
  type: SuppressionRuleType,
  values: ReadonlyArray<string>,
): Promise<void> => {
  if (type !== "domain") return
  const [{ normalizeRule }, { freeMailWarning, isFreeMailRule }] = await Promise.all([
    import("@footfall/normal-form"),
    import("../../suppression/free-mail.ts"),
  ])
  const domains = values
    .map((value) => normalizeRule({ type, value }))
    .filter((rule) => typeof rule !== "string")
    .filter(isFreeMailRule)
  const warning = freeMailWarning(domains.map(({ value }) => value))
  if (warning !== null) warnOn(terminal)(warning)
}

const addedText = (write: SuppressionWrite, reasonText: (reason: string) => string): string => {
  const { added, duplicates, rejected, rejectedCount, total } = write
  return lines(
    `${added} added${duplicates === 0 ? "" : `, ${duplicates} there already`}. ` +
      `${total} ${total === 1 ? "rule" : "rules"} in all.`,
    added === 0 ? null : "They act from the next sync cycle on.",
    ...rejected.map(({ value, reason, message }) =>
      plainText(`Rejected: ${value ?? ""} (${message ?? reasonText(reason)})`),
    ),
    rejectedCount > rejected.length ? `${rejectedCount} were rejected in all.` : null,
  )
}
