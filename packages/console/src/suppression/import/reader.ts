// Client for the worker that reads a file of rules.
import type { Answer, Method, ReadProgress, Request } from "./messages.ts"
import type { RuleFile } from "./rule-file.ts"

/** Explains to the user what is wrong with the file. */
export class FileProblem extends Error {
  override readonly name = "FileProblem"
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export class Reader {
  readonly #worker = new Worker(new URL("./rule-file.worker.ts", import.meta.url), {
    type: "module",
  })
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor(file: File, onProgress: (progress: ReadProgress) => void) {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      if ("progress" in data) onProgress(data.progress)
      else this.#answered(data)
    })
    this.#worker.addEventListener("error", () => {
      const error = new FileProblem("The file reader could not be loaded. Reload the page.")
      for (const { reject } of this.#waiting.values()) reject(error)
    })
    this.#post({ file })
  }

  /** Errors: FileProblem. */
  call<Name extends Method>(
    method: Name,
    ...args: Parameters<RuleFile[Name]>
  ): Promise<Awaited<ReturnType<RuleFile[Name]>>> {
    this.#lastId += 1
    const id = this.#lastId
    const { promise, reject, resolve } =
      Promise.withResolvers<Awaited<ReturnType<RuleFile[Name]>>>()
    // The worker answers with the method's result.
    this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject })
    this.#post({ id, method, args })
    return promise
  }

  /** Pending calls never settle. */
  close(): void {
    this.#worker.terminate()
  }

  #answered(answer: Exclude<Answer, { readonly progress: unknown }>): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ("result" in answer) waiting?.resolve(answer.result)
    else waiting?.reject(new FileProblem(answer.error))
  }

  #post(request: Request): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has only its page
    this.#worker.postMessage(request)
  }
}
