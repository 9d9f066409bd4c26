// The body of a visitor webhook: an envelope with the visitor's canonical fields or the company's (spec 8.5, 13.3.5).
// The shape never varies. The body always stays below 20 KB: pages are dropped first, then the longest texts are
// shortened, then the other lists.
import { type Fit, fitted, isPayload } from "../../platform/outbound/payload.ts"
import type { SeenPage } from "./delivery-record.ts"
import type { Trigger } from "./webhook.ts"
import type { CompanyRow } from "../../people/visitors/companies/store.ts"
import type { ListedScore } from "../../people/visitors/visitor-row.ts"
import type { CanonicalVisitor } from "../../people/visitors/visitor.ts"

// spec 8.5
export const visitedPagesMax = 20

export interface Envelope {
  /** `webhook-id`. */
  readonly id: string
  readonly event:
    | "visitor.identified"
    | "visitor.updated"
    | "company.identified"
    | "page.viewed"
    | "segment.entered"
    | "segment.left"
    | "webhook.test"
  /** Time of the event; the same on every attempt. */
  readonly timestamp: string
  readonly trigger: Trigger
  readonly organizationId: string
  readonly segment: { readonly id: string; readonly name: string } | null
  /** The pixel that saw the event. */
  readonly pixel: { readonly id: string; readonly domain: string }
  readonly test?: true
}

/** Returns one line of JSON. */
export const payloadOf = (envelope: Envelope, visitor: CanonicalVisitor): string =>
  fittedVisitor(visitor, (fields) => JSON.stringify({ ...envelope, ...fields }))

/** The text for the visitor's fields, with as many of them as fit. */
const fittedVisitor = (
  visitor: CanonicalVisitor,
  written: (visitor: CanonicalVisitor) => string,
): string => {
  const limited = { ...visitor, visitedPages: visitor.visitedPages.slice(0, visitedPagesMax) }
  return (
    shortened((share) =>
      written({ ...limited, visitedPages: first(limited.visitedPages, share) }),
    ) ?? withoutPages(limited, written)
  )
}

/** Suppressed companies are never sent. */
export type SentCompany = Omit<
  CompanyRow,
  "owner" | "score" | "scoreKey" | "suppressed" | "suppressedPeopleCount" | "tags"
>

export const sentCompanyOf = ({
  owner: _,
  score: __,
  scoreKey: ___,
  suppressed: ____,
  suppressedPeopleCount: _____,
  tags: ______,
  ...company
}: CompanyRow): SentCompany => company

/** Returns one line of JSON. */
export const companyPayloadOf = (envelope: Envelope, company: SentCompany): string =>
  fitted(JSON.stringify({ ...envelope, ...company }), (fit) =>
    JSON.stringify({ ...envelope, ...companyWithTexts(company, fit) }),
  )

/** What an alert sends about a page view. */ // spec 8.6.2
export interface PageView {
  readonly page: SeenPage
  /** Null for an anonymous visit. */
  readonly visitor: CanonicalVisitor | null
  /** The visitor's company, or that of an anonymous visit. */
  readonly company: SentCompany | null
  /** Of the visitor, or of the company of an anonymous visit; null if none is stored yet. */
  readonly score: ListedScore | null
  readonly list: { readonly id: string; readonly name: string } | null
}

/** Returns one line of JSON. */
export const pagePayloadOf = (
  envelope: Envelope,
  { company, list, page, score, visitor }: PageView,
): string => {
  const written = (fields: {
    readonly page: SeenPage
    readonly visitor: CanonicalVisitor | null
    readonly company: SentCompany | null
  }) => JSON.stringify({ ...envelope, ...fields, score, list })
  return fitted(
    visitor === null
      ? written({ page, visitor, company })
      : fittedVisitor(visitor, (fields) => written({ page, visitor: fields, company })),
    (fit) =>
      written({
        page: { ...page, title: fit.words(page.title) },
        visitor: visitor && withTexts({ ...visitor, ...noLists }, fit),
        company: company && companyWithTexts(company, fit),
      }),
  )
}

/** Who entered or left a segment: one of them. */ // spec 8.7
export interface Member {
  readonly visitor: CanonicalVisitor | null
  readonly company: SentCompany | null
}

