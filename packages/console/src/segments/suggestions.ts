// Suggested values for a field, from recent visitors and from fixed lists.
import { readablePage } from "@footfall/normal-form/page"
import type { Channel, ClickIdType, Visitor } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { pixelsQuery } from "../frame/scope.tsx"
import { listsQuery, newestPeopleQuery } from "../queries.ts"
import type { Choice } from "../ui/field.tsx"
import { useOwners } from "../teamwork/owners.ts"
import { useTopics } from "../topics/topic-choice.tsx"

/** Maximum number of suggestions. */
const offeredMax = 60

const channels: ReadonlyArray<Channel> = [
  ...([
    "direct",
    "organic_search",
    "paid_search",
    "organic_social",
    "paid_social",
    "paid_video",
  ] as const),
  ...(["email", "referral", "display", "affiliate", "ai_assistant", "other"] as const),
]
const clicks: ReadonlyArray<ClickIdType> = [
  ...(["gclid", "gbraid", "wbraid", "fbclid", "msclkid", "li_fat_id"] as const),
]

type Read = (person: Visitor) => string | null | ReadonlyArray<string>

const reads: Readonly<Record<string, Read>> = {
  "company.name": ({ companyName }) => companyName,
  "company.domain": ({ companyDomain }) => companyDomain,
  "company.industry": ({ industry }) => industry,
  "company.zip_code": ({ companyZipCode }) => companyZipCode,
  "company.revenue_range": ({ companyTotalRevenue }) => companyTotalRevenue,
  "company.job_title": ({ jobTitle }) => jobTitle,
  "company.seniority": ({ seniority }) => seniority,
  "company.department": ({ department }) => department,
  "contact.name": ({ firstName, lastName }) =>
    [firstName, lastName].filter((name) => name !== null).join(" "),
  "contact.email_domain": ({ email }) => email?.slice(email.lastIndexOf("@") + 1) ?? null,
  "contact.tags": ({ tags }) => tags,
  "contact.city": ({ city }) => city,
  "contact.state": ({ state }) => state,
  "contact.country": ({ country }) => country,
  "behavior.visited_paths": ({ visitedPages }) => visitedPages.map(pathOf),
  "behavior.landing_paths": ({ landingPage }) =>
    landingPage === null ? null : pathOf(landingPage),
  "behavior.exit_paths": ({ visitedPages }) => visitedPages.slice(0, 1).map(pathOf),
  "attribution.utm_source": ({ utmSource }) => utmSource,
  "attribution.utm_medium": ({ utmMedium }) => utmMedium,
  "attribution.utm_campaign": ({ utmCampaign }) => utmCampaign,
  "attribution.utm_term": ({ utmTerm }) => utmTerm,
  "attribution.utm_content": ({ utmContent }) => utmContent,
  "attribution.referrer_domain": ({ referrerDomain }) => referrerDomain,
}

const pathOf = (page: string): string => readablePage(URL.parse(page)?.pathname ?? page)

/** The lists, or the members, that a field can be compared with. */
export const useNamed = () => {
  const { data: lists = [] } = useQuery(listsQuery)
  const owners = useOwners()
  return (field: string): ReadonlyArray<Choice<string>> => {
    if (field.endsWith(".owner")) return owners
    const subject = field === "contact.list" ? "people" : "companies"
    return lists
      .filter((list) => list.subject === subject)
      .map(({ id, name }) => ({ value: id, text: name }))
  }
}

export const useSuggestions = () => {
  const { data: people = [] } = useQuery(newestPeopleQuery)
  const { data: pixels = [] } = useQuery(pixelsQuery)
  const topics = useTopics()
  const namedOf = useNamed()
  const valuesOf = (field: string): ReadonlyArray<string> => {
    if (field === "attribution.channel") return channels
    if (field === "attribution.click_id_types") return clicks
    if (field === "pixel.domain") return pixels.map(({ domain }) => domain)
    if (field === "pixel.id") return pixels.map(({ id }) => id)
    const key = field.startsWith("custom.") ? field.slice("custom.".length) : undefined
    const read = Object.hasOwn(reads, field) ? reads[field] : undefined
    const found = people.flatMap((person) => {
      if (key === undefined) return read?.(person) ?? []
      return new Map(Object.entries(person.customAttribution)).get(key) ?? []
    })
    return [...new Set(found)].toSorted().slice(0, offeredMax)
  }
  return {
    topics,
    valuesOf,
    namedOf,
    customFields: [
      ...new Set(people.flatMap(({ customAttribution }) => Object.keys(customAttribution))),
    ].map((key) => `custom.${key}`),
  }
}
