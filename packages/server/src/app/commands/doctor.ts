// `footfall-server doctor`: says what is wrong with this installation and how to fix it. Changes nothing, except what
// `start` keeps in an existing data directory. It starts a stopped embedded database while it checks. Every check
// reports what it found; failed ones also give a next step.
import { Effect, type FileSystem } from "effect"
import { ServerConfig } from "../config/config.ts"
import type { ConfigOptions } from "../config/options.ts"
import { guidePage } from "../../platform/guide-page.ts"
import { BaseConfiguration } from "../server/base-configuration.ts"
import { databaseFindings } from "./doctor/database-findings.ts"
import { type Finding, failed, isBad } from "./doctor/finding.ts"
import { hostFindings } from "./doctor/host-findings.ts"
import { Output } from "./output.ts"

/** Prints the findings. True if nothing is wrong; warnings do not count. */
export const doctor = Effect.fn("doctor")(function* (options: ConfigOptions) {
  const output = yield* Output
  const findings = yield* findingsOf(options)
  const isHealthy = !findings.some(isBad)
  yield* output.result({ healthy: isHealthy, checks: findings }, textOf(findings))
  return isHealthy
})

const findingsOf = (
  options: ConfigOptions,
): Effect.Effect<ReadonlyArray<Finding>, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const config = yield* ServerConfig
    const host = yield* hostFindings(config)
    const database = yield* databaseFindings(config)
    const found: Finding = {
      check: "configuration",
      status: "ok",
      message: "Every variable has a valid value.",
    }
    return [found, ...host, ...database]
  }).pipe(
    Effect.provide(BaseConfiguration(options)),
    Effect.catchTag("ConfigInvalid", ({ message, variable }) =>
      Effect.succeed([
        failed(
          "configuration",
          message,
          `See ${variable} in ${guidePage("reference/configuration")}`,
        ),
      ]),
    ),
    Effect.scoped,
  )

const marks = { ok: "ok     ", warning: "warning", failed: "FAILED ", skipped: "-      " } as const

const textOf = (findings: ReadonlyArray<Finding>): string => {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings
    .flatMap(({ advice, check, message, status }) => [
      `${marks[status]}  ${check.padEnd(width)}  ${message}`,
      ...(advice === undefined ? [] : [`${" ".repeat(width + 11)}${advice}`]),
    ])
    .join("\n")
}
