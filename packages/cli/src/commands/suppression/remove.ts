// `footfall suppression remove`: takes rules away, by id or by type and value.

import type { SuppressionRemoveParams, SuppressionRuleType } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { uuid } from "../uuid.ts"
import { ruleTypeOption, ruleValues } from "./rule-words.ts"

/** As commander hands them over. */
interface RemoveOptions extends GlobalOptions {
  readonly type?: SuppressionRuleType
  readonly yes?: true
}

/** Adds the command to its group. */
export const addSuppressionRemove = (suppression: Command, terminal: Terminal): void => {
  suppression
    .command("remove")
    .summary("remove rules by id, or by type and value")
    .description(
      "Remove rules by id, or by --type and value. A value may be written as it was added; a rule\n" +
        "that is not there is passed over, but a single id that is not there ends with 5.",
    )
    .argument("<rules...>", "ids; with --type values, or `-` for input")
    .addOption(ruleTypeOption("the words are values of this type"))
    .option("--yes", "do it without asking")
    .addHelpText(
      "after",
      examples(
        "footfall suppression remove 0b5f3c1e-2a4d-4c0e-9f6a-1d2e3f4a5b6c",
        "footfall suppression remove --type domain acme.example --yes",
        "footfall suppression remove --type email - --yes < left-the-company.txt",
      ),
    )
    .action(async (words: ReadonlyArray<string>, _options, command: Command) => {
      const options = command.optsWithGlobals<RemoveOptions>()
      const values = await ruleValues(terminal, words, options)
      const params = await rulesMeant(values, options.type)
      const client = await connect(terminal, command)
      const [only] = values
      const what = values.length === 1 ? `The rule ${only}` : `${values.length} rules`
      await requireConsent(terminal, {
        what: `${what} will be removed: whom it suppressed costs credits and triggers webhooks again.`,
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
