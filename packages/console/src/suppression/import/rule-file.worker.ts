// Reads a file of rules in a worker, so that the page stays responsive for any file size.
import { ReadingError } from "@footfall/normal-form/reading"
import type { Answer, ReadProgress, Request } from "./messages.ts"
import { RuleFile } from "./rule-file.ts"

/** Minimum time between progress messages. In milliseconds. */
const pauseMs = 100

let opened: RuleFile | undefined
let postedAt = 0

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has only its page
const answer = (message: Answer): void => postMessage(message)

const onProgress = (progress: ReadProgress): void => {
  if (performance.now() - postedAt < pauseMs) return
  postedAt = performance.now()
  answer({ progress })
}

const messageOf = (error: unknown): string => {
  if (error instanceof ReadingError) return [error.message, error.nextStep ?? ""].join(" ").trim()
  return error instanceof Error ? error.message : String(error)
}

addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  if ("file" in data) {
    opened = new RuleFile(data.file, onProgress)
    return
  }
  const { args, id, method } = data
  try {
    if (opened === undefined) throw new Error("No file was opened")
    // The page calls it with the right types.
    const result: unknown = await Reflect.apply(opened[method], opened, args)
    answer({ id, result })
  } catch (error) {
    answer({ id, error: messageOf(error) })
  }
})
