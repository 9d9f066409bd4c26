// What the CLI itself refuses, before or beside any answer of the server. Every one ends the process
// with an exit code of spec 1.1 and names the next step where there is one.

/** A failure the CLI knows by name. Its message never holds a key. */
export class CliError extends Error {
  override readonly name = "CliError"
  /** SCREAMING_SNAKE, for programs that read the JSON form. */
  readonly code: string
  readonly exitCode: number
  /** What to do next, as a sentence or as `Run: …`; null when nothing helps. */
  readonly nextStep: string | null

  constructor(init: {
    readonly code: string
    readonly message: string
    readonly exitCode: number
    readonly nextStep?: string
  }) {
    super(init.message)
    this.code = init.code
    this.exitCode = init.exitCode
    this.nextStep = init.nextStep ?? null
  }
}
