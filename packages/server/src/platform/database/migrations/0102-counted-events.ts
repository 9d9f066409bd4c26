// Rules count page views under a path and custom events, and compare the properties of these (spec 3.3). A session keeps
// both, because its events may have been moved to ClickHouse.

export const statements: ReadonlyArray<string> = [
  // How often each of `page_urls` was viewed; shorter in sessions of 0.2, which counted none. `tracked` has
  // `[count, {property: [values]}]` by name of a custom event. It is null without custom events, and in sessions of 0.2.
  `alter table session
    add column page_views integer[] not null default '{}',
    add column tracked jsonb`,
]
