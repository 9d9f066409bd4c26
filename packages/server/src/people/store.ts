// Every statement about imported people. Rows go in whole lists, one JSON text each. `person_address`
// leads from every address to the one person whose record named it last.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "../database/transaction.ts"
import type { Person } from "./person.ts"
import { rowsOf } from "./rows.ts"

export class PeopleStore extends Context.Service<
  PeopleStore,
  {
    /**
     * Adds people or replaces what is known of them, their addresses included. An address that
     * another person had is taken away there, unless it is that record's own `email`. Visitors who
     * were identified before keep what they are known by.
     *
     * *Guarantee*: atomic, and the same list twice is the same as once. Of two rows with the same
     * email, and of two people who name the same address, the last one in the list wins.
     */
    put(organizationId: string, people: ReadonlyArray<Person>): Effect.Effect<void>
  }
>()("@footfall/server/people/PeopleStore") {
  static readonly layer = Layer.effect(
    PeopleStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const takeAway = (holders: string) => sql`
        with taken as (
          select a.organization_id, a.person_hash, array_agg(h.email) as emails
          from jsonb_to_recordset(${holders}::text::jsonb)
            as h (organization_id uuid, email_hash text, person_hash text, email text)
          join person_address a
            on a.organization_id = h.organization_id and a.email_hash = h.email_hash
          where a.person_hash <> h.person_hash
          group by a.organization_id, a.person_hash
        )
        update person p set
          emails = array(
            select email
            from unnest(p.emails) with ordinality as e (email, place)
            where email <> all (t.emails)
            order by place
          ),
          business_email = case when p.business_email <> all (t.emails) then p.business_email end,
          personal_email = case when p.personal_email <> all (t.emails) then p.personal_email end,
          updated_at = now()
        from taken t
        where p.organization_id = t.organization_id and p.email_hash = t.person_hash`

      const upsert = (persons: string) => sql`
        insert into person (
          organization_id, email_hash, email, emails, business_email, personal_email, first_name,
          last_name, linkedin_url, phones, phones_dnc, job_title, seniority, department,
          company_name, company_domain, company_linkedin_url, company_employee_count,
          company_total_revenue, company_zip_code, industry, city, state, country
        )
        select
          organization_id, email_hash, email, emails, business_email, personal_email, first_name,
          last_name, linkedin_url, phones, phones_dnc, job_title, seniority, department,
          company_name, company_domain, company_linkedin_url, company_employee_count,
          company_total_revenue, company_zip_code, industry, city, state, country
        from jsonb_populate_recordset(null::person, ${persons}::text::jsonb)
        on conflict (organization_id, email_hash) do update set
          email = excluded.email,
          emails = excluded.emails,
          business_email = excluded.business_email,
          personal_email = excluded.personal_email,
          first_name = excluded.first_name,
          last_name = excluded.last_name,
          linkedin_url = excluded.linkedin_url,
          phones = excluded.phones,
          phones_dnc = excluded.phones_dnc,
          job_title = excluded.job_title,
          seniority = excluded.seniority,
          department = excluded.department,
          company_name = excluded.company_name,
          company_domain = excluded.company_domain,
          company_linkedin_url = excluded.company_linkedin_url,
          company_employee_count = excluded.company_employee_count,
          company_total_revenue = excluded.company_total_revenue,
          company_zip_code = excluded.company_zip_code,
          industry = excluded.industry,
          city = excluded.city,
          state = excluded.state,
          country = excluded.country,
          updated_at = now()`

      const forget = (persons: string) => sql`
        delete from person_address a
        using jsonb_to_recordset(${persons}::text::jsonb)
          as p (organization_id uuid, email_hash text)
        where a.organization_id = p.organization_id and a.person_hash = p.email_hash`

      const remember = (holders: string) => sql`
        insert into person_address (organization_id, email_hash, person_hash)
        select organization_id, email_hash, person_hash
        from jsonb_populate_recordset(null::person_address, ${holders}::text::jsonb)
        on conflict (organization_id, email_hash) do update set person_hash = excluded.person_hash`

      return PeopleStore.of({
        put: (organizationId, people) => {
          const { holders, persons } = rowsOf(organizationId, people)
          const holdersJson = JSON.stringify(holders)
          const personsJson = JSON.stringify(persons)
          return takeAway(holdersJson).pipe(
            Effect.andThen(upsert(personsJson)),
            Effect.andThen(forget(personsJson)),
            Effect.andThen(remember(holdersJson)),
            transaction,
            Effect.provideService(SqlClient.SqlClient, sql),
            Effect.asVoid,
            Effect.orDie, // A database that refuses good rows is broken; the caller cannot mend it.
          )
        },
      })
    }),
  )
}
