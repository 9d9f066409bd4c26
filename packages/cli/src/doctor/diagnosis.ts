// The diagnosis, from the collected facts. Checks go from the outside in: server, key, organization, pixels, credits,
// visitors. Each is one line and what to do. Pure.

import type { AccountStatus, Pixel, PixelVerification } from "@footfall/sdk"
import { counted, countText, timeAgo } from "../ui/text.ts"
import { verificationFinding } from "../pixels/words.ts"

/** The result of a check; programs read the code. A note does not prevent what the user asked about. */
export interface Check {
  readonly name:
    | "server"
    | "key"
    | "organization"
    | "pixel"
    | "credits"
    | "visitors"
    | "companies"
    | "topics"
    | "signals"
  readonly state: "ok" | "note" | "problem"
  /** `ok`, or the problem, for example `pixel_paused_manual`. */
  readonly code: string
  readonly message: string
  readonly nextStep: string | null
}

/** The collected facts; a part that could not be requested is null. */
export interface DoctorFacts {
  readonly server: string
  readonly now: Date
  readonly account: AccountStatus
  /** Null while the organization is not active, because nothing else responds then. */
  readonly sites: SiteFacts | null
  /** Companies that ever visited; null while the organization is not active or if the server does not say. */
  readonly companiesCount: number | null
  /** Topics in the catalog; null while the organization is not active or if the server does not say. */
  readonly topicsCount: number | null
}

/** The pixels in question, and their visitors within the window. */
export interface SiteFacts {
  /** The value of `--pixel` or `--domain`; null for all pixels. */
  readonly scopeText: string | null
  /** The pixels in scope. */
  readonly pixels: ReadonlyArray<Pixel>
  /** For active pixels that never received an event, by id. */
  readonly verifications: ReadonlyMap<string, PixelVerification>
  /** People identified within the window, and those who are not suppressed. */
  readonly visitors: { readonly total: number; readonly unsuppressed: number }
  /** The window in words. */
  readonly window: string
}

/** Every check, in a sensible order. */
export const diagnosis = (facts: DoctorFacts): ReadonlyArray<Check> => [
  ok("server", `${facts.server} answers.`),
  ok("key", `The API key works for ${facts.account.organization.name}.`),
  organizationCheck(facts.account),
  ...(facts.sites === null ? [] : pixelChecks(facts.sites, facts.now)),
  creditsCheck(facts.account),
  ...(facts.sites === null ? [] : visitorChecks(facts.sites, facts.now)),
  ...(facts.companiesCount === null ? [] : [companiesCheck(facts.companiesCount)]),
  ...(facts.topicsCount === null ? [] : intentChecks(facts, facts.topicsCount)),
]

const organizationCheck = ({ organization }: AccountStatus): Check => {
  const { name, status } = organization
  if (status === "active" || status === "trial") {
    return ok("organization", `${name} is ${status === "trial" ? "on trial" : "active"}.`)
  }
  return {
    name: "organization",
    state: "problem",
    code: `organization_${status}`,
    message: `${name} is ${status}: its pixels record nothing, and its data cannot be read.`,
    nextStep: `The server operator can activate it: footfall-server organizations set ${organization.id} --status active`,
  }
}

const creditsCheck = ({ credits }: AccountStatus): Check => {
  const { used, limit, remaining, heldBack, resetsAt } = credits
  if (limit === null) return ok("credits", `${countText(used)} used this month; there is no limit.`)
  if (remaining !== 0) {
    return ok("credits", `${countText(remaining ?? 0)} of ${countText(limit)} left this month.`)
  }
  const waiting = heldBack === 0 ? "" : ` ${counted(heldBack, "person", "people")} on hold.`
  return {
    name: "credits",
    state: "problem",
    code: "credits_used_up",
    message: `All ${countText(limit)} credits for this month are used, so new people are not listed.${waiting}`,
    nextStep:
      resetsAt === null
        ? "The server operator can raise the limit."
        : `Credits reset on ${resetsAt.slice(0, 10)}; the server operator can raise the limit.`,
  }
}

const pixelChecks = (
  { scopeText, pixels, verifications }: SiteFacts,
  now: Date,
): ReadonlyArray<Check> => {
  if (pixels.length > 0) {
    // One paused site is no problem if others work.
    const isOneEnough = pixels.some(({ status }) => status === "active")
    return pixels
      .map((pixel) => pixelCheck(pixel, verifications, now))
      .map((check) =>
        isOneEnough && check.code === "pixel_paused_manual" ? { ...check, state: "note" } : check,
      )
  }
  if (scopeText === null) {
    return [
      pixelProblem(
        "no_pixel",
        "This organization has no pixels.",
        "Create one for your site: footfall pixels create <domain>",
      ),
    ]
  }
  return [
    pixelProblem(
      "pixel_not_of_this_organization",
      `This organization has no pixel ${scopeText}.`,
      "Check that the key belongs to the right organization (footfall profiles list), and its pixels: footfall pixels list",
    ),
  ]
}

