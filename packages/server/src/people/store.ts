// Every statement about imported people. Rows go in whole lists, one statement each.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hashEmail } from "../visits/email-address.ts"
import type { Person } from "./person.ts"

export class PeopleStore extends Context.Service<
  PeopleStore,
  {
    /** Adds people or replaces what is known of them; the last row of an address wins. */
    put(organizationId: string, people: ReadonlyArray<Person>): Effect.Effect<void>
  }
>()("@footfall/server/people/PeopleStore") {
  static readonly layer = Layer.effect(
    PeopleStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return PeopleStore.of({
        put: (organizationId, people) => {
          const latest = new Map(
            people.map((person) => [hashEmail(person.email).sha256, person] as const),
          )
          const rows = [...latest].map(([emailHash, person]) => ({ emailHash, ...person }))
          return sql`
            insert into person (
              organization_id, email_hash, email, emails, first_name, last_name, linkedin_url,
              phones, phones_dnc, job_title, seniority, department, company_name, company_domain,
              company_employee_count, company_total_revenue, company_zip_code, industry, city,
              state, country
            )
            select
              ${organizationId}, "emailHash", email, emails, "firstName", "lastName",
              "linkedinUrl", phones, "phonesDnc", "jobTitle", seniority, department, "companyName",
              "companyDomain", "companyEmployeeCount", "companyTotalRevenue", "companyZipCode",
              industry, city, state, country
            from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as submitted (
              "emailHash" text, email text, emails text[], "firstName" text, "lastName" text,
              "linkedinUrl" text, phones text[], "phonesDnc" boolean[], "jobTitle" text,
              seniority text, department text, "companyName" text, "companyDomain" text,
              "companyEmployeeCount" int, "companyTotalRevenue" text, "companyZipCode" text,
              industry text, city text, state text, country text
            )
            on conflict (organization_id, email_hash) do update set
              email = excluded.email, emails = excluded.emails,
              first_name = excluded.first_name, last_name = excluded.last_name,
              linkedin_url = excluded.linkedin_url, phones = excluded.phones,
              phones_dnc = excluded.phones_dnc, job_title = excluded.job_title,
              seniority = excluded.seniority, department = excluded.department,
              company_name = excluded.company_name, company_domain = excluded.company_domain,
              company_employee_count = excluded.company_employee_count,
              company_total_revenue = excluded.company_total_revenue,
              company_zip_code = excluded.company_zip_code, industry = excluded.industry,
              city = excluded.city, state = excluded.state, country = excluded.country,
              updated_at = now()
          `.pipe(Effect.asVoid, Effect.orDie)
        },
      })
    }),
  )
}
