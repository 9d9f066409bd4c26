// What the server prints once it is ready: where it runs, what it is for, what to try next.
import { styleText } from "node:util"
import type { DemoInstallation } from "../demo/demo.ts"
import type { WrittenProfile } from "../demo/profile.ts"
import type { FirstDay } from "../server/first-day-store.ts"
import { firstSteps } from "./first-day.ts"

export interface Ready {
  /** Undefined if only workers run. */
  readonly url: string | undefined
  /** Where this process listens. `url` may be the public URL of a proxy. */
  readonly address: string
  readonly pixelBaseUrl: string
  readonly database: "embedded" | "postgres"
  readonly dataDir: string
  readonly demo: DemoInstallation | undefined
  readonly hasConsole: boolean
  /** The command line's profiles; undefined if the demo's was not written. */
  readonly profile: WrittenProfile | undefined
  /** What the installation has so far. */
  readonly firstDay: FirstDay
  /** Whether IP_COMPANY_FILE is set. */
  readonly hasCompanyFile: boolean
  readonly hasColor: boolean
}

/** The command by its package name, because the npm package named footfall belongs to someone else. */
export const commandLine = "npx @footfall/cli"

export const readyText = (ready: Ready): string => {
  const bold = styler(ready.hasColor, "bold")
  const dim = styler(ready.hasColor, "dim")
  const cyan = styler(ready.hasColor, "cyan")
  const store = ready.database === "embedded" ? `embedded Postgres in ${ready.dataDir}` : "Postgres"
  const row = (name: string, value: string) => `  ${dim(name.padEnd(10))} ${value}`
  const { address, demo, pixelBaseUrl, url } = ready
  if (url === undefined) {
    return [
      "",
      `  ${bold("Footfall workers are running")}  ${dim(store)}`,
      "",
      row("Health", cyan(`${address}/readyz`)),
      row("Metrics", cyan(`${address}/metrics`)),
      "",
    ].join("\n")
  }
  return [
    "",
    `  ${bold("Footfall is running")}  ${dim(store)}`,
    "",
    row("Server", cyan(url)),
    ...(url === address ? [] : [row("Listening", address)]),
    ...(ready.hasConsole ? [row("Console", cyan(`${url}/console`))] : []),
    row("API docs", cyan(`${url}/docs`)),
    ...(demo === undefined
      ? []
      : [
          row(
            "Demo page",
            `${cyan(`${url}/demo`)}  ${dim("identifies the browser that opens it")}`,
          ),
          row("API key", demo.apiKey),
          row("Pixel tag", `<script async src="${pixelBaseUrl}/p/${demo.pixelId}.js"></script>`),
          row("Owner", `${demo.owner.email}  ${dim("password")} ${demo.owner.password}`),
        ]),
    "",
    ...nextSteps(ready, bold),
    `  ${dim("Press Ctrl-C to stop the server. Your data is kept.")}`,
    "",
  ].join("\n")
}

/** For a real installation: the remaining steps to the first audience. */
const nextSteps = (
  { demo, firstDay, hasCompanyFile, profile, url }: Ready,
  bold: (text: string) => string,
): ReadonlyArray<string> => {
  if (demo !== undefined) {
    const isOther = profile !== undefined && profile.name !== profile.current
    const footfall = isOther ? `${commandLine} --profile ${profile.name}` : commandLine
    return [
      ...(isOther
        ? [
            `  Commands use the profile ${profile.current} by default. To use this server instead:`,
            `    ${bold(`${commandLine} profiles use ${profile.name}`)}`,
            "",
          ]
        : []),
      "  Next, in another terminal:",
      `    ${bold(`${footfall} visitors list --timeframe 30d`)}`,
      `    ${bold(`${footfall} pixels list`)}`,
      `    ${bold(`curl -H "X-API-Key: ${demo.apiKey}" "${url}/v1/data?timeframe=30d"`)}`,
      "",
    ]
  }
  const open = firstSteps(firstDay, { hasCompanyFile }).filter(({ isDone }) => !isDone)
  if (open.length === 0) return []
  return [
    "  Next, in another terminal:",
    ...open.flatMap(({ command, message }) => [
      `    ${message}`,
      `      ${bold(commandHere(command))}`,
    ]),
    "",
  ]
}

/** Returns the command as it is called here; the server's own command is always installed. */
const commandHere = (command: string): string =>
  command.includes("footfall-server")
    ? command.replace("footfall-server", "npx @footfall/server")
    : command.replace(/^footfall/, commandLine)

const styler =
  (hasColor: boolean, format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    hasColor ? styleText(format, text, { validateStream: false }) : text
