// Maps traits of the tracking contract to our fields (spec 6.7, 15.2.2): known ones by name, the rest into `custom` as
// far as they fit. Only named members are read, and copies define their properties, so no trait name can reach a
// prototype.
import { externalIdKey } from "../visits/attribution.ts"
import { isObject, type JsonObject } from "../visits/batch.ts"
import { firstText, readTraits, type Traits } from "../visits/traits.ts"

/** The largest number that the column holds. */
const employeesMax = 2_147_483_647

/** Members with a field of their own, and members that are not traits of a person. */
const known: ReadonlySet<string> = new Set([
  "email",
  "name",
  "firstName",
  "first_name",
  "lastName",
  "last_name",
  "jobTitle",
  "title",
  "company",
  "companyName",
  "companyDomain",
  "website",
  "phone",
  "custom",
])

/** `userId`: the user's own id, which may lead to a person. */ // spec 6.7.3
export const personTraits = (traits: JsonObject, userId: string | undefined): Traits => {
  const [firstName, lastName] = namesOf(traits)
  const given = isObject(traits["custom"]) ? Object.entries(traits["custom"]) : []
  const rest = Object.entries(traits).filter(([name]) => !known.has(name))
  const ownId = userId === undefined ? [] : [[externalIdKey, userId] as const]
  return readTraits({
    firstName,
    lastName,
    jobTitle: firstText(traits["jobTitle"], traits["title"]),
    company: traits["company"],
    companyName: traits["companyName"],
    companyDomain: traits["companyDomain"],
    phone: traits["phone"],
    custom: Object.fromEntries([...ownId, ...given, ...rest]),
  })
}

/** Traits of the group someone belongs to. */ // spec 15.2.6
export const companyTraits = (traits: JsonObject): Traits => {
  const { companyDomain, companyName } = readTraits({
    companyName: traits["name"],
    companyDomain: firstText(traits["domain"], traits["website"]),
  })
  const industry = firstText(traits["industry"])?.toLowerCase()
  const employeeCount = employeeCountOf(traits["employees"])
  return {
    ...(companyName === undefined ? {} : { companyName }),
    ...(companyDomain === undefined ? {} : { companyDomain }),
    ...(industry === undefined ? {} : { industry }),
    ...(employeeCount === undefined ? {} : { employeeCount }),
  }
}

/** A whole number, or a text of one, in the range that an import of people accepts. */
const employeeCountOf = (value: unknown): number | undefined => {
  const count = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= employeesMax
    ? count
    : undefined
}

/** First and last name, or the full name split after its first word. */
const namesOf = (traits: JsonObject): readonly [string | undefined, string | undefined] => {
  const firstName = firstText(traits["firstName"], traits["first_name"])
  const lastName = firstText(traits["lastName"], traits["last_name"])
  if (firstName !== undefined || lastName !== undefined) return [firstName, lastName]
  const [first, ...rest] = (firstText(traits["name"]) ?? "").split(/\s+/)
  return [first, rest.join(" ")]
}
