// A file that is not read, because a guess could suppress the wrong people or lose a row. Nothing of it is
// used.

/** Its message names the file, and the line where there is one. */
export class ReadingError extends Error {
  override readonly name = "ReadingError"
  /** What the user can do, as a sentence; undefined when the message says it. */
  readonly nextStep: string | undefined

  constructor(message: string, nextStep?: string) {
    super(message)
    this.nextStep = nextStep
  }
}
