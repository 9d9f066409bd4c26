// `footfall suppression export` and `import`: rules in files of any size.

import type { SuppressionRuleType } from "@footfall/sdk"
import { Option } from "commander"
import { extname } from "node:path"
import { define } from "../command/define.ts"
import { wholeNumber } from "../command/values.ts"
import { exitCodeOf, usageError } from "../errors/cli-error.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, screenColumns, type Terminal, warnOn } from "../terminal/terminal.ts"
import { printChange, SHOWN_MAX, shortPrepared } from "./change-output.ts"
import { allowEmptyOption, rejectedFiles, requireTerminalOrYes, ruleTypeOption } from "./options.ts"
import { RULES_PER_REQUEST } from "./rule-types.ts"
import type { ImportMode, ImportPlan, RuleImport } from "./run-import.ts"

interface ExportOptions {
  readonly type?: SuppressionRuleType
  readonly search?: string
  readonly format?: "csv" | "ndjson"
  readonly overwrite?: true
}

interface ImportOptions {
  readonly type?: SuppressionRuleType
  readonly column?: string
  readonly rejected?: string
  readonly rowsPerRequest: number
  readonly dryRun?: true
  readonly resume?: true
  readonly restart?: true
  readonly yes?: true
  readonly allowEmpty?: true
}

export const fileCommands = [
  define<ImportOptions, [files: ReadonlyArray<string>]>("import", {
    description:
      "Add rules from files: tables with a header (type and value, or a column such as email, domain,\n" +
      "company_domain or industry) or lists with one value per line. Files can use any CSV delimiter,\n" +
      "UTF-8 or UTF-16, and gzip. The command checks every file, shows the plan and asks you to confirm\n" +
      "it before it sends anything. It skips invalid rows and writes them to FILE.rejected.csv.",
    summary: "add rules from files of any size",
    takes: (command) =>
      command
        .argument("<files...>", "the files, or `-` for standard input")
        .addOption(ruleTypeOption("type of the values, if the file does not say"))
        .option("--column <name>", "column that contains the values, by name or by number from 1")
        .option("--rejected <file>", "file for rejected rows (default: FILE.rejected.csv)")
        .option("--dry-run", "show the plan and send nothing")
        .option("-y, --yes", "do not ask for confirmation")
        .addOption(allowEmptyOption())
        .addOption(new Option("--resume", "continue an import that stopped").conflicts("restart"))
        .option("--restart", "discard an import that stopped, and start over")
        .addOption(
          new Option("--rows-per-request <count>", "rules per request; lower it on a slow network")
            .argParser(wholeNumber(RULES_PER_REQUEST))
            .default(RULES_PER_REQUEST),
        ),
    examples: [
      "footfall suppression import customers.csv",
      "footfall suppression import crm.csv --column 'Work e-mail' --type email --dry-run",
      "footfall suppression import domains.txt.gz competitors.txt --type domain --yes",
      "footfall suppression import customers.csv --resume",
    ],
    run: async ({ connect, options, print, terminal }, files) => {
      const mode = modeOf(options)
      const isDryRun = options.dryRun === true
      const isResuming = mode === "resume"
      if (files.includes("-") && options.apiKeyStdin) {
        throw usageError("Can't read both the API key and the rules from standard input.")
      }
      if (files.includes("-") && isResuming) {
        throw usageError("An import from standard input cannot be resumed.")
      }
      if (!isDryRun && !isResuming) requireTerminalOrYes(terminal, options)
      const rejected = rejectedFiles(files, options.rejected)
      const client = await connect()
      const { runImport } = await import("./run-import.ts")

      const result = await runImport(terminal, client, {
        files,
        mode,
        isDryRun,
        type: options.type,
        column: options.column,
        isEmptyAllowed: options.allowEmpty === true,
        rowsPerRequest: options.rowsPerRequest,
        rejectedFiles: rejected,
        onPlan: (plan) => agree(terminal, plan, options),
      })

      await warnOfFreeMail(terminal, result, isDryRun)
      await printChange(terminal, options, () =>
        print(importJson(result), (columns) => drawnResult(result, columns)),
      )
      const { rules, rejectedCount } = result.prepared
      const refused = result.sent?.refusedCount ?? 0
      terminal.endWith(exitCodeOf({ accepted: rules - refused, rejected: rejectedCount + refused }))
    },
  }),

  define<ExportOptions, [file: string]>("export", {
    description:
      "Write every rule to a file: CSV with the columns type, value and createdAt, or NDJSON. The\n" +
      "file appears when it is complete. You can import, plan and apply the CSV again.",
    summary: "write every rule to a file",
    takes: (command) =>
      command
        .argument("<file>", "file to write, or `-` for standard output")
        .addOption(ruleTypeOption("only rules of this type"))
        .option("--search <text>", "only rules whose value contains this text, in any case")
        .addOption(
          new Option(
            "--format <format>",
            "format of the rows (default: from the file name, else csv)",
          ).choices(["csv", "ndjson"]),
        )
        .option("--overwrite", "replace the file if it exists"),
    examples: [
      "footfall suppression export rules.csv",
      "footfall suppression export - --type domain | gzip > domains.csv.gz",
    ],
    run: async ({ connect, options, print, terminal }, file) => {
      const { type, search } = options
      const format = options.format ?? formatByName(file)
      const client = await connect()
      const { exportRules } = await import("./export-rules.ts")
      const { counted, sizeText } = await import("../ui/text.ts")

      const { rules, bytes } = await exportRules(terminal, client, {
        file,
        format,
        isOverwriting: options.overwrite === true,
        filter: { type, q: search },
      })

      if (file === "-") return
      await print({ file, format, rules, bytes }, () =>
        lines(`${counted(rules, "rule")} in ${file} (${sizeText(bytes)}).`),
      )
    },
  }),
]

