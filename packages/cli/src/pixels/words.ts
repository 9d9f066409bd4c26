// A pixel as text: its status, and the result of a verification with the next step. Pure.

import type {
  Pixel,
  PixelFinding,
  PixelFindingCode,
  PixelVerification,
  PixelVerificationReason,
  TopicSuggestions,
} from "@footfall/sdk"
import { lines } from "../terminal/terminal.ts"
import { counted, timeAgo } from "../ui/text.ts"

/** `active`, `paused by hand`, `paused: the organization is not active`. */
export const pixelStatusText = ({
  status,
  pausedReason,
}: Pick<Pixel, "status" | "pausedReason">): string => {
  if (pausedReason === null) return status
  return pausedReason === "manual" ? "paused" : "paused: the organization is not active"
}

/** A finding, and the next step; null if there is nothing to do. */
interface Finding {
  readonly message: string
  readonly nextStep: string | null
}

/** Suggested topic rules, what they are based on, and what to do next. */
export const suggestionText = (
  { domain }: Pick<Pixel, "domain">,
  { pages, rules }: TopicSuggestions,
  { hasTopics, isApplied }: { readonly hasTopics: boolean; readonly isApplied: boolean },
): string => {
  const read = counted(pages.filter(({ unreadable }) => unreadable === null).length, "page")
  if (!hasTopics) {
    return lines(
      "The catalog has no topics, so none can be suggested.",
      "On the server, run: footfall-server starter-topics",
    )
  }
  const [first] = rules
  if (first === undefined) {
    return lines(
      `Read ${read} of ${domain}, and found no topics without a rule.`,
      `To start from another page: footfall pixels suggest-topics ${domain} --url <url>`,
      "To look for topics yourself: footfall topics search <words>",
    )
  }
  const ruleLines = rules.flatMap(({ evidence, path, topicId, topicName }) => [
    `  ${path}  ${topicName} (${topicId})`,
    `    because ${evidence.url} says "${evidence.words.join('", "')}"`,
  ])
  return isApplied
    ? lines(
        `Added ${counted(rules.length, "topic rule")} to ${domain}:`,
        ...ruleLines,
        "",
        "Page views of the last 30 days are now counted. Next, see who is interested:",
        `  footfall audiences preview --topic ${first.topicId}`,
      )
    : lines(
        `Suggested ${counted(rules.length, "topic rule")} for ${domain}, from ${read}:`,
        ...ruleLines,
        "",
        `To add them: footfall pixels suggest-topics ${domain} --apply`,
      )
}

/** A verification as text. */
export const verificationFinding = (
  pixel: Pick<Pixel, "domain">,
  { findings, reason, lastEventAt }: PixelVerification,
  now: Date,
): Finding => {
  if (reason === null) {
    const last = lastEventAt === null ? "" : `; the last event arrived ${timeAgo(lastEventAt, now)}`
    return { message: `The pixel of ${pixel.domain} works${last}.`, nextStep: null }
  }
  const cause = findings.find(({ severity }) => severity === "problem")
  if (reason !== "no_events" || cause === undefined) return reasons[reason](pixel)
  // The page tells the reason, which is better than a guess.
  const { message, nextStep } = siteFinding(pixel, cause)
  return { message: `No events from ${pixel.domain} have arrived yet. ${message}`, nextStep }
}

/** What was found on the site, and the next step. */
export const siteFinding = (
  { domain }: Pick<Pixel, "domain">,
  { code, message, values }: PixelFinding,
): Finding => {
  // A newer server may have more codes.
  const nextStep: ((domain: string, values: ReadonlyArray<string>) => string) | null | undefined =
    nextSteps[code]
  return { message, nextStep: nextStep?.(domain, values) ?? null }
}

/** A verification and what was found on the site, for people. */
export const verificationText = (
  { message, nextStep }: Finding,
  findings: ReadonlyArray<Finding & Pick<PixelFinding, "severity">>,
): string =>
  lines(
    message,
    nextStep,
    ...findings.flatMap((found) =>
      // The message ends with the reason.
      message.endsWith(found.message)
        ? []
        : [
            `${found.severity === "problem" ? "✖" : "·"} ${found.message}`,
            found.nextStep === null ? null : `  ${found.nextStep}`,
          ],
    ),
  )

const reasons: Record<PixelVerificationReason, (pixel: Pick<Pixel, "domain">) => Finding> = {
  paused: ({ domain }) => ({
    message: `The pixel of ${domain} is paused and records nothing.`,
    nextStep: `Run: footfall pixels update ${domain} --status active`,
  }),
  domain_mismatch: ({ domain }) => ({
    message: `Events arrive, but not from ${domain}.`,
    nextStep: `The tag of this pixel is on another site. Move it to ${domain}, or create a pixel for that site.`,
  }),
  script_missing: ({ domain }) => ({
    message: `The tag is not on the home page of ${domain}, and no event has arrived.`,
    nextStep: `Paste the tag into the page's head. To show it: footfall pixels get ${domain}`,
  }),
  no_events: ({ domain }) => ({
    message: `No events from ${domain} have arrived yet, and the home page shows no reason.`,
    nextStep:
      "Open the page in a browser without an ad blocker. Consent settings or a Content Security " +
      "Policy may block events.",
  }),
}

const copyTag = (domain: string): string =>
  `Paste the tag again, unchanged: footfall pixels get ${domain}`

const nextSteps: Record<
  PixelFindingCode,
  ((domain: string, values: ReadonlyArray<string>) => string) | null
> = {
  page_read: null,
  page_unreadable: (_, [url = ""]) =>
    `Open ${url} in a browser. If it works there, the site may block requests from the server.`,
  page_of_other_host: (_, [host = ""]) =>
    `Create a pixel for the site that responds: footfall pixels create ${host}`,
  page_excluded: (domain) =>
    `Open another page, or record every path: footfall pixels update ${domain} --all-paths`,
  tag_missing: (domain) =>
    `Paste the tag into the page's head: footfall pixels get ${domain}. This check does not see tags added by a tag manager.`,
  tag_inert: () =>
    'Let the consent manager release it, or remove the type and set data-consent="required" instead.',
  tag_debug: () => "Remove data-debug when the site goes live.",
  tag_crossorigin_missing: copyTag,
  tag_integrity_unpinned: copyTag,
  other_pixel: () => "Find its pixel: footfall pixels list",
  csp_blocks_script: (domain) => `Add the script-src shown by: footfall pixels get ${domain}`,
  csp_blocks_connect: (domain) => `Add the connect-src shown by: footfall pixels get ${domain}`,
  consent_denied: (domain) =>
    `Choose another mode: footfall pixels update ${domain} --set consent=required`,
  consent_required: () => "Give consent on the page, then check again.",
  consent_manager: () => "Give consent on the page, then check again.",
}
