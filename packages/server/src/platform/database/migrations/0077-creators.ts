// Records who created an organization. Fair turns count a person's organizations together, so that no one gets more
// turns by creating more of them (spec 10.4).

export const statements: ReadonlyArray<string> = [
  // Stays when the creator leaves: otherwise two users could create any number, one handing them to the other.
  `alter table organization
    add column created_by uuid references user_account (id) on delete set null`,
  `create index organization_created_by on organization (created_by)`,
  // The audit log is not asked, because it can be shorter than the organization is old.
  `update organization set created_by = (
    select member.user_id from member
    where member.organization_id = organization.id and member.role in ('owner', 'admin')
      and member.accepted_at is not null
    order by member.created_at, member.user_id
    limit 1
  )`,
  // Who takes turns: the creator with all their organizations, or an organization without one.
  `alter table organization
    add column party uuid not null generated always as (coalesce(created_by, id)) stored`,
]
