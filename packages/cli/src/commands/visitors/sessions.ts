// `footfall visitors sessions`: the sessions of one visitor, newest first.

import type { SessionListMeta, SessionSummary, Timeframe } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { timeframes } from "../../timeframes.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"
import { pixelId, windowInWords } from "./question.ts"
import { visitorNamed } from "./visitor-id.ts"

/** As commander hands them over. */
interface SessionsOptions extends GlobalOptions, ListOptions {
  readonly timeframe: Timeframe
  readonly pixel?: string
}

/** Adds the command to its group. */
export const addVisitorsSessions = (visitors: Command, terminal: Terminal): void => {
  const sessions = visitors
    .command("sessions")
    .description("list the sessions of one visitor, newest first")
    .argument("<email>", "any of their addresses, or the hash of one")
    .addOption(
      new Option("--timeframe <window>", "how far back to look").choices(timeframes).default("30d"),
    )
    .addOption(new Option("--pixel <id>", "only this pixel").argParser(pixelId))
  addListOptions(sessions, "sessions")
    .addHelpText(
      "after",
      examples(
        "footfall visitors sessions nadia.osei@northwind-robotics.example",
        "footfall visitors sessions nadia.osei@northwind-robotics.example --timeframe all --all",
        "footfall visitors sessions 930ddda8… --json | jq '.data[].entryPage'",
      ),
    )
    .action(async (person: string, _options, command: Command) => {
      const options = command.optsWithGlobals<SessionsOptions>()
      const output = outputOf(options, terminal)
      const { id } = await visitorNamed(person)
      const client = await connect(terminal, command)
      const list = client.visitors.sessions(id, {
        timeframe: options.timeframe,
        pixelId: options.pixel,
      })
      const form = sessionListForm(windowInWords(options.timeframe))
      await printList(terminal, output, limitedPages(list.pages(), rowsMax(options)), form)
    })
}

const sessionListForm = (window: string): ListForm<SessionSummary, SessionListMeta> => ({
  csvColumns: sessionColumns,
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { SessionList }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/SessionList.tsx"),
    ])
    return drawn(SessionList, { sessions: data, hasMore: meta.hasMore, window }, columns)
  },
})

/** Every field of spec 2.2, in its order. A test compares them with the SDK's type. */
export const sessionColumns = [
  "sessionId",
  "startTime",
  "endTime",
  "durationSeconds",
  "pageviews",
  "uniquePages",
  "pricingPageViews",
  "demoPageViews",
  "entryPage",
  "exitPage",
  "channel",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "clickIdTypes",
  "pixelId",
  "deviceType",
  "country",
  "isFirstSession",
  "isBounce",
  "converted",
] as const satisfies ReadonlyArray<keyof SessionSummary>
