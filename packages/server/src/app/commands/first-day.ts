// The steps from an empty installation to its first audience: what each step needs, and the one command for it (spec
// 19.4). `start` and `doctor` print the same text.
import type { FirstDay } from "../server/first-day-store.ts"

export interface FirstStep {
  readonly check: string
  readonly isDone: boolean
  readonly message: string
  /** A command of `footfall` or `footfall-server`; DOMAIN is the reader's. */
  readonly command: string
}

const step = (
  check: string,
  isDone: boolean,
  [done, open]: readonly [done: string, open: string],
  command: string,
): FirstStep => ({ check, isDone, message: isDone ? done : open, command })

/** Other settings that decide which command helps. */
export interface FirstDaySettings {
  /** Whether IP_COMPANY_FILE is set. */
  readonly hasCompanyFile: boolean
}

/** In the order in which to do them. */
export const firstSteps = (
  state: FirstDay,
  { hasCompanyFile }: FirstDaySettings,
): ReadonlyArray<FirstStep> => {
  if (!state.hasOrganization) {
    return [
      step(
        "organization",
        false,
        ["", "There is no organization yet."],
        "footfall-server init --organization NAME --email ADDRESS",
      ),
    ]
  }
  return [
    state.hasPixel
      ? step(
          "events",
          state.hasEvents,
          ["Events have arrived.", "There is a pixel, but no events have arrived yet."],
          "footfall pixels verify DOMAIN",
        )
      : step("pixel", false, ["", "There is no pixel yet."], "footfall pixels create DOMAIN"),
    step(
      "people",
      state.hasPeople,
      [
        "People have been identified.",
        "No one has been identified yet: call footfall.identify(email) on the site, or import identity links.",
      ],
      "footfall-server import links FILE",
    ),
    step(
      "company visits",
      state.hasCompanies,
      [
        "Companies have visited.",
        hasCompanyFile
          ? "No companies have visited yet: no visit came from a network in IP_COMPANY_FILE."
          : "No companies have visited yet. To recognize the companies of anonymous visitors, set IP_COMPANY_FILE.",
      ],
      hasCompanyFile
        ? "footfall pixels verify DOMAIN"
        : "IP_COMPANY_FILE=networks.csv footfall-server start",
    ),
    step(
      "topics",
      state.hasTopics,
      ["The catalog has topics.", "There are no topics, so you can't build an audience."],
      "footfall-server starter-topics",
    ),
    step(
      "signals",
      state.hasSignals,
      [
        "There are signals.",
        state.hasTopicRules
          ? "There are no signals: no identified person has visited a page with a topic rule yet."
          : "There are no signals: none were imported, and no pixel has topic rules.",
      ],
      state.hasTopicRules ? "footfall visitors list" : "footfall pixels suggest-topics DOMAIN",
    ),
  ]
}
