// The exit codes of spec 1.1. What was asked for and is so already is done; what was declined, or
// rejected whole, has failed.

/** How the process says what became of the command. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  authentication: 4,
  notFound: 5,
  conflict: 6,
  interrupted: 130,
  /** By SIGTERM, as shells have it. */
  terminated: 143,
} as const

/** When rows were rejected: nothing was done where none was taken, else a part. */
export const exitCodeOf = (rows: { readonly taken: number; readonly rejected: number }): number => {
  if (rows.rejected === 0) return ExitCode.done
  return rows.taken === 0 ? ExitCode.failed : ExitCode.partial
}
