// The exit codes of decisions.md 1.1.

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
