// Reads a message's consent (spec 15.2.7) in the shapes that consent tools send it: categories with an answer in
// `context.consent`, as Segment's clients have them, or denied ids in `context.consentManagement`, as RudderStack's do.
// Without either, the sender vouches for consent. Names are only compared, never looked up.
import { isObject, type JsonObject } from "../visits/batch.ts"

/** The categories and purposes that identification needs, folded. */
const needed: ReadonlySet<string> = new Set([
  "marketing",
  "advertising",
  "advertisement",
  "targeting",
  "personalization",
  "analytics",
  "statistics",
  "measurement",
  "performance",
  "datasharing",
  "saleofdata",
  // OneTrust
  "c0002",
  "c0004",
  // Google Consent Mode
  "adstorage",
  "aduserdata",
  "adpersonalization",
  "analyticsstorage",
  // Didomi
  "advertisingpersonalization",
  // TCF, purposes 2, 3, 4, 7, 8 and 9: in the words of version 2.2, of 2.0, and as ids
  "uselimiteddatatoselectadvertising",
  "createprofilesforpersonalizedadvertising",
  "useprofilestoselectpersonalizedadvertising",
  "measureadvertisingperformance",
  "measurecontentperformance",
  "understandaudiencesthroughstatisticsorcombinationsofdatafromdifferentsources",
  "selectbasicads",
  "createapersonalizedadsprofile",
  "createadsprofile",
  "selectpersonalizedads",
  "measureadperformance",
  "applymarketresearchtogenerateaudienceinsights",
  "marketresearch",
])

/** Answers that refuse, folded. */
const refusals: ReadonlySet<string> = new Set([
  "false",
  "0",
  "no",
  "denied",
  "deny",
  "optedout",
  "optout",
  "rejected",
  "declined",
  "alldenied",
])

/** Members that list what is refused, folded. */
const refusedLists: ReadonlySet<string> = new Set([
  "deniedconsentids",
  "denied",
  "disabled",
  "rejected",
  "declined",
])

/** Members with the answer for the category that has them, folded. */
const answers: ReadonlySet<string> = new Set([
  "status",
  "state",
  "consent",
  "value",
  "granted",
  "given",
  "allowed",
  "accepted",
  "enabled",
])

/** Members that name the category of an object in a list, folded. */
const titles: ReadonlySet<string> = new Set([
  "id",
  "name",
  "key",
  "slug",
  "label",
  "category",
  "categoryslug",
  "purpose",
])

const depthMax = 8
/** Longer texts are no list of categories. */
const textLengthMax = 4_096
/** Longer names are no category's. */
const nameLengthMax = 100

/** True if one of the categories that identification needs is refused. */
export const isConsentDenied = ({ consent, consentManagement }: JsonObject): boolean =>
  isRefusal(consent) || refusesIn(consent, 0) || refusesIn(consentManagement, 0)

const refusesIn = (value: unknown, depth: number): boolean => {
  if (depth > depthMax) return false
  if (typeof value === "string") return refusesInText(value)
  if (Array.isArray(value)) {
    return value.some((entry) => isRefusedEntry(entry) || refusesIn(entry, depth + 1))
  }
  return (
    isObject(value) &&
    Object.entries(value).some(
      ([name, member]) =>
        (isNeeded(name) && isRefused(member)) ||
        (refusedLists.has(folded(name)) && namesNeeded(member)) ||
        refusesIn(member, depth + 1),
    )
  )
}

/** `C0001:1,C0002:0`, as OneTrust's cookie has it. */
const refusesInText = (text: string): boolean =>
  text.length <= textLengthMax &&
  text.split(/[,;&]/).some((piece) => {
    const [name, answer] = piece.split(/[:=]/, 2)
    return isNeeded(name) && isRefusal(answer)
  })

/** An answer, or an object with the answer as a member. */
const isRefused = (value: unknown): boolean =>
  isRefusal(value) ||
  (isObject(value) &&
    Object.entries(value).some(([name, member]) => answers.has(folded(name)) && isRefusal(member)))

/** `{name: "Marketing", status: false}` */
const isRefusedEntry = (entry: unknown): boolean =>
  isObject(entry) &&
  Object.entries(entry).some(([name, title]) => titles.has(folded(name)) && isNeeded(title)) &&
  Object.entries(entry).some(([name, answer]) => answers.has(folded(name)) && isRefused(answer))

/** A list, in an array or separated by commas. */
const namesNeeded = (list: unknown): boolean =>
  (typeof list === "string" ? list.split(",") : Array.isArray(list) ? list : []).some(isNeeded)

const isRefusal = (value: unknown): boolean =>
  value === false || value === 0 || (typeof value === "string" && refusals.has(folded(value)))

const isNeeded = (name: unknown): boolean =>
  typeof name === "string" && needed.has(folded(name).replace(/cookies?$/, ""))

/** Without case, spaces, `_` and `-`, in American spelling. */
const folded = (text: string): string =>
  text.length > nameLengthMax
    ? ""
    : text
        .toLowerCase()
        .replaceAll(/[\s_-]/g, "")
        .replace("personalis", "personaliz")
