// Sends the rules of a spool, 25,000 to a request, one request at a time.

import type { SuppressionRuleInput } from "@footfall/sdk"
import { patiently } from "../patience/patience.ts"
import type { Work } from "../terminal/work.ts"
import { spooledRules } from "./rule-spool.ts"

/** Rules of one request (spec 5.5). */
export const RULES_PER_REQUEST = 25_000

/** For each request: it may wait for others that write to the same list, and is repeated here alone. */
export const requestOptions = { retriesMax: 0, timeoutMs: 120_000 }

/** `onDone` hears how many were sent. Errors: those of `send`, when patience has ended. */
export const inChunks = async (
  spool: string,
  { patience }: Work,
  onDone: (count: number) => void,
  send: (rules: ReadonlyArray<SuppressionRuleInput>) => Promise<unknown>,
): Promise<void> => {
  let chunk: Array<SuppressionRuleInput> = []
  const flush = async (): Promise<void> => {
    const rules = chunk
    chunk = []
    if (rules.length === 0) return
    await patiently(() => send(rules), patience)
    onDone(rules.length)
  }
  for await (const { type, value } of spooledRules(spool)) {
    chunk.push({ type, value })
    if (chunk.length === RULES_PER_REQUEST) await flush()
  }
  await flush()
}
