// A command line that cannot be carried out as it was written: exit code 2.

import { CliError } from "./cli-error.ts"
import { ExitCode } from "./exit-code.ts"

/** An unknown command or option, a missing or invalid argument, or a question nobody can answer. */
export const usageError = (message: string, nextStep?: string): CliError =>
  new CliError({
    code: "USAGE_ERROR",
    message,
    exitCode: ExitCode.usage,
    ...(nextStep === undefined ? {} : { nextStep }),
  })
