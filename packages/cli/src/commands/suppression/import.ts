// `footfall suppression import`: rules from files of any size and nearly any form. Ends with 3 when some
// rows were rejected; all others are in. Ends with 1 when all were.

import type { SuppressionRuleType } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { exitCodeOf } from "../../errors/exit-code.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import type { ImportMode, ImportPlan, RuleImport } from "../../suppression/run-import.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { screenColumns, type Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import { wholeNumber } from "../whole-number.ts"
import { refuseUnheardQuestion, rejectedFiles } from "./rule-files.ts"
import { ruleTypeOption } from "./rule-words.ts"

/** As commander hands them over. */
interface ImportOptions extends GlobalOptions {
  readonly type?: SuppressionRuleType
  readonly column?: string
  readonly rejected?: string
  readonly rowsPerRequest: number
  readonly dryRun?: true
  readonly resume?: true
  readonly restart?: true
  readonly yes?: true
}

/** Adds the command to its group. */
export const addSuppressionImport = (suppression: Command, terminal: Terminal): void => {
  suppression
    .command("import")
    .summary("add the rules of files, of any size")
    .description(
      "Add the rules of files: tables with a header (type and value, or a column such as email,\n" +
        "domain, company_domain, industry) or lists with one value a line; CSV with any delimiter,\n" +
        "UTF-8 or UTF-16, gzip. Every file is read and checked before anything is sent, the plan is\n" +
        "shown and asked about. What is no rule goes to FILE.rejected.csv and stops nothing.",
    )
    .argument("<files...>", "the files, or `-` for standard input")
    .addOption(ruleTypeOption("type of the values, where the file does not say"))
    .option("--column <name>", "column with the values, by its name or its number from 1")
    .option("--rejected <file>", "where rejected rows go (default: FILE.rejected.csv)")
    .option("--dry-run", "show the plan and send nothing")
    .option("--yes", "send without asking")
    .addOption(
      new Option("--resume", "go on with an import that stopped, if there is one").conflicts(
        "restart",
      ),
    )
    .option("--restart", "forget an import that stopped, and begin anew")
    .addOption(
      new Option("--rows-per-request <count>", "fewer, where the network is slow")
        .argParser(wholeNumber(ROWS_PER_REQUEST_MAX))
        .default(ROWS_PER_REQUEST_MAX),
    )
    .addHelpText(
      "after",
      examples(
        "footfall suppression import customers.csv",
        "footfall suppression import crm.csv --column 'Work e-mail' --type email --dry-run",
        "footfall suppression import domains.txt.gz competitors.txt --type domain --yes",
        "footfall suppression import customers.csv --resume",
      ),
    )
    .action(async (files: ReadonlyArray<string>, _options, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>()
      const mode = modeOf(options)
      const isDryRun = options.dryRun === true
      const isResuming = mode === "resume"
      if (files.includes("-") && options.apiKeyStdin) {
        throw usageError("Standard input cannot hold both the API key and the rules.")
      }
      if (files.includes("-") && isResuming) {
        throw usageError("An import of standard input cannot be gone on with.")
      }
      if (!isDryRun && !isResuming) refuseUnheardQuestion(terminal, options)
      const rejected = rejectedFiles(files, options.rejected)
      const client = await connect(terminal, command)
      const { runImport } = await import("../../suppression/run-import.ts")

      const result = await runImport(terminal, client, {
        files,
        mode,
        isDryRun,
        type: options.type,
        column: options.column,
        rowsPerRequest: options.rowsPerRequest,
        rejectedFiles: rejected,
        onPlan: (plan) => agree(terminal, plan, options),
      })

      await warnOfFreeMail(terminal, result, isDryRun)
      await printResult(terminal, options, told(result), (columns) => drawnResult(result, columns))
      const { rules, rejectedCount } = result.prepared
      const refused = result.sent?.refusedCount ?? 0
      terminal.endWith(exitCodeOf({ taken: rules - refused, rejected: rejectedCount + refused }))
    })
}

/** Source: spec 5.5. */
const ROWS_PER_REQUEST_MAX = 25_000

const modeOf = ({ resume, restart }: ImportOptions): ImportMode => {
  if (restart) return "restart"
  return resume ? "resume" : "new"
}

/** Shows the plan where somebody looks, and asks. Errors: those of `requireConsent`. */
const agree = async (terminal: Terminal, plan: ImportPlan, options: ImportOptions) => {
  const { prepared, preview } = plan
  if (terminal.stderr.isTTY) {
    terminal.stderr.write(await drawnPlan(plan, screenColumns(terminal)))
  }
  await warnOfFreeMail(terminal, plan, true)
  // What changes nothing needs no answer.
  if (prepared.rules === 0) return
  const { counted } = await import("../../screens/figures.ts")
  const what =
    preview === null
      ? `${counted(prepared.rules, "rule")} will be sent.`
      : `${counted(preview.wouldAdd, "rule")} will be added.`
  await requireConsent(terminal, { what, isGiven: options.yes === true })
}

const warnOfFreeMail = async (
  terminal: Terminal,
  { prepared }: Pick<ImportPlan, "prepared">,
  isDue: boolean,
): Promise<void> => {
  if (!isDue) return
  const { freeMailWarning } = await import("../../suppression/free-mail.ts")
  const warning = freeMailWarning(prepared.freeMailDomains, prepared.freeMailCount)
  if (warning !== null) warnOn(terminal)(warning)
}

/** The document for programs. */
const told = ({ server, organization, prepared, preview, sent, rulesResumedFrom }: RuleImport) => ({
  server,
  organization,
  ...prepared,
  rejectedCount: prepared.rejectedCount + (sent?.refusedCount ?? 0),
  preview,
  dryRun: sent === null,
  added: sent?.added ?? 0,
  duplicates: sent?.duplicates ?? 0,
  refusedByServer: sent?.refused ?? [],
  total: sent?.total ?? null,
  rulesResumedFrom,
})

const drawnResult = async (result: RuleImport, columns: number): Promise<string> => {
  const { prepared, sent, rulesResumedFrom } = result
  if (sent === null) return drawnPlan(result, columns)
  const [{ drawn }, { SuppressionImportView }] = await Promise.all([
    import("../../screens/drawn.ts"),
    import("../../screens/SuppressionImportView.tsx"),
  ])
  const props = { prepared, sent, rulesResumedFrom, screenColumns: columns }
  return drawn(SuppressionImportView, props, columns)
}

const drawnPlan = async (plan: ImportPlan, columns: number): Promise<string> => {
  const { server, organization, prepared, preview } = plan
  const [{ drawn }, { SuppressionPlanView }] = await Promise.all([
    import("../../screens/drawn.ts"),
    import("../../screens/SuppressionPlanView.tsx"),
  ])
  const props = { server, organization, prepared, preview, screenColumns: columns }
  return drawn(SuppressionPlanView, props, columns)
}
