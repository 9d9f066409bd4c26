// Owners, tags and notes of people and companies (spec 2.24). They go with the person, the company or the member. Triggers
// note whose score has to be computed again, as for every other change (0104).

interface Subject {
  readonly name: "company" | "visitor"
  /** The column with its key. */
  readonly id: "domain" | "visitor_id"
  readonly type: "text" | "uuid"
  readonly parent: string
}

const subjects: ReadonlyArray<Subject> = [
  { name: "visitor", id: "visitor_id", type: "uuid", parent: "visitor (organization_id, id)" },
  { name: "company", id: "domain", type: "text", parent: "company (organization_id, domain)" },
]

const tables = ({ id, name, parent, type }: Subject) => {
  const belongs = `foreign key (organization_id, ${id}) references ${parent} on delete cascade`
  return [
    `create table ${name}_owner (
      organization_id uuid not null,
      ${id} ${type} not null,
      user_id uuid not null,
      primary key (organization_id, ${id}),
      ${belongs},
      foreign key (organization_id, user_id) references member (organization_id, user_id)
        on delete cascade
    )`,
    `create index ${name}_owner_user on ${name}_owner (organization_id, user_id, ${id})`,
    // The key is the tag without case.
    `create table ${name}_tag (
      organization_id uuid not null,
      ${id} ${type} not null,
      key text collate "C" not null,
      tag text not null,
      primary key (organization_id, ${id}, key),
      ${belongs}
    )`,
    `create index ${name}_tag_key on ${name}_tag (organization_id, key, ${id})`,
    `create table ${name}_note (
      organization_id uuid not null,
      id uuid not null,
      ${id} ${type} not null,
      text text not null,
      author_kind text not null check (author_kind in ('member', 'key')),
      author_id uuid not null,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (organization_id, id),
      ${belongs}
    )`,
    `create index ${name}_note_of on ${name}_note (organization_id, ${id}, created_at, id)`,
  ]
}

/** By table: what is noted of changed rows. A subject that is gone has no score. */
const notes: ReadonlyArray<readonly [prefix: string, body: (rows: string) => string]> = [
  [
    "visitor",
    (rows) => `
      insert into score_stale (organization_id, visitor_id)
      select distinct changed.organization_id, changed.visitor_id
      from ${rows} as changed
      join visitor on visitor.organization_id = changed.organization_id
        and visitor.id = changed.visitor_id;`,
  ],
  [
    "company",
    (rows) => `
      insert into score_stale_company (organization_id, domain)
      select distinct changed.organization_id, changed.domain
      from ${rows} as changed
      join company on company.organization_id = changed.organization_id
        and company.domain = changed.domain;
      insert into score_stale (organization_id, visitor_id)
      select distinct visitor.organization_id, visitor.id
      from ${rows} as changed
      join visitor on visitor.organization_id = changed.organization_id
        and visitor.company_key = changed.domain;`,
  ],
]

const references = {
  insert: "new table as written",
  update: "new table as written",
  delete: "old table as written",
}

const triggers = notes.flatMap(([prefix, body]) => [
  `create function note_marks_of_${prefix}() returns trigger language plpgsql as $$
   begin
     ${body("written")}
     return null;
   end $$`,
  ...["owner", "tag"].flatMap((table) =>
    Object.entries(references).map(
      ([event, rows]) => `create trigger ${prefix}_${table}_score_${event}
        after ${event} on ${prefix}_${table} referencing ${rows}
        for each statement execute function note_marks_of_${prefix}()`,
    ),
  ),
])

export const statements: ReadonlyArray<string> = [...subjects.flatMap(tables), ...triggers]
