// The content of a chat message about a visitor or company, before it is formatted for its receiver (spec 14.2): a
// title, facts and a link to the console. Any of it may come from a stranger, so each format escapes all of it.
import { readablePage } from "@footfall/normal-form/page"
import { scoreReasonText } from "@footfall/normal-form/score-reason"
import type { CanonicalVisitor } from "../../../people/visitors/visitor.ts"
import { isPayload } from "../../../platform/outbound/payload.ts"
import type { SeenPage } from "../delivery-record.ts"
import type { Envelope, Member, PageView, SentCompany } from "../payload.ts"
import type { DigestSpan } from "../webhook.ts"

export interface Fact {
  readonly name: string
  readonly value: string
}

/** One visitor or one company. */
export interface Notice {
  readonly title: string
  readonly facts: ReadonlyArray<Fact>
  readonly url: string
}

/** What happened in one hour, day or week. */
export interface Digest {
  readonly title: string
  /** At most 20. */
  readonly entries: ReadonlyArray<{ readonly text: string; readonly url: string }>
  /** How many more there were. */
  readonly rest: number
  readonly url: string
}

/**
 * Builds the message with as many entries as fit into a body and pass `isFit`. The entries left out are added to the
 * count of unnamed ones.
 */ // spec 8.1.11
export const withEntries = <Message extends object>(
  { entries, rest }: Digest,
  written: (entries: Digest["entries"], rest: string | null) => Message,
  isFit: (message: Message) => boolean = () => true,
): Message => {
  for (let count = entries.length; ; count--) {
    const more = rest + entries.length - count
    const message = written(entries.slice(0, count), more > 0 ? `and ${more} more` : null)
    if (count === 0 || (isPayload(JSON.stringify(message)) && isFit(message))) return message
  }
}

/** Maximum number of visitors or companies a digest names. */ // spec 14.4
export const digestEntriesMax = 20
/** Maximum number of pages a message names. */
const pagesMax = 5

export const noticeOf = (
  { event, pixel, segment }: Envelope,
  visitor: CanonicalVisitor,
  consoleUrl: string,
): Notice => ({
  title: `${nameOf(visitor)} ${verbs[event]} ${pixel.domain}`,
  facts: factsOf(visitor, segment?.name ?? null),
  url: personUrl(consoleUrl, visitor),
})

/** The notice for one company. */
export const companyNoticeOf = (
  { event, pixel }: Envelope,
  company: SentCompany,
  consoleUrl: string,
): Notice => ({
  title: `${companyNameOf(company)} ${verbs[event]} ${pixel.domain}`,
  facts: companyFactsOf(company),
  url: companyUrl(consoleUrl, company),
})

const verbs: Readonly<Record<Envelope["event"], string>> = {
  "visitor.identified": "visited",
  "company.identified": "visited",
  "visitor.updated": "is active on",
  "page.viewed": "viewed",
  "segment.entered": "entered",
  "segment.left": "left",
  "webhook.test": "(a test) visited",
}

/** The notice for one page view: who or which company, which page and for how long. */ // spec 14.2
export const pageNoticeOf = (
  { event, pixel, segment }: Envelope,
  view: PageView,
  consoleUrl: string,
): Notice => {
  const { company, list, page, score, visitor } = view
  const test = event === "webhook.test" ? " (a test)" : ""
  return {
    title: `${viewerOf(view)}${test} viewed ${readablePage(page.path)} on ${pixel.domain}`,
    facts: known([
      ["Page", page.title],
      ["Visible for", durationOf(page.secondsVisible)],
      ...(visitor === null
        ? []
        : ([
            ["Email", visitor.email],
            ["Job", visitor.jobTitle],
          ] as const)),
      ["Company", company === null ? visitor && companyOf(visitor) : namedCompany(company)],
      ["Industry", company?.industry ?? visitor?.industry ?? null],
      ["Employees", company?.employeeCount?.toString() ?? null],
      ["Score", score && `${score.total}${score.hot ? ", hot" : ""}`],
      ["Why", score?.top ? scoreReasonText(score.top) : null],
      ["Source", sourceOf(visitor ?? company ?? noSource)],
      ["List", list?.name ?? null],
      ["Segment", segment?.name ?? null],
    ]),
    url: viewUrl(view, consoleUrl),
  }
}

