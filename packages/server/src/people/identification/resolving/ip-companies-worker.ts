// Parses a CSV of networks outside the event loop, because two million rows take seconds.
import { parentPort, workerData } from "node:worker_threads"
import { readNetworks } from "./ip-companies.ts"

/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
try {
  parentPort!.postMessage({ table: readNetworks(Buffer.from(workerData as Uint8Array)) })
} catch (error) {
  parentPort!.postMessage({ wrong: error instanceof Error ? error.message : String(error) })
}
