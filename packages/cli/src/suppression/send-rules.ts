// Sends the rest of a spool as fast as the server allows, 25,000 rules per request, two requests at
// a time, with retries. The journal records what is stored, up to the first request without a
// response.

import type {
  Footfall,
  Hooks,
  SuppressionRejection,
  SuppressionRuleInput,
  SuppressionUpload,
} from "@footfall/sdk"
import { SLOW_TIMEOUT_MS } from "../connection/connect.ts"
import { type Waiting, withRetries } from "../retry/retry.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { reportWaits, type Work } from "../terminal/work.ts"
import type { ImportJournal } from "./import-journal.ts"
import { spooledRules } from "./rule-spool.ts"
import { RULES_PER_REQUEST } from "./rule-types.ts"

/** Each request may wait for other writers of the same list, and only `withRetries` retries it. */
export const requestOptions = { maxRetries: 0, timeoutMs: SLOW_TIMEOUT_MS }

/** The account of the key. Waits for a server that is down, and shows the wait. Errors: those of the server. */
export const accountShown = (terminal: Terminal, client: Footfall) =>
  withRetries(() => client.account.get(requestOptions), reportWaits(terminal))

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
  for (const { type, value } of spooledRules(spool)) {
    chunk.push({ type, value })
    if (chunk.length === RULES_PER_REQUEST) await flush()
  }
  await flush()
}

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

/** The server checks the rules of one request while the database stores those of the other. */
const REQUESTS_AT_ONCE = 2

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
    /** Where the rules of each request in flight end in the spool. */
    const ends: Array<number> = []
    let refused: ReadonlyArray<SuppressionRejection> = []
    function* rules(): Generator<SuppressionRuleInput, void, undefined> {
      let inRequest = 0
      let end = before.bytesDone
      for (const { type, value, endByte } of spooledRules(spool, before.bytesDone)) {
        end = endByte
        inRequest = (inRequest + 1) % rowsPerRequest
        if (inRequest === 0) ends.push(end)
        yield { type, value }
      }
      if (inRequest > 0) ends.push(end)
    }
    await client.suppression.upload(rules(), {
      ...requestOptions,
      rowsPerRequest,
      requestsAtOnce: REQUESTS_AT_ONCE,
      hooks,
      onWait: (seconds) => waiting.onWait({ reason: "rate_limit", seconds }),
      onRejected: (rows) => (refused = rows),
      onProgress: (upload) => {
        const bytesDone = ends.shift() ?? journal.bytesDone
        journal = advanced({ journal, before, upload, refused, bytesDone, spool })
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
  readonly bytesDone: number
  readonly spool: string
}): ImportJournal => {
  const { journal, before, upload, refused, bytesDone, spool } = step
  return {
    ...journal,
    bytesDone,
    rulesDone: before.rulesDone + upload.rowsDone,
    added: before.added + upload.added,
    duplicates: before.duplicates + upload.duplicates,
    refusedCount: before.refusedCount + upload.rejectedCount,
    refused: [...journal.refused, ...refusedRules(spool, journal, before, refused)].slice(
      0,
      REFUSED_KEPT_MAX,
    ),
    total: upload.total,
  }
}

/**
 * The rules that the server rejected in the first request after the journal. They are rare, so it
 * reads them from the spool again.
 */
const refusedRules = (
  spool: string,
  journal: ImportJournal,
  before: ImportJournal,
  refused: ReadonlyArray<SuppressionRejection>,
): ImportJournal["refused"] => {
  const reasons = new Map(refused.map(({ index, reason }) => [before.rulesDone + index, reason]))
  const rules: Array<ImportJournal["refused"][number]> = []
  let at = journal.rulesDone
  for (const { type, value, file, line } of spooledRules(spool, journal.bytesDone)) {
    if (rules.length === reasons.size) break
    const reason = reasons.get(at)
    if (reason !== undefined) rules.push({ type, value, file, line, reason })
    at += 1
  }
  return rules
}
