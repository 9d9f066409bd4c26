// Which addresses belong to one person for an organization, in SQL (spec 2.1; docs/adr/0014). An address of a visitor
// represents the visitor. Any other address leads to the one that a link or record names, with the organization's own
// before shared ones. Does for many addresses what `identification/merging/alias-graph.ts` does for a few.
import { sharedOrganizationId } from "../../../access/organization.ts"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"

/** Maximum steps from address to address: as many as in identification, plus the step back to the first. */
const stepsMax = 7

/** Which kinds of rows an organization has. Tables without its rows are not read. */
export interface Holdings {
  /** Visitors with an address. */
  readonly hasVisitors: boolean
  /** Imported people, or links between addresses. */
  readonly hasPeople: boolean
}

/** The organization for which addresses are resolved. */
export interface Viewer extends Holdings {
  readonly organizationId: string
  /** SHA-256 of addresses to ignore: they lead nowhere and nothing leads to them. */
  readonly erased: ReadonlyArray<string>
}

/** The organizations whose addresses count: the viewer's own and the shared ones. */
export const owners = ({ hasPeople, organizationId }: Viewer): SqlText =>
  hasPeople
    ? sqlText`any(${[organizationId, sharedOrganizationId]}::text[]::uuid[])`
    : sqlText`${sharedOrganizationId}::uuid`

/** Joins the visitor `v` with an address, unless it is held back. */
export const visitorWith = (viewer: Viewer, hash: SqlText): SqlText => sqlText`
  visitor_address as known
  join visitor as v on v.organization_id = known.organization_id and v.id = known.visitor_id
  where known.organization_id = ${viewer.organizationId}::uuid and known.email_hash = ${hash}
    and not v.held_back`

/**
 * The address that an address leads to; null for none. What an index alone can't answer comes last. A visitor's address
 * leads to the primary one, which leads to itself.
 */
export const nextOf = (viewer: Viewer, hash: SqlText): SqlText => {
  const imported = (owner: string) => sqlText`(
    select lead.person_hash from person_address as lead
    where lead.organization_id = ${owner}::uuid and lead.email_hash = ${hash}
  )`
  const { hasPeople, hasVisitors, organizationId } = viewer
  const sources = [
    ...(hasVisitors ? [sqlText`(select v.email_hash from ${visitorWith(viewer, hash)})`] : []),
    ...(hasPeople ? [imported(organizationId)] : []),
    imported(sharedOrganizationId),
  ]
  return sqlText`coalesce(${SqlText.join(sources, ", ")})`
}

/**
 * The address that represents a person: `start` and `root` for each `hash` of a relation. In a cycle of addresses it is
 * the smallest.
 */
export const roots = (viewer: Viewer, source: SqlText): SqlText => {
  const at = SqlText.of("way.path[cardinality(way.path)]")
  const { erased } = viewer
  const isKept =
    erased.length === 0
      ? SqlText.of("")
      : sqlText`and lead.next <> all (${erased}::text[]) and ${at} <> all (${erased}::text[])`
  return sqlText`
    with recursive way (start, path, is_last) as (
      select source.hash, array[source.hash collate "C"], false
      from ${source} as source
      union all
      select way.start, way.path || lead.next, lead.next = any (way.path)
      from way
      cross join lateral (select ${nextOf(viewer, at)} as next offset 0) as lead
      where not way.is_last and cardinality(way.path) <= ${SqlText.of(String(stepsMax))}
        and lead.next is not null ${isKept}
    )
    select distinct on (way.start) way.start, (
      select min(circle.hash collate "C")
      from unnest(
        way.path[array_position(way.path, way.path[cardinality(way.path)]):]
      ) as circle (hash)
    ) as root
    from way
    order by way.start, cardinality(way.path) desc`
}

/**
 * All addresses of the person whose root is `root`, as an array: the root, those of visitor `visitorId`, and all that
 * lead to one of these. Most people have one.
 */
export const members = (
  viewer: Viewer,
  { root, visitorId }: { readonly root: SqlText; readonly visitorId: SqlText },
): SqlText => {
  const { hasPeople, hasVisitors } = viewer
  const organizationId = sqlText`${viewer.organizationId}::uuid`
  const part = (isNeeded: boolean, text: SqlText) => (isNeeded ? text : SqlText.of(""))
  // `offset 0` looks up each address instead of reading all of the organization's.
  const hasPrecedence = sqlText`
    and (
      follower.organization_id = ${organizationId}
      or not exists (
        select from person_address as own
        where own.organization_id = ${organizationId}
          and own.email_hash = follower.email_hash
        offset 0
      )
    )`
  const isNoVisitor = sqlText`
    and not exists (select from ${visitorWith(viewer, SqlText.of("follower.email_hash"))})`
  const ofVisitor = sqlText`
    union all
    select own.email_hash from visitor_address as own
    where own.organization_id = ${organizationId} and own.visitor_id = ${visitorId}`
  return sqlText`
    case
      when ${visitorId} is null and not exists (
        select from person_address as follower
        where follower.organization_id = ${owners(viewer)} and follower.person_hash = ${root}
      ) then array[${root}]
      else array(
        with recursive kin (hash) as (
          (select ${root} collate "C" ${part(hasVisitors, ofVisitor)})
          union
          select follower.email_hash
          from kin
          join person_address as follower
            on follower.organization_id = ${owners(viewer)} and follower.person_hash = kin.hash
          where follower.email_hash <> all (${viewer.erased}::text[])
            ${part(hasPeople, hasPrecedence)} ${part(hasVisitors, isNoVisitor)}
        )
        select hash from kin
      )
    end`
}
