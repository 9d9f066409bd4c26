// `footfall suppression remove`: removes rules by id, by type and value, or from a file.

import type { SuppressionRemoveParams, SuppressionRuleType } from "@footfall/sdk"
import { type Command, Option } from "commander"
import { define } from "../command/define.ts"
import { uuid } from "../command/values.ts"
import { connect } from "../connection/connect.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { exitCodeOf, usageError } from "../errors/cli-error.ts"
import { printResult } from "../output/print-result.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, plainText, type Terminal } from "../terminal/terminal.ts"
import { figuresOf, printChange } from "./change-output.ts"
import {
  allowRemovalsOption,
  isRuleType,
  type RemovalOptions,
  requireTerminalOrYes,
  ruleTypeOption,
  ruleValues,
} from "./options.ts"
import type { ServerPlan } from "./server-plan.ts"

/** Shown before every removal. */
const REMOVAL_MEANS = "People who match will use credits and trigger webhooks again."

const ruleId = uuid("a rule", "footfall suppression list")

interface RemoveOptions extends RemovalOptions {
  readonly type?: SuppressionRuleType
  readonly file?: string
  readonly column?: string
}

export const removeCommands = [
  define<RemoveOptions, [words: ReadonlyArray<string>]>("remove", {
    description:
      "Remove rules by type and value, by id, or all rules in --file, in any format that\n" +
      "`import` reads. Write values as you added them. Rules that do not exist are skipped, but a\n" +
      "single id that does not exist exits with 5. To remove more than half of a list of more than\n" +
      "100 rules, add --allow-removals or type the number.",
    summary: "remove rules by id, by type and value, or from a file",
    takes: (command) =>
      command
        .argument(
          "[rules...]",
          "a type and values, values with --type, or ids; `-` for standard input",
        )
        .addOption(ruleTypeOption("type of the values"))
        .option("--file <file>", "remove the rules in this file; `-` for standard input")
        .addOption(
          new Option(
            "--column <name>",
            "with --file: column that contains the values, by name or by number from 1",
          ),
        )
        .option("-y, --yes", "do not ask for confirmation")
        .addOption(allowRemovalsOption()),
    examples: [
      "footfall suppression remove 0b5f3c1e-2a4d-4c0e-9f6a-1d2e3f4a5b6c",
      "footfall suppression remove domain acme.example --yes",
      "footfall suppression remove --type email - --yes < left-the-company.txt",
      "footfall suppression remove --file former-customers.csv",
    ],
    run: async ({ connect, options, print, terminal, command }, words) => {
      if (options.file !== undefined) {
        if (words.length > 0) throw usageError("Give either rules or --file, not both.")
        return removeFile(terminal, command, options.file, options)
      }
      if (options.column !== undefined || options.allowRemovals !== undefined) {
        throw usageError("--column and --allow-removals need --file.")
      }
      const { type, rest } = typeAndRest(words, options.type)
      const values = await ruleValues(terminal, rest, options, tooMany)
      const params = await rulesMeant(values, type)
      const client = await connect()
      const [only] = values
      const what = values.length === 1 ? `The rule ${only}` : `${values.length} rules`
      await requireConsent(terminal, {
        what: `${what} will be removed. ${REMOVAL_MEANS}`,
        isConfirmed: options.yes === true,
      })

      const [id, ...furtherIds] = params.ids ?? []
      const removal =
        id !== undefined && furtherIds.length === 0
          ? await client.suppression.removeOne(id)
          : await client.suppression.remove(params)

      await print(removal, () => {
        const { deleted, total } = removal
        const missing = values.length - deleted
        return lines(
          `${deleted} removed${missing > 0 ? `, ${missing} not found` : ""}. ` +
            `${total} ${total === 1 ? "rule" : "rules"} in total.`,
        )
      })
    },
  }),
]

/** The same arguments as `suppression add`. Without a type, they are ids. */
const typeAndRest = (
  words: ReadonlyArray<string>,
  given: SuppressionRuleType | undefined,
): {
  readonly type: SuppressionRuleType | undefined
  readonly rest: ReadonlyArray<string>
} => {
  const [first, ...rest] = words
  return given === undefined && isRuleType(first)
    ? { type: first, rest }
    : { type: given, rest: words }
}

