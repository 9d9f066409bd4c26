// Errors of the CLI itself. Each ends the process with an exit code of spec 1.1 and says the next step if there is
// one.

/** The exit codes. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  authentication: 4,
  notFound: 5,
  conflict: 6,
  /** With --exit-code: there are changes. */
  changes: 7,
  interrupted: 130,
  /** By SIGTERM, as in shells. */
  terminated: 143,
} as const

/** With rejected rows: failed if none was accepted, otherwise partly done. */
export const exitCodeOf = (rows: {
  readonly accepted: number
  readonly rejected: number
}): number => {
  if (rows.rejected === 0) return ExitCode.done
  return rows.accepted === 0 ? ExitCode.failed : ExitCode.partial
}

/** A failure the CLI knows by name. Its message never contains a key. */
export class CliError extends Error {
  override readonly name = "CliError"
  /** SCREAMING_SNAKE, for programs that read the JSON form. */
  readonly code: string
  readonly exitCode: number
  /** What to do next, as a sentence or as `Run: …`; null if nothing helps. */
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

/** An unknown command or option, a missing or invalid argument, or a question without a terminal. */
export const usageError = (message: string, nextStep?: string): CliError =>
  new CliError({
    code: "USAGE_ERROR",
    message,
    exitCode: ExitCode.usage,
    ...(nextStep === undefined ? {} : { nextStep }),
  })

/** Thrown to stop a command when its output is closed. */
export class ReaderClosed extends Error {
  override readonly name = "ReaderClosed"
}

/** The code of a failure of the system, such as `ENOENT`; the failure itself if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

/** A file given on the command line that cannot be read: exit code 2. */
export const unreadable = (file: string, error: unknown): CliError => {
  const code = codeOf(error)
  return usageError(code === "ENOENT" ? `File not found: ${file}` : `Can't read ${file} (${code}).`)
}
