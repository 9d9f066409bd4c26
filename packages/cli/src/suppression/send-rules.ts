// Sends the rest of a spool at the pace of the server, 25,000 rules per request, with retries. What was sent is in the
// journal before the next request starts.

import {
  AbortedError,
  ApiError,
  ConnectionError,
  type Footfall,
  type Hooks,
  type SuppressionRejection,
  type SuppressionRuleInput,
  type SuppressionUpload,
  TimeoutError,
} from "@footfall/sdk"
import { type Waiting, withRetries } from "../retry/retry.ts"
import type { Work } from "../terminal/work.ts"
import type { ImportJournal } from "./import-journal.ts"
import { type RuleRead, spooledRules } from "./rule-spool.ts"

/** Rules of one request (spec 5.5). */
export const RULES_PER_REQUEST = 25_000

/** For each request: it may wait for others that write to the same list, and is repeated here alone. */
export const requestOptions = { maxRetries: 0, timeoutMs: 120_000 }

/** `onDone` hears how many were sent. Errors: those of `send`, when the retries have ended. */
export const inChunks = async (
  spool: string,
  { waiting }: Work,
  onDone: (count: number) => void,
  send: (rules: ReadonlyArray<SuppressionRuleInput>) => Promise<unknown>,
): Promise<void> => {
  let chunk: Array<SuppressionRuleInput> = []
  const flush = async (): Promise<void> => {
    const rules = chunk
    chunk = []
    if (rules.length === 0) return
    await withRetries(() => send(rules), waiting)
    onDone(rules.length)
  }
  for await (const { type, value } of spooledRules(spool)) {
    chunk.push({ type, value })
    if (chunk.length === RULES_PER_REQUEST) await flush()
  }
  await flush()
}

/** A refusal because of the request is not one of these. */
export const isAway = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof AbortedError ||
  (error instanceof ApiError && (error.status >= 500 || [408, 429].includes(error.status)))

/** What is sent, and who hears of it. */
interface SendRequest {
  readonly spool: string
  readonly rowsPerRequest: number
  readonly journal: ImportJournal
  /** Keeps a new state before anything further is sent. */
  readonly onJournal: (journal: ImportJournal) => void
  readonly waiting: Waiting
  /** Hears of every answer. */
  readonly hooks: Hooks
}

/** A request may wait for others that write to the same list. */
const TIMEOUT_MS = 120_000

/** Of rules that only the server refuses, which takes a server of another version. */
const REFUSED_KEPT_MAX = 1_000

/** Gives the last state. Errors: those of the server, when the retries have ended. */
export const sendRules = async (
  client: Footfall,
  { spool, rowsPerRequest, waiting, hooks, onJournal, journal: begun }: SendRequest,
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
      maxRetries: 0,
      hooks,
      timeoutMs: TIMEOUT_MS,
      onWait: (seconds) => waiting.onWait({ reason: "rate_limit", seconds }),
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
      await withRetries(sendRest, waiting)
      break
    } catch (error) {
      // The retries start over after a successful request.
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
