// A reader's terminal: the commands of one page, one after the other in one shell, with the built programs. The page
// ends at the first command that fails and at the first error of the server.
import { execFile } from "node:child_process"
import { chmod, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { inject } from "vitest"
import { compiledOnce } from "../../../../scripts/test-run/compiled-once.ts"
import "../support/database-setup.ts"
import { repository, type Snippet } from "./snippets.ts"

/** What a page assumes. */
export interface Given {
  /** Text of its commands and the replacement. `{NAME}` is that variable's value. */
  readonly instead?: ReadonlyArray<readonly [string, string]>
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

export interface Output {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** The output of the blocks marked `background`. */
  readonly background: string
}

const runMaxMs = 110_000
/** How long `footfall listen` listens before Ctrl-C, unless it runs in the background. */
const listenSeconds = 2

/** Programs as in a reader's PATH. `listen` is ended by Ctrl-C. `curl` fails when the server refuses a request. */
const programs = (): Readonly<Record<string, string>> => {
  const node = process.execPath
  const footfall = `"${node}" "${join(repository, "packages/cli/bin/footfall.js")}"`
  return {
    node: `exec "${node}" "$@"`,
    npx: `exec "$@"`,
    footfall: `if [ "$1" = listen ] && [ -z "\${BACKGROUND-}" ]; then
  timeout --signal INT ${listenSeconds} ${footfall} "$@" && code=0 || code=$?
  [ $code = 124 ] || [ $code = 130 ] || exit $code
else exec ${footfall} "$@"; fi`,
    duckdb: `exec "${node}" "${join(repository, "packages/server/test/docs/duckdb.ts")}" "$@"`,
    "footfall-server": `exec "${node}" "${join(repository, "packages/server/bin/footfall-server.js")}" "$@"`,
    curl: `exec /usr/bin/curl --fail-with-body --silent --show-error "$@"`,
  }
}

/** Runs a page's shell blocks that may be run. */
export const runPage = async (
  snippets: ReadonlyArray<Snippet>,
  { files = {}, instead = [] }: Given,
  environment: Readonly<Record<string, string>>,
): Promise<Output> => {
  const folder = await mkdtemp(join(inject("temporaryDirectory"), "page-"))
  const bin = join(folder, ".bin")
  await mkdir(bin)
  for (const [name, script] of Object.entries(programs())) {
    await writeFile(join(bin, name), `#!/bin/bash\n${script}\n`)
    await chmod(join(bin, name), 0o755)
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"))
  await writeFile(join(folder, ".background"), "")
  const script = join(folder, ".page.sh")
  await writeFile(script, scriptOf(snippets, instead, environment))
  const env = {
    TMPDIR: process.env["TMPDIR"],
    ...compiledOnce(),
    ...environment,
    PATH: `${bin}:${process.env["PATH"]}`,
  }
  const said = await new Promise<Omit<Output, "background">>((resolve) => {
    execFile(
      "bash",
      ["--norc", script],
      { cwd: folder, env, timeout: runMaxMs },
      (error, stdout, stderr) =>
        resolve({ stdout, stderr, exitCode: error === null ? 0 : Number(error.code ?? 1) }),
    ).stdin?.end()
  })
  return { ...said, background: await readFile(join(folder, ".background"), "utf8") }
}

const scriptOf = (
  snippets: ReadonlyArray<Snippet>,
  instead: Given["instead"] & object,
  environment: Readonly<Record<string, string>>,
): string => {
  const valued = (text: string) =>
    text.replace(/\{([A-Z]+)\}/g, (whole, name: string) => environment[name] ?? whole)
  const here = (code: string): string =>
    instead.reduce(
      (text, [written, meant]) => text.replaceAll(written, valued(meant)),
      // Their commands are on the PATH, where npx would find them.
      code
        .replaceAll("npx @footfall/cli", "footfall")
        .replaceAll("npx @footfall/server", "footfall-server"),
    )
  const blocks = snippets.map((snippet) => {
    const at = `at='${snippet.file}:${snippet.line}'`
    const code = here(commandsOf(snippet))
    return snippet.meta === "background"
      ? `${at}\nBACKGROUND=1 bash -ec ${quoted(code)} >.background 2>&1 &\nbackground=$!
for _ in $(seq 300); do [ -s .background ] && break; sleep 0.1; done`
      : `${at}\n${code}`
  })
  return `set -Eeuo pipefail
background=
trap 'echo "$at: $BASH_COMMAND" >&2' ERR
trap '[ -z "$background" ] || kill $background 2>/dev/null || true; wait' EXIT
${blocks.join("\n")}
`
}

/** The lines after `$` in a recorded session. */
const commandsOf = ({ code, language }: Snippet): string =>
  language === "console"
    ? code
        .split("\n")
        .filter((line) => line.startsWith("$ "))
        .map((line) => line.slice(2))
        .join("\n")
    : code

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
