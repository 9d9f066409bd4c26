// `footfall suppression remove`: takes rules away, by id, by type and value, or those of a file. Ends with 3
// when rows of the file were rejected, and with 1 when all were.

import type { SuppressionRemoveParams, SuppressionRuleType } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { uuid } from "../uuid.ts"
import { allowRemovalsOption, REMOVAL_MEANS } from "./removal-consent.ts"
import type { RemoveOptions } from "./remove-file.ts"
import { ruleTypeOption, ruleValues } from "./rule-words.ts"

/** Adds the command to its group. */
export const addSuppressionRemove = (suppression: Command, terminal: Terminal): void => {
  suppression
    .command("remove")
    .summary("remove rules by id, by type and value, or those of a file")
    .description(
      "Remove rules by id, by --type and value, or those of --file, which may have any form that\n" +
        "`import` reads. A value may be written as it was added; a rule that is not there is passed\n" +
        "over, but a single id that is not there ends with 5. A file that is more than half of a list\n" +
        "of over 100 rules needs --allow-removals, or you type the number.",
    )
    .argument("[rules...]", "ids; with --type values, or `-` for input")
    .addOption(ruleTypeOption("the words, or the values of the file, are of this type"))
    .option("--file <file>", "remove the rules of this file; `-` for standard input")
    .addOption(
      new Option(
        "--column <name>",
        "with --file: column with the values, by its name or its number from 1",
      ),
    )
    .option("--yes", "do it without asking")
    .addOption(allowRemovalsOption())
    .addHelpText(
      "after",
      examples(
        "footfall suppression remove 0b5f3c1e-2a4d-4c0e-9f6a-1d2e3f4a5b6c",
        "footfall suppression remove --type domain acme.example --yes",
        "footfall suppression remove --type email - --yes < left-the-company.txt",
        "footfall suppression remove --file former-customers.csv",
      ),
    )
    .action(async (words: ReadonlyArray<string>, _options, command: Command) => {
      const options = command.optsWithGlobals<RemoveOptions>()
      if (options.file !== undefined) {
        if (words.length > 0) throw usageError("Name the rules, or a file with --file; not both.")
        const { removeFile } = await import("./remove-file.ts")
        return removeFile(terminal, command, options.file, options)
      }
      if (options.column !== undefined || options.allowRemovals !== undefined) {
        throw usageError("--column and --allow-removals are for --file.")
      }
      const values = await ruleValues(terminal, words, options, tooMany)
      const params = await rulesMeant(values, options.type)
      const client = await connect(terminal, command)
      const [only] = values
      const what = values.length === 1 ? `The rule ${only}` : `${values.length} rules`
      await requireConsent(terminal, {
        what: `${what} will be removed. ${REMOVAL_MEANS}`,
        isGiven: options.yes === true,
      })

      const [id, ...furtherIds] = params.ids ?? []
      const removal =
        id !== undefined && furtherIds.length === 0
          ? await client.suppression.removeOne(id)
          : await client.suppression.remove(params)

      await printResult(terminal, options, removal, () => {
        const { deleted, total } = removal
        const missing = values.length - deleted
        return lines(
          `${deleted} removed${missing > 0 ? `, ${missing} not there` : ""}. ` +
            `${total} ${total === 1 ? "rule" : "rules"} in all.`,
        )
      })
    })
}

const tooMany = () =>
  usageError(
    "These are more than 25,000 values.",
    "Use: footfall suppression remove --file <file>; or for the whole list: footfall suppression apply <file>",
  )

const ruleId = uuid("a rule", "footfall suppression list")

/** Errors: usage, for a word that is neither an id nor, with a type, a value of it. */
const rulesMeant = async (
  values: ReadonlyArray<string>,
  type: SuppressionRuleType | undefined,
): Promise<SuppressionRemoveParams> => {
  if (type === undefined) return { ids: values.map((value) => idMeant(value)) }
  const [{ normalizeRule }, { reasonText }] = await Promise.all([
    import("@footfall/normal-form"),
    import("../../suppression/reasons.ts"),
  ])
  const rules = values.map((value) => {
    const rule = normalizeRule({ type, value })
    if (typeof rule !== "string") return rule
    throw usageError(`"${value}" cannot be a rule of the type ${type}: ${reasonText(rule)}.`)
  })
  return { rules }
}

const idMeant = (word: string): string => {
  try {
    return ruleId(word)
  } catch {
    throw usageError(
      `"${word}" is not the id of a rule.`,
      "Run: footfall suppression list; or say what the values are with --type.",
    )
  }
}