const pixelCheck = (
  pixel: Pixel,
  verifications: ReadonlyMap<string, PixelVerification>,
  now: Date,
): Check => {
  const { id, domain, status, pausedReason, lastEventAt } = pixel
  if (status === "paused" && pausedReason === "organization_inactive") {
    return pixelProblem(
      "pixel_paused_organization_inactive",
      `${domain} is paused, because the organization is not active.`,
      "It resumes when the organization is active again.",
    )
  }
  if (status === "paused") {
    return pixelProblem(
      "pixel_paused_manual",
      `${domain} is paused and records nothing.`,
      `Run: footfall pixels update ${domain} --status active`,
    )
  }
  if (lastEventAt !== null) {
    return ok("pixel", `${domain} is active; the last event arrived ${timeAgo(lastEventAt, now)}.`)
  }
  const verification = verifications.get(id)
  if (verification === undefined || verification.reason === null) {
    return pixelProblem("pixel_never_seen", `No events from ${domain} have arrived yet.`, null)
  }
  const { message, nextStep } = verificationFinding(pixel, verification, now)
  return pixelProblem(`pixel_never_seen_${verification.reason}`, message, nextStep)
}

const visitorChecks = (
  { pixels, visitors, window }: SiteFacts,
  now: Date,
): ReadonlyArray<Check> => {
  if (pixels.length === 0) return []
  const { total, unsuppressed } = visitors
  if (unsuppressed > 0) {
    return [ok("visitors", `${counted(unsuppressed, "person", "people")} identified ${window}.`)]
  }
  if (total > 0) {
    return [
      {
        name: "visitors",
        state: "problem",
        code: "visitors_suppressed_only",
        message: `All ${counted(total, "person", "people")} identified ${window} match a suppression rule.`,
        nextStep: "See who: footfall visitors list --suppressed only",
      },
    ]
  }
  const lastEventAt = pixels
    .map((pixel) => pixel.lastEventAt)
    .filter((at) => at !== null)
    .reduce<string | null>((last, at) => (last === null || at > last ? at : last), null)
  return [
    {
      name: "visitors",
      state: "problem",
      code: "no_visitors",
      message: `No one was identified ${window}.`,
      nextStep:
        lastEventAt === null
          ? "No events have arrived yet; see the pixel above."
          : `The last event arrived ${timeAgo(lastEventAt, now)}. Look further back with --timeframe, or ` +
            "identify people: call footfall.identify(email) on the page, or import identity links.",
    },
  ]
}

const companiesCheck = (count: number): Check =>
  count > 0
    ? ok("companies", `${counted(count, "company", "companies")} visited.`)
    : {
        name: "companies",
        state: "note",
        code: "no_companies",
        message:
          "No companies yet: no visitor came from the network of a known company, and no identified person has a company.",
        nextStep:
          "On the server, run: footfall-server doctor. It shows whether IP_COMPANY_FILE lists networks.",
      }

/** Without topics and signals only audiences are empty, so these are notes. */
const intentChecks = (
  { account, sites }: DoctorFacts,
  topicsCount: number,
): ReadonlyArray<Check> => {
  const { dataDate, enabled } = account.intent
  if (!enabled) return []
  const topics: Check =
    topicsCount > 0
      ? ok("topics", `The catalog has ${counted(topicsCount, "topic")}.`)
      : {
          name: "topics",
          state: "note",
          code: "no_topics",
          message: "The catalog has no topics, so you can't build an audience.",
          nextStep: "On the server, run: footfall-server starter-topics",
        }
  if (dataDate !== null) return [topics, ok("signals", `The latest signals are from ${dataDate}.`)]
  const pixelWithRules = sites?.pixels.find(({ settings }) => settings.topicRules.length > 0)
  const domain = sites?.pixels[0]?.domain ?? "<domain>"
  return [
    topics,
    {
      name: "signals",
      state: "note",
      code: "no_signals",
      message:
        pixelWithRules === undefined
          ? "There are no signals: none were imported, and no pixel has topic rules."
          : "There are no signals: no identified person has visited a page with a topic rule yet.",
      nextStep:
        pixelWithRules === undefined
          ? `Run: footfall pixels suggest-topics ${domain}`
          : `To see which pages they cover: footfall pixels get ${pixelWithRules.domain}`,
    },
  ]
}

const ok = (name: Check["name"], message: string): Check => ({
  name,
  state: "ok",
  code: "ok",
  message,
  nextStep: null,
})

const pixelProblem = (code: string, message: string, nextStep: string | null): Check => ({
  name: "pixel",
  state: "problem",
  code,
  message,
  nextStep,
})
