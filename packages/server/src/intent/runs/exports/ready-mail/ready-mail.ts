// The mail that informs an audience's creator that a run has completed, with a link to its file (spec 2.11). At most
// one per run: a mail that may have been sent is not sent again.
import { DateTime } from "effect"
import type { Queue } from "../../../../platform/jobs/queue.ts"
import { letterBodies } from "../../../../platform/outbound/mail/letter.ts"
import type { DownloadLink } from "../links.ts"

/** Our decision: three attempts, after half a minute and five minutes. */
export const readyMailQueue: Queue = {
  table: "ready_mail",
  waiting: "queued",
  working: "sending",
  attemptsMax: 3,
  retrySeconds: [30, 300],
}

/** The content of a ready mail. */
export interface ReadyRun {
  readonly runId: string
  readonly audienceName: string
  readonly dataDate: string
  readonly candidateCount: number
  readonly resultCount: number
  readonly fileName: string
}

/** Subject and bodies. An audience's name comes from a user, so it is cut and its line breaks are removed. */
export const readyLetter = (run: ReadyRun, { expiresAt, url }: DownloadLink) => {
  const name = run.audienceName.replaceAll(/\s+/g, " ").slice(0, 120)
  // Created here, because the first formatter in a process takes 20 ms, which would delay each start.
  const figure = new Intl.NumberFormat("en")
  const until = DateTime.formatIso(expiresAt).slice(0, 16).replace("T", " ")
  return {
    subject: `${name}: ${figure.format(run.resultCount)} people are ready`,
    ...letterBodies({
      paragraphs: [
        `Your audience "${name}" is ready, with data up to ${run.dataDate}.`,
        `People found: ${figure.format(run.candidateCount)}\n` +
          `After filters and suppression: ${figure.format(run.resultCount)}`,
      ],
      link: { label: `Download ${run.fileName}`, url },
      closing: `The link works until ${until} UTC. Anyone with the link can download the file, so do not share it.`,
    }),
  }
}
