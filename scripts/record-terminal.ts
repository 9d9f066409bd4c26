// Records the command line for the README: a server with sample visitors, a shell in a real
// terminal, and one key press after another. Writes docs/images/terminal.svg, which plays without a
// script: `node scripts/record-terminal.ts`.
import { spawn } from "node:child_process"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import xterm from "@xterm/headless"
import { startTestServer } from "@footfall/server/testing"
import { drawing, type Frame, type Run } from "./record-terminal/drawing.ts"

const size = { cols: 92, rows: 28 }
const prompt = "❯ "
const root = join(import.meta.dirname, "..")

/** What is typed, and how long its result is shown, in milliseconds of the recording. */
const session: ReadonlyArray<readonly [line: string, restMs: number]> = [
  ["footfall visitors list --timeframe 30d --limit 6", 3000],
  ["footfall visitors query --where 'behavior.pricing_page_views gte 3' --limit 4", 3000],
  ["footfall suppression import customers.csv", 2500],
  ["y", 3000],
  ["footfall topics trend 'freight visibility'", 4000],
]
/** Duration of a key press and of a wait for a result in the recording, regardless of the real time. */
const keyMs = 45
const waitMs = 450

const server = await startTestServer({ sample: true })
const folder = await mkdtemp(join(tmpdir(), "footfall-recording-"))
await symlink(join(root, "packages/cli/bin/footfall.js"), join(folder, "footfall"))
const emails = Array.from({ length: 1200 }, (_, at) => `customer${at}@acme.example`)
await writeFile(
  join(folder, "customers.csv"),
  ["Email", ...emails, "not an address", ""].join("\n"),
)

const shell = spawn(
  "script",
  ["-qfec", `stty cols ${size.cols} rows ${size.rows}; bash --norc --noprofile`, "/dev/null"],
  {
    cwd: folder,
    env: {
      PATH: `${folder}:${join(root, "node_modules/.bin")}:${process.env["PATH"]}`,
      HOME: folder,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      PS1: prompt,
      FOOTFALL_API_KEY: server.apiKey,
      FOOTFALL_BASE_URL: server.url,
      FOOTFALL_CONFIG_DIR: folder,
    },
  },
)
const terminal = new xterm.Terminal({ ...size, allowProposedApi: true })
let lastOutput = Date.now()
shell.stdout.on("data", (chunk: Buffer) => {
  lastOutput = Date.now()
  terminal.write(chunk)
})

const lineOf = (row: number): ReadonlyArray<Run> => {
  const { active } = terminal.buffer
  const line = active.getLine(active.viewportY + row)
  const runs: Array<Run> = []
  for (let column = 0; column < size.cols; column++) {
    const cell = line?.getCell(column)
    const text = cell?.getChars() || " "
    const color = cell?.isFgRGB()
      ? `#${cell.getFgColor().toString(16).padStart(6, "0")}`
      : cell?.isFgPalette()
        ? cell.getFgColor()
        : undefined
    const style = {
      color,
      isBold: Boolean(cell?.isBold()),
      isDim: Boolean(cell?.isDim()),
      isInverse: Boolean(cell?.isInverse()),
    }
    const last = runs.at(-1)
    if (last !== undefined && JSON.stringify(last.style) === JSON.stringify(style))
      runs[runs.length - 1] = { ...last, text: last.text + text }
    else runs.push({ column, text, style })
  }
  return runs.filter(({ style, text }) => text.trim() !== "" || style.isInverse)
}

const frames: Array<Frame> = []
const take = async (ms: number) => {
  await new Promise<void>((resolve) => terminal.write("", resolve))
  const { active } = terminal.buffer
  frames.push({
    ms,
    lines: Array.from({ length: size.rows }, (_, row) => lineOf(row)),
    cursor: { column: active.cursorX, row: active.cursorY },
  })
}
const screen = () =>
  Array.from({ length: size.rows }, (_, row) =>
    terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row)?.translateToString(true),
  ).join("\n")
/** Waits until a prompt or a question expects a key and the output has stopped. */
const settled = async () => {
  for (const began = Date.now(); ; await sleep(50)) {
    const lastLine = screen().trimEnd().split("\n").at(-1) ?? ""
    const waits = lastLine === prompt.trim() || lastLine.endsWith("[y/N]")
    if (waits && Date.now() - lastOutput > 400) return
    if (Date.now() - began > 120_000) throw new Error(`The shell waits at: ${screen()}`)
  }
}

await settled()
await take(800)
for (const [line, restMs] of session) {
  if (line.startsWith("footfall") && terminal.buffer.active.cursorY > size.rows - 16) {
    shell.stdin.write("\f")
    await settled()
  }
  for (const key of line) {
    shell.stdin.write(key)
    await sleep(40)
    await take(keyMs)
  }
  await take(300)
  shell.stdin.write("\r")
  await sleep(150)
  await take(waitMs)
  await settled()
  await take(restMs)
}
shell.stdin.write("exit\r")
await server.close()
await rm(folder, { recursive: true })

const svg = drawing(frames, size)
await writeFile(join(root, "docs/images/terminal.svg"), svg)
console.log(
  `docs/images/terminal.svg: ${frames.length} frames, ${Math.round(svg.length / 1024)} KiB`,
)
