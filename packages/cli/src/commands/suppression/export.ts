// `footfall suppression export`: every rule, to a file or to standard output, in the form that `import`,
// `plan` and `apply` read.

import type { SuppressionRuleType } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { extname } from "node:path"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { ruleTypeOption } from "./rule-words.ts"

/** As commander hands them over. */
interface ExportOptions extends GlobalOptions {
  readonly type?: SuppressionRuleType
  readonly search?: string
  readonly format?: "csv" | "ndjson"
  readonly overwrite?: true
}

/** Adds the command to its group. */
export const addSuppressionExport = (suppression: Command, terminal: Terminal): void => {
  suppression
    .command("export")
    .summary("write every rule to a file")
    .description(
      "Write every rule to a file: CSV with the columns type, value and createdAt, or NDJSON. The\n" +
        "file is there when it is whole. A CSV can be imported, planned and applied again.",
    )
    .argument("<file>", "file to write, or `-` for standard output")
    .addOption(ruleTypeOption("only rules of this type"))
    .option("--search <text>", "only rules whose value holds this text, in any case")
    .addOption(
      new Option(
        "--format <format>",
        "form of the rows (default: by the name of the file, else csv)",
      ).choices(["csv", "ndjson"]),
    )
    .option("--overwrite", "replace the file if there is one")
    .addHelpText(
      "after",
      examples(
        "footfall suppression export rules.csv",
        "footfall suppression export - --type domain | gzip > domains.csv.gz",
      ),
    )
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>()
      const { type, search } = options
      const format = options.format ?? formatByName(file)
      const client = await connect(terminal, command)
      const { exportRules } = await import("../../suppression/export-rules.ts")
      const { counted, sizeText } = await import("../../screens/figures.ts")

      const { rules, bytes } = await exportRules(terminal, client, {
        file,
        format,
        isOverwriting: options.overwrite === true,
        filter: { type, q: search },
      })

      if (file === "-") return
      await printResult(terminal, options, { file, format, rules, bytes }, () =>
        lines(`${counted(rules, "rule")} in ${file} (${sizeText(bytes)}).`),
      )
    })
}

const formatByName = (file: string): "csv" | "ndjson" =>
  [".ndjson", ".jsonl"].includes(extname(file)) ? "ndjson" : "csv"
