// The session that `visitors session` and `companies session` show, and its events.

import type { SessionEvent, SessionEventListMeta, SessionSummary } from "@footfall/sdk"
import { type Command, InvalidArgumentError } from "commander"
import { addListOptions } from "../command/list-options.ts"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import type { ListForm } from "../output/print-list.ts"

const LATEST = "latest"
/** Characters of an id that lists of sessions show. */
const SHOWN_LENGTH = 8
const ID_LENGTH = 32

/** Events per page for `--all`, the API's maximum. */
export const EVENTS_PAGE_MAX = 500

/** Adds `[session]`, `--limit` and `--all`. */
export const addSessionArgument = (command: Command): Command =>
  addListOptions(
    command.argument(
      "[session]",
      "id of the session, its first 8 characters, or `latest`",
      (text: string) => {
        const id = text.trim().toLowerCase()
        if (id === LATEST || new RegExp(`^[0-9a-f]{${SHOWN_LENGTH},${ID_LENGTH}}$`).test(id)) {
          return id
        }
        throw new InvalidArgumentError("Expected the id of a session, or `latest`.")
      },
      LATEST,
    ),
    "events",
  )

/** The first part of a session's id, enough to name it. */
export const shortId = ({ sessionId }: Pick<SessionSummary, "sessionId">): string =>
  sessionId.slice(0, SHOWN_LENGTH)

/** The whole id of the session that was named. `sessions`: newest first. Errors: `NOT_FOUND`. */
export const sessionNamed = async (
  text: string,
  sessions: () => AsyncIterable<SessionSummary>,
): Promise<string> => {
  if (text.length === ID_LENGTH) return text
  for await (const { sessionId } of sessions()) {
    if (text === LATEST || sessionId.startsWith(text)) return sessionId
  }
  throw new CliError({
    code: "NOT_FOUND",
    message: text === LATEST ? "There are no sessions." : `No session begins with ${text}.`,
    exitCode: ExitCode.notFound,
  })
}

/** Every field of an event, in order. A test compares them with the SDK's type. */
export const eventColumns = [
  "id",
  "type",
  "at",
  "path",
  "keyPage",
  "title",
  "name",
  "props",
  "secondsVisible",
  "referrerDomain",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "utmTerm",
  "utmContent",
] as const satisfies ReadonlyArray<keyof SessionEvent>

export const eventListForm: ListForm<SessionEvent, SessionEventListMeta> = {
  csvColumns: eventColumns,
  hint: "The session has no page views and no custom events.",
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { EventList }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./session-view.tsx"),
    ])
    return drawn(
      EventList,
      { events: data, hasMore: meta.hasMore, screenColumns: columns },
      columns,
    )
  },
}
