// Times statements in psql, the minimum between a person and Postgres: the same text with literal values, one
// connection, output discarded.
import { spawn } from "node:child_process"
import { once } from "node:events"

export interface TimedStatement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** Milliseconds of each statement, from psql's `\timing`. Requires psql on the path. */
export const psqlMs = async (
  database: string,
  statements: ReadonlyArray<TimedStatement>,
): Promise<ReadonlyArray<number>> => {
  const child = spawn("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", database], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
  const lines = [
    "\\o /dev/null",
    "\\timing on",
    ...statements.map((statement) => `${withLiterals(statement)};`),
  ]
  child.stdin.end(lines.join("\n") + "\n")
  const [code] = (await once(child, "close")) as [number]
  const times = [...output.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, ms]) => Number(ms))
  if (code !== 0 || times.length !== statements.length) {
    throw new Error(`psql ended with ${code}: ${output}`)
  }
  return times
}

const withLiterals = ({ text, values }: TimedStatement): string =>
  text.replaceAll(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1]))

const literal = (value: unknown): string => {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Array.isArray(value)) {
    return quoted(
      `{${value.map((item) => `"${String(item).replaceAll(/["\\]/g, "\\$&")}"`).join()}}`,
    )
  }
  return quoted(String(value))
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
