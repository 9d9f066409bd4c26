// What is sent about a contact, in the form whose hash shows whether it changed (spec 2.16): the RFC 8785 form of the
// whole contact, or of address, mapped fields and tags. Pure.
import { hash } from "node:crypto"
import type { ListContact } from "../destinations/connectors/list-contact.ts"
import { canonicalForm, canonicalHash } from "../../platform/http/canonical.ts"
import type { ResultRow } from "../../intent/runs/results/result-row.ts"
import type { Topic } from "../../intent/topics/topic.ts"

/** For a mailing list. SHA-256 in lower-case hex. */
export const listContactHash = (sent: ListContact): string => canonicalHash(sent)

/** For a webhook. SHA-256 in lower-case hex. */
export const contactHash = (sent: ResultRow): string => hash("sha256", contactText(sent), "hex")

/**
 * The RFC 8785 form of a contact: JSON as JavaScript writes it, with sorted keys. The keys are known, so they are
 * written in order here, which takes a tenth of the time of sorting them for each contact.
 */
export const contactText = (row: ResultRow): string => {
  const { company, demographics, geo, intent } = row
  return JSON.stringify({
    businessEmail: row.businessEmail,
    company: {
      domain: company.domain,
      industry: company.industry,
      industryGroup: company.industryGroup,
      linkedinUrl: company.linkedinUrl,
      name: company.name,
      revenueRange: company.revenueRange,
      size: company.size,
    },
    demographics: { ageRange: demographics.ageRange, gender: demographics.gender },
    department: row.department,
    email: row.email,
    emailStatus: row.emailStatus,
    firstName: row.firstName,
    fullName: row.fullName,
    geo: { city: geo.city, country: geo.country, state: geo.state },
    hashedEmail: row.hashedEmail,
    headline: row.headline,
    intent: intent && {
      matchedTopics: intent.matchedTopics.map((topic) => ({
        category: topic.category,
        industry: topic.industry,
        topicId: topic.topicId,
        topicName: topic.topicName,
        type: topic.type,
      })),
      score: intent.score,
      topicOverlap: intent.topicOverlap,
    },
    isB2b: row.isB2b,
    jobTitle: row.jobTitle,
    lastName: row.lastName,
    linkedinUrl: row.linkedinUrl,
    personalEmail: row.personalEmail,
    phone: row.phone,
    primaryContactEmail: row.primaryContactEmail,
    seniority: row.seniority,
  } satisfies ResultRow)
}

export const topicText = (topic: Topic): string => canonicalForm(topic)

/** The order of keys in RFC 8785. */
export const byCodeUnits = (one: string, other: string): number =>
  one === other ? 0 : one < other ? -1 : 1
