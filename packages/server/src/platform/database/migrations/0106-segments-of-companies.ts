// Segments of companies (spec 2.7), and sessions of companies that could not be compared with one in time (spec 8.5).

export const statements: ReadonlyArray<string> = [
  `alter table segment
    add column subject text not null default 'people'
      constraint segment_subject_check check (subject in ('people', 'companies'))`,
  // A row asks about a person, or about the company of a session.
  `alter table webhook_question
    drop constraint webhook_question_pkey,
    alter column visitor_id drop not null,
    add column session_id uuid,
    add column id bigint not null generated always as identity,
    add primary key (organization_id, webhook_id, id),
    add constraint webhook_question_key
      unique nulls not distinct (organization_id, webhook_id, visitor_id, session_id),
    add constraint webhook_question_one_check check ((visitor_id is null) <> (session_id is null))`,
]
