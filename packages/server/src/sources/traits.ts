// Traits of the tracking contract in the words of Footfall (spec 6.7, 15.2.2): the known ones by name, of the rest
// what fits into `custom`. Only named members are read, and what is copied is copied by definition, so that no name
// of a trait reaches a prototype.
import { companyFields } from "../people/person-fields.ts"
import { Refused } from "../people/import/field.ts"
import { isObject, type JsonObject } from "../visits/batch.ts"
import { readTraits, type Traits } from "../visits/traits.ts"

/** Members that have a field of their own, or are no trait of a person. */
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

/** `userId`: an own id, which a link may lead to a person. */ // spec 6.7.3
export const personTraits = (traits: JsonObject, userId: string | undefined): Traits => {
  const { company } = traits
  const employer: JsonObject = isObject(company) ? company : { name: company }
  const [firstName, lastName] = namesOf(traits)
  const given = isObject(traits["custom"]) ? Object.entries(traits["custom"]) : []
  const rest = Object.entries(traits).filter(([name]) => !known.has(name))
  const ownId = userId === undefined ? [] : [["external_id", userId] as const]
  return readTraits({
    firstName,
    lastName,
    jobTitle: traits["jobTitle"] ?? traits["title"],
    companyName: traits["companyName"] ?? employer["name"],
    companyDomain: traits["companyDomain"] ?? employer["domain"] ?? employer["website"],
    phone: traits["phone"],
    custom: Object.fromEntries([...ownId, ...given, ...rest]),
  })
}

/** Of the group someone belongs to. */ // spec 15.2.6
export const companyTraits = (traits: JsonObject): Traits => {
  const { companyDomain, companyName } = readTraits({
    companyName: traits["name"],
    companyDomain: traits["domain"] ?? traits["website"],
  })
  const industry = readCompany("industry", traits["industry"])
  const employeeCount = readCompany("employeeCount", wholeNumberOf(traits["employees"]))
  return {
    ...(companyName === undefined ? {} : { companyName }),
    ...(companyDomain === undefined ? {} : { companyDomain }),
    ...(typeof industry === "string" ? { industry } : {}),
    ...(typeof employeeCount === "number" ? { employeeCount } : {}),
  }
}

/** As an import of people reads the field; undefined for what it would refuse. */
const readCompany = (field: "industry" | "employeeCount", value: unknown): unknown => {
  if (value === undefined || value === null) return undefined
  const read = companyFields.find(({ path }) => path === `company.${field}`)?.read(value)
  return read instanceof Refused ? undefined : read
}

const wholeNumberOf = (value: unknown): unknown =>
  typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value

/** A whole name is the first word and the rest. */
const namesOf = (traits: JsonObject): readonly [unknown, unknown] => {
  const firstName = traits["firstName"] ?? traits["first_name"]
  const lastName = traits["lastName"] ?? traits["last_name"]
  const { name } = traits
  if (firstName !== undefined || lastName !== undefined || typeof name !== "string") {
    return [firstName, lastName]
  }
  const [first = "", ...rest] = name.trim().slice(0, 1_000).split(/\s+/)
  return [first, rest.length === 0 ? undefined : rest.join(" ")]
}
