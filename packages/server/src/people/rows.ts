// The rows of a list of imported people, by the columns of `person` and `person_address`. Each person and
// each address comes once: of two rows the last one in the list wins, and an address that a later row
// names is not in an earlier one, but for the `email` that makes the row.
import { hashEmail } from "../visits/email-address.ts"
import type { Person } from "./person.ts"

export const rowsOf = (organizationId: string, people: ReadonlyArray<Person>) => {
  const latest = latestOf(people)
  const holders = new Map(
    [...latest].flatMap(([hash, person]) => addressesOf(person).map((email) => [email, hash])),
  )
  return {
    persons: [...latest].map(([hash, person]) =>
      personRow(organizationId, hash, person, (email) => holders.get(email) === hash),
    ),
    holders: [...holders].map(([email, hash]) => ({
      organization_id: organizationId,
      email_hash: hashEmail(email).sha256,
      person_hash: hash,
      email,
    })),
  }
}

/** By the hash of the email, in the order of each one's last row. */
const latestOf = (people: ReadonlyArray<Person>): ReadonlyMap<string, Person> => {
  const latest = new Map<string, Person>()
  for (const person of people) {
    const hash = hashEmail(person.email).sha256
    latest.delete(hash)
    latest.set(hash, person)
  }
  return latest
}

const addressesOf = ({ email, emails, businessEmail, personalEmail }: Person) =>
  [email, ...emails, businessEmail, personalEmail].filter((address) => address !== null)

const personRow = (
  organizationId: string,
  hash: string,
  person: Person,
  isTheirs: (email: string) => boolean,
) => {
  const theirs = (email: string | null) => (email !== null && isTheirs(email) ? email : null)
  return {
    organization_id: organizationId,
    email_hash: hash,
    email: person.email,
    emails: person.emails.filter(isTheirs),
    business_email: theirs(person.businessEmail),
    personal_email: theirs(person.personalEmail),
    first_name: person.firstName,
    last_name: person.lastName,
    linkedin_url: person.linkedinUrl,
    phones: person.phones,
    phones_dnc: person.phonesDnc,
    job_title: person.jobTitle,
    seniority: person.seniority,
    department: person.department,
    company_name: person.companyName,
    company_domain: person.companyDomain,
    company_linkedin_url: person.companyLinkedinUrl,
    company_employee_count: person.companyEmployeeCount,
    company_total_revenue: person.companyTotalRevenue,
    company_zip_code: person.companyZipCode,
    industry: person.industry,
    city: person.city,
    state: person.state,
    country: person.country,
  }
}
