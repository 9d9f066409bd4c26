// A visitor in the Data API: canonical fields and their legacy aliases (spec 2.1). Fields are in the order of the
// examples in spec 12.
import { Schema } from "effect"
import { TopReason } from "./score-reason.ts"
import type { VisitorRow } from "./visitor-row.ts"

const text = Schema.NullOr(Schema.String)
const texts = Schema.Array(Schema.String)

/** The canonical fields, which webhooks send too. */ // spec 2.1
export const canonicalFields = {
  email: text,
  emailHash: Schema.String,
  emailHashes: Schema.Struct({ sha256: Schema.String, sha1: text, md5: text }),
  emails: texts,
  businessEmails: texts,
  personalEmails: texts,
  phones: texts,
  phonesDnc: Schema.NullOr(Schema.Boolean),
  customAttribution: Schema.Record(Schema.String, Schema.String),
  firstName: text,
  lastName: text,
  fullName: text,
  linkedinUrl: text,
  companyName: text,
  companyDomain: text,
  companyLinkedinUrl: text,
  companyEmployeeCount: Schema.NullOr(Schema.Int),
  companyTotalRevenue: text,
  industry: text,
  companyZipCode: text,
  jobTitle: text,
  seniority: text,
  department: text,
  city: text,
  state: text,
  country: text,
  sessions: Schema.Int,
  pageviews: Schema.Int,
  pricingPageViews: Schema.Int,
  demoPageViews: Schema.Int,
  firstSeenAt: Schema.String,
  lastSeenAt: Schema.String,
  landingPage: text,
  visitedPages: texts,
  referrer: text,
  referrerDomain: text,
  utmSource: text,
  utmMedium: text,
  utmCampaign: text,
  utmTerm: text,
  utmContent: text,
  gclid: text,
  fbclid: text,
  bingClickId: text,
  linkedinClickId: text,
  googleGbraid: text,
  googleWbraid: text,
}

/** Aliases of spec 2.1.2; they remain for all of `/v1`. */
const legacyFields = {
  allEmails: texts,
  primaryPhone: text,
  allPhones: texts,
  phonesDNC: Schema.NullOr(Schema.Array(Schema.Boolean)),
  company: text,
  companyZip: text,
  companySize: Schema.NullOr(Schema.Int),
  companyRevenue: text,
  companyIndustry: text,
  firstSeen: Schema.String,
  lastSeen: Schema.String,
  msclkid: text,
  liFatId: text,
  gbraid: text,
  wbraid: text,
}

/** In lists and look-ups of people and companies. */ // spec 2.23
export const ListedScore = Schema.NullOr(
  Schema.Struct({
    total: Schema.Int,
    fit: Schema.Int,
    interest: Schema.Int,
    hot: Schema.Boolean,
    top: Schema.NullOr(TopReason),
  }).annotate({ identifier: "Score" }),
)

/** The member who looks after a person or a company. */ // spec 2.24
export const ListedOwner = Schema.NullOr(
  Schema.Struct({ id: Schema.String, name: text, email: Schema.String }).annotate({
    identifier: "RecordOwner",
  }),
)

export const visitorFields = {
  ...canonicalFields,
  suppressed: Schema.Boolean,
  score: ListedScore,
  owner: ListedOwner,
  tags: texts,
  ...legacyFields,
}

export class Visitor extends Schema.Opaque<Visitor>()(
  Schema.Struct(visitorFields).annotate({ identifier: "Visitor" }),
) {}

const CanonicalVisitor = Schema.Struct(canonicalFields)
export type CanonicalVisitor = typeof CanonicalVisitor.Type
type CanonicalName = keyof CanonicalVisitor
const canonicalNames = Object.keys(canonicalFields) as ReadonlyArray<CanonicalName> // the table's own keys

/** Without aliases and the suppression flag. */ // spec 8.5
export const canonicalVisitorOf = (row: VisitorRow): CanonicalVisitor => {
  const visitor = visitorOf(row)
  // Every canonical field with its own value.
  return Object.fromEntries(canonicalNames.map((name) => [name, visitor[name]])) as CanonicalVisitor
}

/**
 * Converts a stored visitor with its totals to the format and order of the API. Written out, because copying with a
 * rest pattern takes seven times as long.
 */
export const visitorOf = (row: VisitorRow): Visitor => {
  const { addresses, clickIds } = row
  const emails = addresses.map((address) => address.email)
  const ofKind = (kind: string) =>
    addresses.filter((address) => address.kind === kind).map((address) => address.email)
  const bingClickId = clickIds.msclkid ?? null
  const linkedinClickId = clickIds.li_fat_id ?? null
  const googleGbraid = clickIds.gbraid ?? null
  const googleWbraid = clickIds.wbraid ?? null
  return {
    email: row.email,
    emailHash: row.emailHash,
    emailHashes: { sha256: row.emailHash, sha1: row.sha1, md5: row.md5 },
    emails,
    businessEmails: ofKind("business"),
    personalEmails: ofKind("personal"),
    phones: row.phones,
    phonesDnc: isOnDoNotCallList(row.phonesDnc),
    customAttribution: row.customAttribution,
    firstName: row.firstName,
    lastName: row.lastName,
    fullName: [row.firstName, row.lastName].filter((name) => name !== null).join(" ") || null,
    linkedinUrl: row.linkedinUrl,
    companyName: row.companyName,
    companyDomain: row.companyDomain,
    companyLinkedinUrl: row.companyLinkedinUrl,
    companyEmployeeCount: row.companyEmployeeCount,
    companyTotalRevenue: row.companyTotalRevenue,
    industry: row.industry,
    companyZipCode: row.companyZipCode,
    jobTitle: row.jobTitle,
    seniority: row.seniority,
    department: row.department,
    city: row.city,
    state: row.state,
    country: row.country,
    sessions: row.sessions,
    pageviews: row.pageviews,
    pricingPageViews: row.pricingPageViews,
    demoPageViews: row.demoPageViews,
    firstSeenAt: row.firstSeenAt,
    lastSeenAt: row.lastSeenAt,
    landingPage: row.landingPage,
    visitedPages: row.visitedPages,
    referrer: row.referrer,
    referrerDomain: row.referrerDomain,
    utmSource: row.utmSource,
    utmMedium: row.utmMedium,
    utmCampaign: row.utmCampaign,
    utmTerm: row.utmTerm,
    utmContent: row.utmContent,
    gclid: clickIds.gclid ?? null,
    fbclid: clickIds.fbclid ?? null,
    bingClickId,
    linkedinClickId,
    googleGbraid,
    googleWbraid,
    suppressed: row.suppressed,
    score: row.score,
    owner: row.owner,
    tags: row.tags,
    allEmails: emails,
    primaryPhone: row.phones[0] ?? null,
    allPhones: row.phones,
    phonesDNC: row.phonesDnc,
    company: row.companyName,
    companyZip: row.companyZipCode,
    companySize: row.companyEmployeeCount,
    companyRevenue: row.companyTotalRevenue,
    companyIndustry: row.industry,
    firstSeen: row.firstSeenAt,
    lastSeen: row.lastSeenAt,
    msclkid: bingClickId,
    liFatId: linkedinClickId,
    gbraid: googleGbraid,
    wbraid: googleWbraid,
  }
}

/** True if at least one phone is on the do-not-call list, false if none is, null if unknown. */
const isOnDoNotCallList = (listed: ReadonlyArray<boolean> | null): boolean | null =>
  listed === null || listed.length === 0 ? null : listed.includes(true)
