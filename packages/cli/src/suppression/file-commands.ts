// `footfall suppression export` and `import`: rules in files of any size.

import type { AppliedFileImport, SuppressionRuleType } from "@footfall/sdk"
import { Option } from "commander"
import { extname } from "node:path"
import { define } from "../command/define.ts"
import { exitCodeOf, usageError } from "../errors/cli-error.ts"
import { requireConsent } from "../terminal/consent.ts"
import { lines, screenColumns, type Terminal, warnOn } from "../terminal/terminal.ts"
import { figuresOf, printChange } from "./change-output.ts"
import { allowEmptyOption, rejectedFiles, requireTerminalOrYes, ruleTypeOption } from "./options.ts"
import type { ServerPlan } from "./server-plan.ts"

interface ExportOptions {
  readonly type?: SuppressionRuleType
  readonly search?: string
  readonly format?: "csv" | "ndjson"
  readonly overwrite?: true
}

interface ImportOptions {
  readonly type?: SuppressionRuleType
  readonly column?: string
  readonly note?: string
  readonly rejected?: string
  readonly dryRun?: true
  readonly yes?: true
  readonly allowEmpty?: true
}

/** A plan, and where it would be applied. */
interface ImportPlan extends ServerPlan {
  readonly server: string
  readonly organization: string
}

/** The result of an import. */
interface RuleImport extends ImportPlan {
  /** Null for a dry run. */
  readonly applied: AppliedFileImport | null
}

export const fileCommands = [
  define<ImportOptions, [files: ReadonlyArray<string>]>("import", {
    description:
      "Add rules from files: tables with a header (type and value, or a column such as email, domain,\n" +
      "company_domain or industry) or lists with one value per line. Files can use any CSV delimiter,\n" +
      "UTF-8 or UTF-16, NDJSON, and gzip. The server reads every file, and the command shows its plan and asks\n" +
      "you to confirm it. All rules are added at once; if the command is interrupted, run it again.\n" +
      "Invalid rows are skipped and written to FILE.rejected.csv.",
    summary: "add rules from files of any size",
    takes: (command) =>
      command
        .argument("<files...>", "the files, or `-` for standard input")
        .addOption(ruleTypeOption("type of the values, if the file does not say"))
        .option("--column <name>", "column that contains the values, by name or by number from 1")
        .option("--note <text>", "why the rules are there, at most 500 characters")
        .option("--rejected <file>", "file for rejected rows (default: FILE.rejected.csv)")
        .option("--dry-run", "show the plan and change nothing")
        .option("-y, --yes", "do not ask for confirmation")
        .addOption(allowEmptyOption())
        // Scripts use it. An import that was interrupted has changed nothing, so there is nothing to resume.
        .addOption(new Option("--resume").hideHelp()),
    examples: [
      "footfall suppression import customers.csv",
      "footfall suppression import crm.csv --column 'Work e-mail' --type email --dry-run",
      "footfall suppression import domains.txt.gz competitors.txt --type domain --yes",
    ],
    run: async ({ connect, options, print, terminal }, files) => {
      const isDryRun = options.dryRun === true
      if (files.includes("-") && options.apiKeyStdin) {
        throw usageError("Can't read both the API key and the rules from standard input.")
      }
      if (!isDryRun) requireTerminalOrYes(terminal, options)
      const rejected = rejectedFiles(files, options.rejected)
      const client = await connect()
      const [{ accountShown, withPlan }, { sourceOf }, { checkNotEmpty }] = await Promise.all([
        import("./server-plan.ts"),
        import("./source.ts"),
        import("./guards.ts"),
      ])
      const sources = files.map((file) => sourceOf(terminal, file))
      const { organization } = await accountShown(terminal, client)
      const where = { server: client.baseUrl, organization: organization.name }

      const { column, note, type } = options
      const request = { sources, mode: "add", type, column, note, rejectedFiles: rejected } as const
      const result = await withPlan(
        terminal,
        client,
        request,
        async (planned, apply): Promise<RuleImport> => {
          const allowEmpty = options.allowEmpty === true
          checkNotEmpty(planned, allowEmpty)
          const plan = { ...where, ...planned }
          if (isDryRun) return { ...plan, applied: null }
          await agree(terminal, plan, options)
          return { ...plan, applied: await apply({ allowEmpty }) }
        },
      )

      if (isDryRun) await warnOfFreeMail(terminal, result)
      await printChange(terminal, options, () =>
        print(importJson(result), (columns) => drawnResult(result, columns)),
      )
      const { rejected: rejectedRows, rules } = result.plan
      terminal.endWith(exitCodeOf({ accepted: rules, rejected: rejectedRows }))
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

/** Shows the plan on a terminal, warns and asks. Errors: those of `requireConsent`. */
const agree = async (
  terminal: Terminal,
  planned: ImportPlan,
  options: ImportOptions,
): Promise<void> => {
  if (terminal.stderr.isTTY) {
    terminal.stderr.write(await drawnPlan(planned, screenColumns(terminal)))
  }
  await warnOfFreeMail(terminal, planned)
  // Without changes there is nothing to confirm.
  if (planned.plan.new === 0) return
  const { counted } = await import("../ui/text.ts")
  await requireConsent(terminal, {
    what: `${counted(planned.plan.new, "rule")} will be added.`,
    isConfirmed: options.yes === true,
  })
}

const warnOfFreeMail = async (terminal: Terminal, { plan }: ServerPlan): Promise<void> => {
  const { freeMailWarning } = await import("@footfall/normal-form/reading")
  const warning = freeMailWarning(plan.freeMailDomains)
  if (warning !== null) warnOn(terminal)(warning)
}

/** The document for programs. */
const importJson = ({ applied, organization, server, ...planned }: RuleImport) => {
  const { affected, byType, new: added, present } = planned.plan
  return {
    server,
    organization,
    ...figuresOf(planned),
    preview: {
      wouldAdd: added,
      duplicates: present,
      newByType: byType.new,
      affectedVisitors: affected?.visitors ?? null,
      affectedByType: affected?.byType ?? null,
    },
    dryRun: applied === null,
    added: applied?.added ?? 0,
    duplicates: applied === null ? 0 : present,
    total: applied?.total ?? null,
  }
}

const drawnResult = async (result: RuleImport, columns: number): Promise<string> => {
  const { applied, files, plan } = result
  if (applied === null) return drawnPlan(result, columns)
  const [{ drawn }, { SuppressionImportView }] = await Promise.all([
    import("../ui/drawn.ts"),
    import("./views.tsx"),
  ])
  return drawn(SuppressionImportView, { plan, files, applied, screenColumns: columns }, columns)
}

const drawnPlan = async (planned: ImportPlan, columns: number): Promise<string> => {
  const { files, organization, plan, server } = planned
  const [{ drawn }, { SuppressionPlanView }] = await Promise.all([
    import("../ui/drawn.ts"),
    import("./views.tsx"),
  ])
  const props = { server, organization, plan, files, screenColumns: columns }
  return drawn(SuppressionPlanView, props, columns)
}
