// SQL that finds which numbers in `signal_person` belong to one person. Only addresses with a number matter, and among
// those only the ones that lead to another address or that another address leads to.
import { sharedOrganizationId } from "../../../access/organization.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { type Viewer, owners, roots } from "./leads.ts"

/** Returns `person` and `leads_to` for each number whose representative differs from the shared one. */
export const aliases = (organizationId: string): SqlText =>
  organizationId === sharedOrganizationId ? sharedAliases : own(organizationId)

const everyone = sqlText`${sharedOrganizationId}::uuid`

const sharedViewer: Viewer = {
  organizationId: sharedOrganizationId,
  hasVisitors: false,
  hasPeople: false,
  erased: [],
}

/**
 * Joins whole tables, since most addresses count. An address that leads directly to a root is resolved at once; only
 * longer chains are followed. An address that leads to no other represents itself.
 */
const sharedAliases = sqlText`
  with link as materialized (
    select email_hash as hash, person_hash as next from person_address
    where organization_id = ${everyone}
  ), chained as materialized (
    select link.hash from link join link as previous on previous.hash = link.next
  ), rooted as materialized (
    select decode(link.hash, 'hex') as hash, decode(link.next, 'hex') as root
    from link
    where not exists (select from link as previous where previous.hash = link.next)
    union all
    select decode(found.start, 'hex'), decode(found.root, 'hex')
    from (${roots(sharedViewer, SqlText.of("chained"))}) as found
  ), numbered as (
    select numbers.id, address.root, numbers.email_hash = address.root as is_root
    from (select hash, root from rooted union all select distinct root, root from rooted) as address
    join signal_person as numbers on numbers.email_hash = address.hash
  )
  select own.person, kin.leads_to
  from (
    select coalesce(min(id) filter (where is_root), min(id)) as leads_to, array_agg(id) as people
    from numbered
    group by root
    having count(*) > 1
  ) as kin
  cross join unnest(kin.people) as own (person)
  where own.person <> kin.leads_to`

const own = (organizationId: string): SqlText => {
  const viewer: Viewer = { organizationId, hasVisitors: true, hasPeople: true, erased: [] }
  return sqlText`
    with numbered as materialized (
      select numbers.id, near.hash
      from (${near(viewer)}) as near
      join signal_person as numbers on numbers.email_hash = decode(near.hash, 'hex')
    ), rooted as (
      select numbered.id, roots.root,
        coalesce(first.id, min(numbered.id) over (partition by roots.root)) as leads_to
      from numbered
      join (${roots(viewer, SqlText.of("numbered"))}) as roots on roots.start = numbered.hash
      left join signal_person as first on first.email_hash = decode(roots.root, 'hex')
    )
    select rooted.id as person, rooted.leads_to
    from rooted
    left join signal_alias as shared
      on shared.organization_id = ${everyone} and shared.person = rooted.id
    where rooted.leads_to <> coalesce(shared.leads_to, rooted.id)`
}

/** The addresses in the organization's own data, and everything connected with them. */
const near = (viewer: Viewer): SqlText => {
  const own = sqlText`${viewer.organizationId}::uuid`
  return sqlText`
    with recursive near (hash) as (
      (
        select email_hash from person_address where organization_id = ${own}
        union all
        select person_hash from person_address where organization_id = ${own}
        union all
        select known.email_hash
        from (
          select visitor_id from visitor_address where organization_id = ${own}
          group by visitor_id having count(*) > 1
        ) as several
        join visitor_address as known
          on known.organization_id = ${own} and known.visitor_id = several.visitor_id
      )
      union
      select next.hash
      from near
      cross join lateral (
        select person_hash as hash from person_address
        where organization_id = ${owners(viewer)} and email_hash = near.hash
        union all
        select email_hash from person_address
        where organization_id = ${owners(viewer)} and person_hash = near.hash
        union all
        select sibling.email_hash
        from visitor_address as known
        join visitor_address as sibling
          on sibling.organization_id = known.organization_id
          and sibling.visitor_id = known.visitor_id
        where known.organization_id = ${own} and known.email_hash = near.hash
      ) as next
    )
    select hash from near`
}

/** Returns SQL for the number that represents all of a person's addresses for the organization. */
export const representativeOf =
  ({ hasPeople, hasVisitors, organizationId }: Viewer) =>
  (person: SqlText): SqlText => {
    const branch = (owner: string) => {
      const map = sqlText`from signal_alias_map where organization_id = ${owner}::uuid`
      // Aggregated into one value, so that it is read once and not per number.
      return sqlText`
        when ${person} < (select octet_length(bits) * 8 ${map})
          and get_bit((select bits || '\\x00'::bytea ${map}), ${person}) = 1
          then (
            select alias.leads_to from signal_alias as alias
            where alias.organization_id = ${owner}::uuid and alias.person = ${person}
          )`
    }
    // An organization without addresses has no aliases of its own.
    const own = hasPeople || hasVisitors ? branch(organizationId) : SqlText.of("")
    return sqlText`case ${own} ${branch(sharedOrganizationId)} else ${person} end`
  }
