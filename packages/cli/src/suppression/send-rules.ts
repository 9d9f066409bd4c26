// Sends the rest of a spool as fast as the server allows, 25,000 rules per request, with retries. The journal records
// what was sent before the next request starts.

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

/** Rules per request (spec 5.5). */
export const RULES_PER_REQUEST = 25_000

/** For each request. It may wait for other writers of the same list, and only this module retries it. */
export const requestOptions = { maxRetries: 0, timeoutMs: 120_000 }

/** `onDone` gets the number of rules sent. Errors: those of `send`, after the last retry. */
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

/** Not true for a request that the server rejected. */
export const isAway = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof AbortedError ||
  (error instanceof ApiError && (error.status >= 500 || [408, 429].includes(error.status)))

/** What to send, and the callbacks. */
interface SendRequest {
  readonly spool: string
  readonly rowsPerRequest: number
  readonly journal: ImportJournal
  /** Saves a new state before anything else is sent. */
  readonly onJournal: (journal: ImportJournal) => void
  readonly waiting: Waiting
  /** Called for every response. */
  readonly hooks: Hooks
}

/** A request may wait for other writers of the same list. */
const TIMEOUT_MS = 120_000

/** Maximum number of rules kept that only the server rejects. This only happens with a server of another version. */
const REFUSED_KEPT_MAX = 1_000

/** Returns the last state. Errors: those of the server, after the last retry. */
export const sendRules = async (
  client: Footfall,
  { spool, rowsPerRequest, waiting, hooks, onJournal, journal: begun }: SendRequest,
): Promise<ImportJournal> => {
  let journal = begun
  /** Sends from the journal's position to the end of the spool. */
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
  /** The journal when this upload started; the upload counts from there. */
  readonly before: ImportJournal
  readonly upload: SuppressionUpload
  readonly refused: ReadonlyArray<SuppressionRejection>
  /** Contents of the last request. */
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
