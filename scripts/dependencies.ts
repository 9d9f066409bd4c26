// CI checks for installed packages. `audit` asks the registry whether a production package has a known vulnerability of
// high or critical severity. `licences` checks every license in the lock file. If the registry is unreachable, it
// prints a prominent warning and doesn't fail. Any other error fails.
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"

/** The result of a check: what to print, and whether the step fails. */
export interface Verdict {
  readonly lines: ReadonlyArray<string>
  readonly isFailure: boolean
}

/** A package in the lock file, with the fields for the license check. */
export interface Locked {
  readonly license?: string
  readonly version?: string
  readonly dev?: boolean
  readonly link?: boolean
}

/** Licenses that only require attribution. */
const permissive = new Set([
  ...[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BlueOak-1.0.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
  ],
  "Unlicense",
])

/** For build and test tools, which aren't distributed. */
const ofTools = new Set([...permissive, "MPL-2.0", "Python-2.0", "WTFPL", "CC BY-SA 4.0"])

/** Packages without a license in the lock file. Checked by hand on 2026-11-22. */
const read = new Map([
  ["@segment/facade", "MIT"],
  ["@segment/isodate", "MIT"],
  ["@segment/isodate-traverse", "MIT"],
  ["new-date", "MIT"],
  ["spawndamnit", "MIT"],
])

/** Supports SPDX expressions of names, AND and OR, as far as packages use them: AND binds tighter, no parentheses. */
export const isAllowed = (expression: string, allowed: ReadonlySet<string>): boolean =>
  expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((part) => part.split(" AND ").every((name) => allowed.has(name)))

export const licences = (packages: Readonly<Record<string, Locked>>): Verdict => {
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && link !== true,
  )
  const lines = installed.flatMap(([path, { dev, license, version }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
    const licence = read.get(name) ?? license ?? "none"
    if (isAllowed(licence, dev === true ? ofTools : permissive)) return []
    return [
      `${name} ${version}: the license ${licence} is not on the list of scripts/dependencies.ts`,
    ]
  })
  const summary = `${installed.length} packages, ${lines.length} with a license that is not allowed`
  return { lines: [...lines, summary], isFailure: lines.length > 0 }
}

/** Output of `npm audit --json`. */
interface AuditReport {
  readonly message?: string
  readonly statusCode?: number
  readonly error?: { readonly code?: string | null; readonly summary?: string }
  readonly metadata?: { readonly vulnerabilities: Readonly<Record<string, number>> }
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>
}

const severe = new Set(["high", "critical"])
/** npm's messages if the registry is missing, doesn't respond, or has no audit service. */
const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET|audit endpoint|\b(404|405|5\d\d)\b/

export const audit = (output: string): Verdict => {
  const report = readJson(output)
  if (report?.metadata === undefined) {
    const reason = [report?.message, report?.error?.code, report?.error?.summary]
      .filter(Boolean)
      .join(" ")
    return unreachable.test(reason)
      ? {
          lines: [`WARNING: dependencies were NOT audited, the registry gave no answer: ${reason}`],
          isFailure: false,
        }
      : { lines: [`npm audit failed: ${reason || output}`], isFailure: true }
  }
  const found = Object.entries(report.vulnerabilities ?? {}).filter(([, { severity }]) =>
    severe.has(severity),
  )
  const lines = found.map(
    ([name, { severity }]) => `${name}: ${severity}. See: npm audit --omit=dev`,
  )
  const counts = Object.entries(report.metadata.vulnerabilities).map(
    ([severity, n]) => `${n} ${severity}`,
  )
  return {
    lines: [...lines, `Audit of production: ${counts.join(", ")}`],
    isFailure: found.length > 0,
  }
}

const readJson = (text: string): AuditReport | undefined => {
  try {
    return JSON.parse(text) as AuditReport
  } catch {
    return undefined
  }
}

/** npm exits with 1 when it finds something, so the exit code says nothing here. */
const runAudit = (): Promise<string> =>
  new Promise((resolve) => {
    execFile("npm", ["audit", "--omit=dev", "--json"], (_error, stdout, stderr) =>
      resolve(stdout || stderr),
    )
  })

if (import.meta.main) {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>
  }
  for (const { isFailure, lines } of [licences(lock.packages), audit(await runAudit())]) {
    for (const line of lines) console.log(line)
    if (isFailure) process.exitCode = 1
  }
}
