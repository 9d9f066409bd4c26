// The sentence that opens the overview, composed by rules from the codes that the API gives: who turned hot today or this
// week, and what the hottest of them did. At most two sentences.
import type { Score } from "@footfall/sdk"

export interface LeadAccount {
  readonly domain: string
  readonly name: string
  readonly score: Pick<Score, "total" | "hot" | "top">
  /** Totals with which today and this week began; null without one, undefined while they load. */
  readonly previous: { readonly dayAgo: number | null; readonly monday: number | null } | undefined
}

/** With `domain` it is the name of that account. */
export interface LeadPart {
  readonly text: string
  readonly domain?: string
}

const numbers = "no one two three four five six seven eight nine ten eleven twelve".split(" ")

/** `three`; figures above twelve. */
const inWords = (value: number): string => numbers[value] ?? String(value)

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** What an account did, after its name. */
const deeds: ReadonlyMap<string, string> = new Map([
  ["submitted_form", " has sent a form."],
  ["visited_demo", " has looked at the demo."],
  ["visited_pricing", " has read pricing."],
  ["researches", " reads about your topics."],
  ["visits", " keeps coming back."],
  ["active_days", " keeps coming back."],
  ["pageviews", " has read many pages."],
])

const deedOf = ({ domain, name, score: { top } }: LeadAccount): ReadonlyArray<LeadPart> => {
  const account = { text: name, domain }
  if (top?.code === "visited_path" && top.params.path !== undefined) {
    return [account, { text: ` has read ${top.params.path}.` }]
  }
  return [account, { text: deeds.get(top?.code ?? "") ?? " is the hottest." }]
}

/** `accounts`: hottest first. `threshold`: from which total someone is hot. */
export const leadOf = (
  accounts: ReadonlyArray<LeadAccount>,
  threshold: number,
): ReadonlyArray<LeadPart> => {
  const hot = accounts.filter(({ score }) => score.hot)
  const since = (from: "dayAgo" | "monday") =>
    hot.filter(({ previous }) => previous !== undefined && (previous[from] ?? 0) < threshold)
  const today = since("dayAgo")
  const week = since("monday")
  const [turned, when] = today.length > 0 ? [today, "today"] : [week, "since Monday"]
  const [first] = turned
  if (first === undefined) {
    const [hottest] = hot
    if (hottest === undefined) return [{ text: "A quiet day so far." }]
    return [{ text: "No account turned hot since Monday. " }, ...deedOf(hottest)]
  }
  if (turned.length === 1) {
    return [{ text: first.name, domain: first.domain }, { text: ` turned hot ${when}.` }]
  }
  return [
    { text: `${capital(inWords(turned.length))} accounts turned hot ${when}. ` },
    ...deedOf(first),
  ]
}
