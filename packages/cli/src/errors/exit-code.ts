// The exit codes of decisions.md 1.1. Code 3 (done in part) belongs to commands that write rows.

/** How the process says what became of the command. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  authentication: 4,
  notFound: 5,
  conflict: 6,
  interrupted: 130,
} as const
