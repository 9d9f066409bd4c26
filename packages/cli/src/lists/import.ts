// `footfall lists import`: the values of a list in files of any size.

import { define } from "../command/define.ts"
import { listId } from "../command/ids.ts"
import { exitCodeOf, usageError } from "../errors/cli-error.ts"
import { requireConsent } from "../terminal/consent.ts"
import { screenColumns, type Terminal } from "../terminal/terminal.ts"
import {
  allowEmptyOption,
  allowRemovalsOption,
  rejectedFiles,
  type RemovalOptions,
  requireTerminalOrYes,
} from "../suppression/options.ts"
import type { Apply, ServerPlan } from "../suppression/server-plan.ts"
import type { ListImport } from "./import-view.tsx"

interface ImportOptions extends RemovalOptions {
  readonly replace?: true
  readonly column?: string
  readonly rejected?: string
  readonly dryRun?: true
  readonly allowEmpty?: true
}

export const listImportCommand = define<ImportOptions, [id: string, files: ReadonlyArray<string>]>(
  "import",
  {
    description:
      "Add the values of files to a list, or make the list equal them with --replace. Files are tables with a\n" +
      "column of domains (of companies) or email addresses (of people), or lists with one value per line, with\n" +
      "any CSV delimiter, in UTF-8 or UTF-16, NDJSON, and gzip. A website is read as its domain, and addresses\n" +
      "may be SHA-256 hashes. The server reads every file, and the command shows its plan and asks you to\n" +
      "confirm it. Everything changes at once; if the command is interrupted, run it again.\n" +
      "Invalid rows are skipped and written to FILE.rejected.csv.",
    summary: "add or replace values from files of any size",
    takes: (command) =>
      command
        .argument("<list>", "id or name of the list", listId)
        .argument("<files...>", "the files, or `-` for standard input")
        .option("--replace", "remove values that are not in the files")
        .option("--column <name>", "column that contains the values, by name or by number from 1")
        .option("--rejected <file>", "file for rejected rows (default: FILE.rejected.csv)")
        .option("--dry-run", "show the plan and change nothing")
        .option("-y, --yes", "do not ask for confirmation")
        .addOption(allowRemovalsOption())
        .addOption(allowEmptyOption()),
    examples: [
      "footfall lists import 'Target accounts' accounts.csv",
      "footfall lists import 'Target accounts' crm.csv --column Website --replace --dry-run",
      "footfall lists import 'Event guests' guests.txt.gz --yes",
    ],
    run: async ({ connect, options, print, terminal }, id, files) => {
      const isDryRun = options.dryRun === true
      if (files.includes("-") && options.apiKeyStdin) {
        throw usageError("Can't read both the API key and the values from standard input.")
      }
      if (!isDryRun) requireTerminalOrYes(terminal, options)
      const rejected = rejectedFiles(files, options.rejected)
      const client = await connect()
      const list = await client.lists.get(id)
      const [{ withPlan }, { sourceOf }, { checkGivesRules, checkNotEmpty }] = await Promise.all([
        import("../suppression/server-plan.ts"),
        import("../suppression/source.ts"),
        import("../suppression/guards.ts"),
      ])
      const request = {
        sources: files.map((file) => sourceOf(terminal, file)),
        mode: options.replace === true ? "replace" : "add",
        listId: list.id,
        type: undefined,
        column: options.column,
        rejectedFiles: rejected,
      } as const
      const allowEmpty = options.allowEmpty === true
      const apply = async (planned: ServerPlan, apply: Apply): Promise<ListImport> => {
        checkNotEmpty(planned, allowEmpty)
        checkGivesRules(planned)
        if (isDryRun) return { ...planned, list, applied: null }
        await agree(terminal, { ...planned, list, applied: null }, options)
        return { ...planned, list, applied: await apply({ allowEmpty }) }
      }
      const result = await withPlan(terminal, client, request, apply)

      await print(importJson(result), (columns) => drawnImport(result, columns))
      const { rejected: rejectedRows, rules } = result.plan
      terminal.endWith(exitCodeOf({ accepted: rules, rejected: rejectedRows }))
    },
  },
)

/** Shows the plan on a terminal and asks. Errors: those of `requireRemovalConsent`. */
const agree = async (
  terminal: Terminal,
  planned: ListImport,
  options: ImportOptions,
): Promise<void> => {
  const { plan } = planned
  if (terminal.stderr.isTTY) {
    terminal.stderr.write(await drawnImport(planned, screenColumns(terminal)))
  }
  // Without changes there is nothing to confirm.
  if (plan.new + plan.removed === 0) return
  const [{ counted, countText }, { requireRemovalConsent }] = await Promise.all([
    import("../ui/text.ts"),
    import("../suppression/guards.ts"),
  ])
  const added = `${counted(plan.new, "value")} will be added`
  const what = plan.removed === 0 ? `${added}.` : `${added} and ${countText(plan.removed)} removed.`
  if (plan.removed > 0) await requireRemovalConsent(terminal, planned, { what, options })
  else await requireConsent(terminal, { what, isConfirmed: options.yes === true })
}

/** Rejected rows in a result for programs. The file of rejected rows has all. */
const SHOWN_MAX = 10

/** The document for programs. */
const importJson = ({ applied, files, list, plan }: ListImport) => ({
  listId: list.id,
  mode: plan.mode,
  rows: plan.rows,
  values: plan.rules,
  new: plan.new,
  present: plan.present,
  repeated: plan.repeated,
  rejectedCount: plan.rejected,
  rejectedByReason: Object.fromEntries(
    plan.rejectedByReason.map(({ reason, rows }) => [reason, rows]),
  ),
  files: files.map(({ file, rejectedFile }, index) => {
    const { reading, rejected, rows } = plan.files[index]!
    return { file, reading, rows, rejectedCount: rejected, rejectedFile }
  }),
  rejected: plan.rejectedRows
    .slice(0, SHOWN_MAX)
    .map((row) => ({ ...row, file: files[row.file]!.file })),
  dryRun: applied === null,
  added: applied?.added ?? 0,
  removed: applied === null ? plan.removed : applied.removed,
  size: applied?.total ?? list.size,
})

const drawnImport = async (props: ListImport, columns: number): Promise<string> => {
  const [{ drawn }, { ListImportView }] = await Promise.all([
    import("../ui/drawn.ts"),
    import("./import-view.tsx"),
  ])
  return drawn(ListImportView, { ...props, screenColumns: columns }, columns)
}