/** The notice for who entered or left a segment. */ // spec 14.2
export const memberNoticeOf = (
  { event, pixel, segment, trigger }: Envelope,
  { company, visitor }: Member,
  consoleUrl: string,
): Notice => {
  const test = event === "webhook.test" ? " (a test)" : ""
  const verb = trigger === "left_segment" ? "left" : "entered"
  return {
    title: `${memberOf({ company, visitor })}${test} ${verb} ${segment?.name ?? "a segment"}`,
    facts: [
      ...(visitor === null ? companyFactsOf(company!) : factsOf(visitor, null)),
      { name: "Site", value: pixel.domain },
    ],
    url: visitor === null ? companyUrl(consoleUrl, company!) : personUrl(consoleUrl, visitor),
  }
}

/** `Jane Mercer of Harbor`, or the company. */
const memberOf = ({ company, visitor }: Member): string => {
  if (visitor === null) return company === null ? "A company" : companyNameOf(company)
  const of = seen(visitor.companyName) ?? visitor.companyDomain
  return of === null ? nameOf(visitor) : `${nameOf(visitor)} of ${of}`
}

/** `views`: all of them; `first` are the ones to name. */
export const pageDigestOf = (
  views: number,
  period: DigestSpan,
  first: ReadonlyArray<PageView>,
  consoleUrl: string,
): Digest => ({
  title: `${counted(views, "visit")} to your pages ${spans[period]}`,
  entries: first.map((view) => ({
    text: joined(", ", [
      `${viewerOf(view)} viewed ${readablePage(view.page.path)}`,
      durationOf(view.page.secondsVisible),
      view.visitor && companyOf(view.visitor),
    ])!,
    url: viewUrl(view, consoleUrl),
  })),
  rest: views - first.length,
  url: `${consoleUrl}/console/companies`,
})

/** No one who is not identified is sent without a company. */
const viewerOf = ({ company, visitor }: PageView): string =>
  visitor === null
    ? `Someone at ${company === null ? "a company" : companyNameOf(company)}`
    : nameOf(visitor)

const viewUrl = ({ company, visitor }: PageView, consoleUrl: string): string =>
  visitor === null ? companyUrl(consoleUrl, company!) : personUrl(consoleUrl, visitor)

const durationOf = (seconds: SeenPage["secondsVisible"]): string | null => {
  if (seconds === null) return null
  if (seconds < 60) return counted(seconds, "second")
  const minutes = Math.floor(seconds / 60)
  return joined(" ", [
    counted(minutes, "minute"),
    seconds % 60 === 0 ? null : counted(seconds % 60, "second"),
  ])
}

const noSource = { referrerDomain: null, utmSource: null, utmMedium: null, utmCampaign: null }

/** Those who entered and who left a segment. */
interface Crossed {
  readonly entered: number
  readonly left: number
  /** Its name. */
  readonly segment: string | null
}

const crossedParts = ({ entered, left, segment }: Crossed): ReadonlyArray<string> => {
  const place = segment ?? "the segment"
  return [
    ...(entered > 0 ? [`${entered} entered ${place}`] : []),
    ...(left > 0 ? [`${left} left ${place}`] : []),
  ]
}

export interface DigestCounts extends Crossed {
  /** People identified for the first time. */
  readonly identified: number
  /** All people. */
  readonly people: number
}

export const digestOf = (
  { identified, people, ...crossed }: DigestCounts,
  period: DigestSpan,
  visitors: ReadonlyArray<CanonicalVisitor>,
  consoleUrl: string,
): Digest => {
  const span = spans[period]
  const back = people - identified - crossed.entered - crossed.left
  const parts = [
    ...(identified > 0 ? [`${identified} new`] : []),
    ...(back > 0 ? [`${back} active again`] : []),
    ...crossedParts(crossed),
  ]
  return {
    title: `${people} ${people === 1 ? "visitor" : "visitors"} ${span}: ${parts.join(", ")}`,
    entries: visitors.map((visitor) => ({
      text: joined(", ", [nameOf(visitor), visitor.jobTitle, companyOf(visitor)])!,
      url: personUrl(consoleUrl, visitor),
    })),
    rest: people - visitors.length,
    url: `${consoleUrl}/console/people`,
  }
}

/** `companies` counts all of them; `first` are the ones to name. */
export const companyDigestOf = (
  { companies, ...crossed }: Crossed & { readonly companies: number },
  period: DigestSpan,
  first: ReadonlyArray<SentCompany>,
  consoleUrl: string,
): Digest => {
  const parts = crossedParts(crossed)
  const title = `${counted(companies, "company", "companies")} ${spans[period]}`
  return {
    title: parts.length === 0 ? title : `${title}: ${parts.join(", ")}`,
    entries: first.map((company) => ({
      text: joined(", ", [namedCompany(company), company.industry, placeOf(company)])!,
      url: companyUrl(consoleUrl, company),
    })),
    rest: companies - first.length,
    url: `${consoleUrl}/console/companies`,
  }
}

