// Keeps a pixel's scripts, so that a page that pins one gets the same bytes for as long as the pixel exists, and
// records when a page on another host reported to the pixel (spec 2.3, 5.2).

export const statements: ReadonlyArray<string> = [
  // The built script without settings: one row for each build that any server has served.
  `create table script_template (
    digest text primary key,
    body text not null,
    created_at timestamptz not null default now()
  )`,
  // A script is a template with these settings inserted; the hash is that of the result.
  `create table pixel_script (
    organization_id uuid not null,
    pixel_id uuid not null,
    hash text not null,
    template_digest text not null references script_template (digest),
    settings text not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, pixel_id, hash),
    foreign key (organization_id, pixel_id) references pixel (organization_id, id)
  )`,
  // Updated at most once a minute, and only until the pixel is verified.
  `alter table pixel add column foreign_event_at timestamptz`,
]
