// `footfall suppression remove --file`: takes away the rules of a file. Rows that are no rules are told on
// standard error, a line each.

import type { SuppressionRuleType } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { exitCodeOf } from "../../errors/exit-code.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import type { Prepared } from "../../suppression/prepared.ts"
import { lines } from "../../terminal/lines.ts"
import { plainText } from "../../terminal/plain-text.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { REMOVAL_MEANS, requireRemovalConsent, type RemovalOptions } from "./removal-consent.ts"
import { refuseUnheardQuestion } from "./rule-files.ts"

/** As commander hands them over. */
export interface RemoveOptions extends GlobalOptions, RemovalOptions {
  readonly type?: SuppressionRuleType
  readonly file?: string
  readonly column?: string
}

/** Errors: usage, those of the question and of the server. */
export const removeFile = async (
  terminal: Terminal,
  command: Command,
  file: string,
  options: RemoveOptions,
): Promise<void> => {
  if (file === "-" && options.apiKeyStdin) {
    throw usageError("Standard input cannot hold both the API key and the rules.")
  }
  refuseUnheardQuestion(terminal, options)
  const client = await connect(terminal, command)
  const [{ runRemoval }, { counted, countText }] = await Promise.all([
    import("../../suppression/run-removal.ts"),
    import("../../screens/figures.ts"),
  ])
  const { prepared, deleted, total } = await runRemoval(terminal, client, {
    files: [file],
    type: options.type,
    types: undefined,
    column: options.column,
    rejectedFiles: [null],
    onRead: async (prepared, present) => {
      await sayRejections(terminal, prepared)
      // What changes nothing needs no answer.
      if (prepared.rules === 0) return
      await requireRemovalConsent(terminal, {
        what: `${counted(prepared.rules, "rule")} of ${file} will be removed. ${REMOVAL_MEANS}`,
        removals: prepared.rules,
        present,
        isCleared: false,
        options,
      })
    },
  })

  const missing = prepared.rules - deleted
  await printResult(terminal, options, { deleted, missing, total, ...prepared }, () =>
    lines(
      `${countText(deleted)} removed${missing > 0 ? `, ${countText(missing)} not there` : ""}. ` +
        `${counted(total, "rule")} in all.`,
      prepared.rejectedCount > 0 ? `${counted(prepared.rejectedCount, "row")} rejected.` : null,
    ),
  )
  const { rules: taken, rejectedCount: rejected } = prepared
  terminal.endWith(exitCodeOf({ taken, rejected }))
}

const sayRejections = async (
  { stderr }: Terminal,
  { rejected, rejectedCount }: Prepared,
): Promise<void> => {
  if (rejectedCount === 0) return
  const { reasonText } = await import("../../suppression/reasons.ts")
  for (const { file, line, reason, value, message } of rejected) {
    const why = message ?? reasonText(reason)
    stderr.write(`${plainText(`${file} line ${line}: ${why}: "${value}"`)}\n`)
  }
  const further = rejectedCount - rejected.length
  if (further > 0) stderr.write(`and ${further} further rows\n`)
}
