// An export to a pipe: the same pages and waits, but it cannot be resumed.

import type { Footfall } from "@footfall/sdk"
import { setTimeout as wait } from "node:timers/promises"
import type { RunningWait } from "../retry/running-wait.ts"
import { showProgress } from "../terminal/progress.ts"
import { type Terminal, writeSafe } from "../terminal/terminal.ts"
import type { ExportJournal } from "./export-file.ts"
import { exportPages, exportProgress } from "./export-pages.ts"

/** Writes every row. Errors: those of the server. */
export const exportToStdout = async (
  terminal: Terminal,
  client: Footfall,
  { question, format }: Pick<ExportJournal, "question" | "format">,
): Promise<void> => {
  const cursorAt = terminal.now.toISOString()
  const begun = { version: 1, server: client.baseUrl, question, format, cursor: null } as const
  let journal: ExportJournal = { ...begun, cursorAt, rows: 0, bytes: 0, total: 0 }
  let running: RunningWait | null = null
  const beganMs = performance.now()
  const state = () =>
    exportProgress({
      title: "Exporting to standard output",
      journal,
      rowsBefore: 0,
      beganMs,
      nowMs: performance.now(),
      wait: running,
    })
  // On a terminal, the rows already show the progress, and a progress bar would mix with them.
  const progress = terminal.stdout.isTTY ? null : await showProgress(terminal, state)
  const sink = {
    get journal() {
      return journal
    },
    append: async (text: string, next: Omit<ExportJournal, "bytes">): Promise<void> => {
      await writeSafe(terminal, text)
      journal = { ...next, bytes: journal.bytes + Buffer.byteLength(text) }
    },
  }
  try {
    await exportPages(client, sink, {
      wait,
      onWait: (started) => {
        running = started === null ? null : { ...started, sinceMs: performance.now() }
        progress?.update()
      },
      onPage: () => progress?.update(),
    })
  } finally {
    progress?.end()
  }
}
