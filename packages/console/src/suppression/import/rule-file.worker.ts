// Reads a file of rules beside the page, so that the page goes on whatever its size.
import { ReadingError } from "@footfall/normal-form/reading"
import type { Answer, ReadProgress, Request } from "./messages.ts"
import { RuleFile } from "./rule-file.ts"

/** Progress is posted no more often. Units: milliseconds. */
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
    // The page calls it by its own types.
    const result: unknown = await Reflect.apply(opened[method], opened, args)
    answer({ id, result })
  } catch (error) {
    answer({ id, error: messageOf(error) })
  }
})
