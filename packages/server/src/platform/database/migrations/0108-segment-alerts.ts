// Alerts about segments (spec 8.7): who is in the segments that they watch, and who may have entered or left since.

export const statements: ReadonlyArray<string> = [
  `alter table webhook drop constraint webhook_trigger_check,
    add constraint webhook_trigger_check check (trigger in ('first_match', 'every_update',
      'company_seen', 'page_viewed', 'entered_segment', 'left_segment'))`,
  `create index webhook_segment_alert on webhook (organization_id, segment_id)
    where trigger in ('entered_segment', 'left_segment')`,

  // A segment, on one pixel or on all, as its alerts watch it. Another rule is another watch.
  `create table segment_watch (
    organization_id uuid not null,
    id uuid not null default gen_random_uuid(),
    segment_id uuid not null,
    pixel_id uuid,
    rule jsonb not null,
    -- What happened before concerns no alert.
    began_at timestamptz not null,
    -- When the last sweep began that has ended. Null: the first is not over, so not everyone's state is known.
    verified_from timestamptz,
    sweep_began_at timestamptz,
    is_sweeping boolean not null default false,
    -- The last one that the sweep looked at.
    sweep_after text collate "C",
    next_sweep_at timestamptz not null default now(),
    -- No alert watches it any more. Its rows are being deleted.
    is_over boolean not null default false,
    primary key (organization_id, id)
  )`,
  `create unique index segment_watch_current
    on segment_watch (organization_id, segment_id, coalesce(pixel_id, segment_id))
    where not is_over`,

  // The subject is the id of a visitor, or the domain of a company. Who has no row is not in the segment.
  `create table segment_member (
    organization_id uuid not null,
    watch_id uuid not null,
    subject text collate "C" not null,
    -- False: looked at during a sweep that an alert waits for, and not in the segment.
    is_in boolean not null,
    judged_at timestamptz not null,
    primary key (organization_id, watch_id, subject)
  )`,
  `create index segment_member_subject on segment_member (organization_id, subject)`,

  // Who changed. The worker that computes scores passes its own notes on (0104).
  `create table segment_stale (
    organization_id uuid not null,
    watch_id uuid not null,
    subject text collate "C" not null,
    id bigint not null generated always as identity,
    primary key (organization_id, watch_id, subject, id)
  )`,
]