const formatByName = (file: string): "csv" | "ndjson" =>
  [".ndjson", ".jsonl"].includes(extname(file)) ? "ndjson" : "csv"

const modeOf = ({ resume, restart }: ImportOptions): ImportMode => {
  if (restart) return "restart"
  return resume ? "resume" : "new"
}

/** Shows the plan on a terminal and asks. Errors: those of `requireConsent`. */
const agree = async (terminal: Terminal, plan: ImportPlan, options: ImportOptions) => {
  const { prepared, preview } = plan
  if (terminal.stderr.isTTY) {
    terminal.stderr.write(await drawnPlan(plan, screenColumns(terminal)))
  }
  await warnOfFreeMail(terminal, plan, true)
  // Without changes there is nothing to confirm.
  if (prepared.rules === 0 || preview?.wouldAdd === 0) return
  const { counted } = await import("../ui/text.ts")
  const what =
    preview === null
      ? `${counted(prepared.rules, "rule")} will be sent.`
      : `${counted(preview.wouldAdd, "rule")} will be added.`
  await requireConsent(terminal, { what, isConfirmed: options.yes === true })
}

const warnOfFreeMail = async (
  terminal: Terminal,
  { prepared }: Pick<ImportPlan, "prepared">,
  isDue: boolean,
): Promise<void> => {
  if (!isDue) return
  const { freeMailWarning } = await import("@footfall/normal-form/reading")
  const warning = freeMailWarning(prepared.freeMailDomains, prepared.freeMailCount)
  if (warning !== null) warnOn(terminal)(warning)
}

/** The document for programs. */
const importJson = ({
  server,
  organization,
  prepared,
  preview,
  sent,
  rulesResumedFrom,
}: RuleImport) => ({
  server,
  organization,
  ...shortPrepared(prepared),
  rejectedCount: prepared.rejectedCount + (sent?.refusedCount ?? 0),
  preview,
  dryRun: sent === null,
  added: sent?.added ?? 0,
  duplicates: sent?.duplicates ?? 0,
  refusedByServer: sent?.refused.slice(0, SHOWN_MAX) ?? [],
  total: sent?.total ?? null,
  rulesResumedFrom,
})

const drawnResult = async (result: RuleImport, columns: number): Promise<string> => {
  const { prepared, sent, rulesResumedFrom } = result
  if (sent === null) return drawnPlan(result, columns)
  const [{ drawn }, { SuppressionImportView }] = await Promise.all([
    import("../ui/drawn.ts"),
    import("./views.tsx"),
  ])
  const props = { prepared, sent, rulesResumedFrom, screenColumns: columns }
  return drawn(SuppressionImportView, props, columns)
}

const drawnPlan = async (plan: ImportPlan, columns: number): Promise<string> => {
  const { server, organization, prepared, preview } = plan
  const [{ drawn }, { SuppressionPlanView }] = await Promise.all([
    import("../ui/drawn.ts"),
    import("./views.tsx"),
  ])
  const props = { server, organization, prepared, preview, screenColumns: columns }
  return drawn(SuppressionPlanView, props, columns)
}
