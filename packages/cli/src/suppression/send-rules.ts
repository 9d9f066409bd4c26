// Sends what is left of a spool, at the server's pace and for as long as patience lasts. What was sent is
// in the journal before the next request begins.

import type {
  Footfall,
  Hooks,
  SuppressionRejection,
  SuppressionRuleInput,
  SuppressionUpload,
} from "@footfall/sdk"
import { patiently, type Patience } from "../patience/patience.ts"
import type { ImportJournal } from "./import-journal.ts"
import { spooledRules, type RuleRead } from "./rule-spool.ts"

/** What is sent, and who hears of it. */
export interface SendRequest {
  readonly spool: string
  readonly rowsPerRequest: number
  readonly journal: ImportJournal
  /** Keeps a new state before anything further is sent. */
  readonly onJournal: (journal: ImportJournal) => void
  readonly patience: Patience
  /** Hears of every answer. */
  readonly hooks: Hooks
}

/** A request may wait for others that write to the same list. */
const TIMEOUT_MS = 120_000

/** Of rules that only the server refuses, which takes a server of another version. */
const REFUSED_KEPT_MAX = 1_000

/** Gives the last state. Errors: those of the server, when patience has ended. */
export const sendRules = async (
  client: Footfall,
  { spool, rowsPerRequest, patience, hooks, onJournal, journal: begun }: SendRequest,
): Promise<ImportJournal> => {
  let journal = begun
  /** From where the journal is to the end of the spool. */
  const sendRest = async (): Promise<void> => {
    const before = journal
    let sent: Array<RuleRead> = []
    let refused: ReadonlyArray<SuppressionRejection> = []
    async function* rules(): AsyncGenerator<SuppressionRuleInput, void, undefined> {
      for await (const rule of spooledRules(spool, before.bytesDone)) {
        sent.push(rule)
        yield { type: rule.type, value: rule.value }
      }
    }
    await client.suppression.upload(rules(), {
      rowsPerRequest,
      retriesMax: 0,
      hooks,
      timeoutMs: TIMEOUT_MS,
      onWait: (seconds) => patience.onWait({ reason: "rate_limit", seconds }),
      onRejected: (rows) => (refused = rows),
      onProgress: (upload) => {
        journal = advanced({ journal, before, upload, refused, sent })
        sent = []
        refused = []
        onJournal(journal)
      },
    })
  }
  for (let rulesDone = -1; rulesDone < journal.rulesDone;) {
    rulesDone = journal.rulesDone
    if (rulesDone === journal.prepared.rules) break
    try {
      await patiently(sendRest, patience)
      break
    } catch (error) {
      // Patience begins anew where something was sent meanwhile.
      if (journal.rulesDone === rulesDone) throw error
    }
  }
  return journal
}

const advanced = (step: {
  readonly journal: ImportJournal
  /** When this stretch began; the upload counts from there. */
  readonly before: ImportJournal
  readonly upload: SuppressionUpload
  readonly refused: ReadonlyArray<SuppressionRejection>
  /** What the last request held. */
  readonly sent: ReadonlyArray<RuleRead>
}): ImportJournal => {
  const { journal, before, upload, refused, sent } = step
  const first = journal.rulesDone - before.rulesDone
  const rows = refused.flatMap(({ index, reason }) => {
    const rule = sent[index - first]
    return rule === undefined ? [] : [{ ...rule, reason }]
  })
  return {
    ...journal,
    bytesDone: sent.at(-1)?.endByte ?? journal.bytesDone,
    rulesDone: before.rulesDone + upload.rowsDone,
    added: before.added + upload.added,
    duplicates: before.duplicates + upload.duplicates,
    refusedCount: before.refusedCount + upload.rejectedCount,
    refused: [...journal.refused, ...rows].slice(0, REFUSED_KEPT_MAX),
    total: upload.total,
  }
}
