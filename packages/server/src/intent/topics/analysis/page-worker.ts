// Reads pages in a thread, one after another, each as a message. Loads no module of Effect, so that it starts at once.
import { parentPort } from "node:worker_threads"
import { type FetchedPage, readingOf } from "./page-reading.ts"
import { loadStopWords } from "./stop-words.ts"

const stopWords = await loadStopWords()
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
parentPort!.on("message", (page: FetchedPage) => {
  parentPort!.postMessage(readingOf(page, stopWords))
})
parentPort!.postMessage("ready")
