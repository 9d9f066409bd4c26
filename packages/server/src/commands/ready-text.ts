// What a person reads when the server is ready: where it is, what it is for, what to try next.
import { styleText } from "node:util"
import type { DemoInstallation } from "../demo/demo.ts"

export interface Ready {
  /** Undefined: only workers run. */
  readonly url: string | undefined
  readonly pixelBaseUrl: string
  readonly database: "embedded" | "postgres"
  readonly dataDir: string
  readonly demo: DemoInstallation | undefined
  /** Whether the demo's profile is the command line's current one; undefined: not written. */
  readonly profile: "current" | "other" | undefined
  /** How the command line is called here. See commandLineOf. */
  readonly commandLine: string
  /** Whether there is one already, of the demo or another. */
  readonly hasOrganization: boolean
  readonly hasColor: boolean
}

/**
 * `isInstalled`: whether `npx footfall` is ours here. Where it is not installed npm would run a stranger's
 * package of that name.
 */
export const commandLineOf = (isInstalled: boolean): string =>
  isInstalled ? "npx footfall" : "npx --package=@footfall/cli footfall"

export const readyText = (ready: Ready): string => {
  const bold = styler(ready.hasColor, "bold")
  const dim = styler(ready.hasColor, "dim")
  const cyan = styler(ready.hasColor, "cyan")
  const store = ready.database === "embedded" ? `embedded Postgres in ${ready.dataDir}` : "Postgres"
  const row = (name: string, value: string) => `  ${dim(name.padEnd(10))} ${value}`
  if (ready.url === undefined) return `\n  ${bold("Footfall workers are running")}  ${dim(store)}\n`
  const { demo, pixelBaseUrl, url } = ready
  return [
    "",
    `  ${bold("Footfall is running")}  ${dim(store)}`,
    "",
    row("Server", cyan(url)),
    row("API docs", cyan(`${url}/docs`)),
    ...(demo === undefined
      ? []
      : [
          row(
            "Demo page",
            `${cyan(`${url}/demo`)}  ${dim("it identifies the browser that opens it")}`,
          ),
          row("API key", demo.apiKey),
          row("Pixel tag", `<script async src="${pixelBaseUrl}/p/${demo.pixelId}.js"></script>`),
          row("Owner", `${demo.owner.email}  ${dim("password")} ${demo.owner.password}`),
        ]),
    "",
    ...nextSteps(ready, bold),
    `  ${dim("Ctrl-C stops the server; its data stays.")}`,
    "",
  ].join("\n")
}

/** None for an organization that is not the demo's: whoever made it knows. */
const nextSteps = (
  { commandLine, demo, hasOrganization, profile, url }: Ready,
  bold: (text: string) => string,
): ReadonlyArray<string> => {
  if (demo !== undefined) {
    const footfall = profile === "other" ? `${commandLine} --profile demo` : commandLine
    return [
      "  Next, in another terminal:",
      `    ${bold(`${footfall} visitors list --timeframe 30d`)}`,
      `    ${bold(`${footfall} pixels list`)}`,
      `    ${bold(`curl -H "X-API-Key: ${demo.apiKey}" "${url}/v1/data?timeframe=30d"`)}`,
      "",
    ]
  }
  if (hasOrganization) return []
  return [
    "  No organization yet. Make one, in another terminal:",
    `    ${bold("npx footfall-server init --organization NAME --email ADDRESS")}`,
    "",
  ]
}

const styler =
  (hasColor: boolean, format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    hasColor ? styleText(format, text, { validateStream: false }) : text