const tooMany = () =>
  usageError(
    "At most 25,000 values at a time.",
    "Use: footfall suppression remove --file <file>, or for the whole list: footfall suppression apply <file>",
  )

/** Errors: usage, for a word that is neither an id nor, with a type, a valid value. */
const rulesMeant = async (
  values: ReadonlyArray<string>,
  type: SuppressionRuleType | undefined,
): Promise<SuppressionRemoveParams> => {
  if (type === undefined) return { ids: values.map((value) => idMeant(value)) }
  const [{ normalizeRule }, { reasonText }] = await Promise.all([
    import("@footfall/normal-form"),
    import("./rule-types.ts"),
  ])
  const rules = values.map((value) => {
    const rule = normalizeRule({ type, value })
    if (typeof rule !== "string") return rule
    throw usageError(`Invalid ${type} "${value}": ${reasonText(rule)}.`)
  })
  return { rules }
}

const idMeant = (word: string): string => {
  try {
    return ruleId(word)
  } catch {
    throw usageError(
      `"${word}" is not a rule id.`,
      "To find the id: footfall suppression list. To remove by value, put its type first: domain acme.example.",
    )
  }
}

/** Errors: usage, those of the confirmation and of the server. */
const removeFile = async (
  terminal: Terminal,
  command: Command,
  file: string,
  options: GlobalOptions & RemoveOptions,
): Promise<void> => {
  if (file === "-" && options.apiKeyStdin) {
    throw usageError("Can't read both the API key and the rules from standard input.")
  }
  requireTerminalOrYes(terminal, options)
  const client = await connect(terminal, command)
  const [
    { withPlan },
    { sourceName, sourceOf },
    { requireRemovalConsent },
    { counted, countText },
  ] = await Promise.all([
    import("./server-plan.ts"),
    import("./source.ts"),
    import("./guards.ts"),
    import("../ui/text.ts"),
  ])
  const { column, type } = options
  const request = {
    sources: [sourceOf(terminal, file)],
    mode: "remove",
    type,
    column,
    rejectedFiles: [null],
  } as const
  const { applied, planned } = await withPlan(terminal, client, request, async (planned, apply) => {
    await printRejections(terminal, planned)
    // Without changes there is nothing to confirm.
    if (planned.plan.removed > 0) {
      await requireRemovalConsent(terminal, planned, {
        what: `${counted(planned.plan.removed, "rule")} from ${sourceName(file)} will be removed. ${REMOVAL_MEANS}`,
        options,
      })
    }
    return { planned, applied: await apply() }
  })

  const { rejected, rules } = planned.plan
  const { removed: deleted, total } = applied
  const missing = rules - deleted
  const result = { deleted, missing, total, ...figuresOf(planned) }
  await printChange(terminal, options, () =>
    printResult(terminal, options, result, () =>
      lines(
        `${countText(deleted)} removed${missing > 0 ? `, ${countText(missing)} not found` : ""}. ` +
          `${counted(total, "rule")} in total.`,
        rejected > 0 ? `${counted(rejected, "row")} rejected.` : null,
      ),
    ),
  )
  terminal.endWith(exitCodeOf({ accepted: rules, rejected }))
}

const printRejections = async (
  { stderr }: Terminal,
  { files, plan }: ServerPlan,
): Promise<void> => {
  if (plan.rejected === 0) return
  const [{ reasonText }, { sourceName }, { counted }] = await Promise.all([
    import("./rule-types.ts"),
    import("./source.ts"),
    import("../ui/text.ts"),
  ])
  for (const { file, line, message, reason, type, value } of plan.rejectedRows) {
    const why = message ?? reasonText(reason)
    const what = reason === "invalid_type" ? type : value
    const where = `${sourceName(files[file]!.file)} line ${line}`
    stderr.write(`${plainText(`${where}: ${why}: "${what}"`)}\n`)
  }
  const further = plan.rejected - plan.rejectedRows.length
  if (further > 0) stderr.write(`and ${counted(further, "more row")}\n`)
}
