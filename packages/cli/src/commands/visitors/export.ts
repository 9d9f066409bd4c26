// `footfall visitors export`: every visitor of a window, to a file or to standard output. A file that
// was not finished (Ctrl-C, kill -9, no network) is gone on with by --resume.

import { Option, type Command } from "commander"
import { extname } from "node:path"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import type { ExportFormat } from "../../export/export-journal.ts"
import type { ExportMode } from "../../export/run-export.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addQuestionOptions, questionParams, type QuestionOptions } from "./question.ts"

/** As commander hands them over. */
interface ExportOptions extends GlobalOptions, QuestionOptions {
  readonly format?: ExportFormat
  readonly resume?: true
  readonly restart?: true
  readonly overwrite?: true
}

/** Adds the command to its group. */
export const addVisitorsExport = (visitors: Command, terminal: Terminal): void => {
  const command = visitors
    .command("export")
    .summary("write every visitor to a file")
    .description(
      "Write every visitor of a window to a file as CSV or NDJSON, with the progress on standard\n" +
        "error. The file is there when it is whole; until then it grows beside its name, and a run\n" +
        "that was interrupted is gone on with by --resume.",
    )
    .argument("<file>", "file to write, or `-` for standard output")
  addQuestionOptions(command, "all")
    .addOption(
      new Option(
        "--format <format>",
        "form of the rows (default: by the name of the file)",
      ).choices(["csv", "ndjson"]),
    )
    .addOption(
      new Option("--resume", "go on with an export that stopped, if there is one").conflicts(
        "restart",
      ),
    )
    .option("--restart", "forget an export that stopped, and begin anew")
    .option("--overwrite", "replace the file if there is one")
    .addHelpText(
      "after",
      examples(
        "footfall visitors export visitors.csv",
        "footfall visitors export visitors.csv --resume",
        "footfall visitors export leads.ndjson --timeframe 30d --suppressed exclude",
        "footfall visitors export - --format csv | gzip > visitors.csv.gz",
      ),
    )
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>()
      const client = await connect(terminal, command)
      const question = questionParams(options)
      const format = options.format ?? formatByName(file)
      if (file === "-") {
        const { exportToStdout } = await import("../../export/export-to-stdout.ts")
        return exportToStdout(terminal, client, { question, format })
      }
      const { runExport } = await import("../../export/run-export.ts")
      const { counted, sizeText } = await import("../../screens/figures.ts")
      const { journal, rowsBefore } = await runExport(terminal, client, {
        file,
        mode: modeOf(options),
        isOverwriting: options.overwrite === true || options.restart === true,
        question,
        format,
      })
      const { rows, bytes } = journal
      const data = { file, format, rows, bytes, rowsResumedFrom: rowsBefore }
      await printResult(terminal, options, data, () =>
        lines(`${counted(rows, "visitor")} in ${file} (${sizeText(bytes)}).`),
      )
    })
}

const modeOf = ({ resume, restart }: ExportOptions): ExportMode => {
  if (restart) return "restart"
  return resume ? "resume" : "new"
}

/** CSV is what a spreadsheet opens; a program reads lines. */
const formatByName = (file: string): ExportFormat =>
  [".ndjson", ".jsonl"].includes(extname(file)) || file === "-" ? "ndjson" : "csv"