const spans = {
  hourly: "in the last hour",
  daily: "in the last day",
  weekly: "in the last 7 days",
}

const companyUrl = (consoleUrl: string, { domain }: SentCompany): string =>
  `${consoleUrl}/console/companies/${domain}`

const personUrl = (consoleUrl: string, { emailHash }: CanonicalVisitor): string =>
  `${consoleUrl}/console/people/${emailHash}`

const nameOf = ({ email, fullName }: CanonicalVisitor): string =>
  seen(fullName) ?? email ?? "Someone"

const companyNameOf = ({ domain, name }: SentCompany): string => seen(name) ?? domain

const companyOf = ({ companyDomain, companyName }: CanonicalVisitor): string | null => {
  const name = seen(companyName)
  return name === null || companyDomain === null
    ? (name ?? companyDomain)
    : `${name} (${companyDomain})`
}

const namedCompany = ({ domain, name }: SentCompany): string =>
  seen(name) === null ? domain : `${name} (${domain})`

const factsOf = (visitor: CanonicalVisitor, segment: string | null): ReadonlyArray<Fact> => {
  const all: ReadonlyArray<readonly [string, string | null]> = [
    ["Email", visitor.email],
    ["Job", visitor.jobTitle],
    ["Company", companyOf(visitor)],
    ["Industry", visitor.industry],
    ["Looked at", lookedAt(visitor)],
    ["Source", sourceOf(visitor)],
    ["Segment", segment],
  ]
  return known(all)
}

const companyFactsOf = (company: SentCompany): ReadonlyArray<Fact> => {
  const { demoPageViews, employeeCount, landingPage, peopleCount, pricingPageViews } = company
  return known([
    ["Domain", company.domain],
    ["Industry", company.industry],
    ["Employees", employeeCount === null ? null : String(employeeCount)],
    ["Location", placeOf(company)],
    [
      "Visits",
      joined(", ", [
        counted(company.sessions, "session"),
        counted(company.pageviews, "page view"),
        pricingPageViews > 0 ? `${pricingPageViews} on pricing` : null,
        demoPageViews > 0 ? `${demoPageViews} on the demo` : null,
      ]),
    ],
    ["Identified", peopleCount > 0 ? counted(peopleCount, "person", "people") : null],
    ["Looked at", landingPage === null ? null : pathOf(landingPage)],
    ["Source", sourceOf(company)],
  ])
}

const known = (
  facts: ReadonlyArray<readonly [name: string, value: string | null]>,
): ReadonlyArray<Fact> =>
  facts.flatMap(([name, value]) => {
    const text = seen(value)
    return text === null ? [] : [{ name, value: text }]
  })

const placeOf = ({ city, country, state }: SentCompany) => joined(", ", [city, state, country])

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** Joins the known parts; null when there are none. */
const joined = (sign: string, parts: ReadonlyArray<string | null>): string | null => {
  const all = parts.filter((part) => seen(part) !== null)
  return all.length === 0 ? null : all.join(sign)
}

const lookedAt = ({ pageviews, visitedPages }: CanonicalVisitor): string | null => {
  const pages = visitedPages.slice(0, pagesMax).map(pathOf)
  if (pages.length === 0) return null
  return `${pages.join(", ")} (${counted(pageviews, "page view")})`
}

const pathOf = (page: string): string => readablePage(URL.parse(page)?.pathname ?? page)

const sourceOf = ({
  referrerDomain,
  utmCampaign,
  utmMedium,
  utmSource,
}: Pick<SentCompany, "referrerDomain" | "utmCampaign" | "utmMedium" | "utmSource">):
  | string
  | null => joined(" / ", [utmSource, utmMedium, utmCampaign]) ?? referrerDomain

// Fits text from strangers into a message: on one line, and within the limit after escaping.

/** Control characters, and characters that hide or reverse text, would change the text around them. */
// oxlint-disable-next-line no-control-regex -- those are what is replaced
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g

/** Null for a text of which nothing is seen, because chat services refuse an empty one. */
const seen = (text: string | null): string | null =>
  text === null || text.replaceAll(unseen, " ").trim() === "" ? null : text

/** The escaped text, cut between characters to at most `lengthMax` code units. */
export const fitted = (
  text: string,
  lengthMax: number,
  escape: (character: string) => string = (character) => character,
): string => {
  let fits = ""
  let cut = ""
  for (const character of text.replaceAll(unseen, " ").trim()) {
    const escaped = escape(character)
    if (fits.length + escaped.length > lengthMax) return `${cut}…`
    fits += escaped
    // Leaves room for the ellipsis.
    if (fits.length < lengthMax) cut = fits
  }
  return fits
}