/** Returns one line of JSON. */
export const memberPayloadOf = (envelope: Envelope, { company, visitor }: Member): string => {
  const written = (fields: Member) => JSON.stringify({ ...envelope, ...fields })
  return fitted(
    visitor === null
      ? written({ visitor, company })
      : fittedVisitor(visitor, (fields) => written({ visitor: fields, company })),
    (fit) =>
      written({
        visitor: visitor && withTexts({ ...visitor, ...noLists }, fit),
        company: company && companyWithTexts(company, fit),
      }),
  )
}

const noLists = {
  emails: [],
  businessEmails: [],
  personalEmails: [],
  phones: [],
  customAttribution: {},
  visitedPages: [],
}

const companyWithTexts = (company: SentCompany, { whole, words }: Fit): SentCompany => ({
  ...company,
  name: words(company.name),
  industry: words(company.industry),
  totalRevenue: words(company.totalRevenue),
  linkedinUrl: whole(company.linkedinUrl),
  city: words(company.city),
  state: words(company.state),
  landingPage: whole(company.landingPage),
  referrerDomain: whole(company.referrerDomain),
  utmSource: words(company.utmSource),
  utmMedium: words(company.utmMedium),
  utmCampaign: words(company.utmCampaign),
})

/** Only reached by deliberate input: this many values of this length. */
const withoutPages = (
  visitor: CanonicalVisitor,
  serialized: (visitor: CanonicalVisitor) => string,
): string => {
  const { businessEmails, customAttribution, emails, personalEmails, phones } = visitor
  const withShare = (share: number) => {
    const written = (texts: CanonicalVisitor) =>
      serialized({
        ...texts,
        emails: first(emails, share),
        businessEmails: first(businessEmails, share),
        personalEmails: first(personalEmails, share),
        phones: first(phones, share),
        customAttribution: Object.fromEntries(first(Object.entries(customAttribution), share)),
        visitedPages: [],
      })
    return fitted(written(visitor), (fit) => written(withTexts(visitor, fit)))
  }
  return shortened(withShare) ?? withShare(0)
}

/** Shortens the texts that may be longer than an address. Each keeps its place in the object. */
const withTexts = (visitor: CanonicalVisitor, { whole, words }: Fit): CanonicalVisitor => ({
  ...visitor,
  firstName: words(visitor.firstName),
  lastName: words(visitor.lastName),
  fullName: words(visitor.fullName),
  linkedinUrl: whole(visitor.linkedinUrl),
  companyName: words(visitor.companyName),
  companyLinkedinUrl: whole(visitor.companyLinkedinUrl),
  industry: words(visitor.industry),
  companyZipCode: words(visitor.companyZipCode),
  jobTitle: words(visitor.jobTitle),
  city: words(visitor.city),
  state: words(visitor.state),
  landingPage: whole(visitor.landingPage),
  referrer: whole(visitor.referrer),
  referrerDomain: whole(visitor.referrerDomain),
  utmSource: words(visitor.utmSource),
  utmMedium: words(visitor.utmMedium),
  utmCampaign: words(visitor.utmCampaign),
  utmTerm: words(visitor.utmTerm),
  utmContent: words(visitor.utmContent),
  gclid: whole(visitor.gclid),
  fbclid: whole(visitor.fbclid),
  bingClickId: whole(visitor.bingClickId),
  linkedinClickId: whole(visitor.linkedinClickId),
  googleGbraid: whole(visitor.googleGbraid),
  googleWbraid: whole(visitor.googleWbraid),
})

/** Returns the longest candidate that fits; undefined when none does. */
const shortened = (withShare: (share: number) => string): string | undefined => {
  for (let parts = shareParts; parts >= 0; parts--) {
    const text = withShare(parts / shareParts)
    if (isPayload(text)) return text
  }
  return undefined
}

/** As many steps as the page list can have entries. */
const shareParts = visitedPagesMax

const first = <Item>(items: ReadonlyArray<Item>, share: number): ReadonlyArray<Item> =>
  items.slice(0, Math.floor(items.length * share + 1e-9))
