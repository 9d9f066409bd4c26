// Pages are no longer remembered by the version of their list, so its writes need not be counted. Finished runs are
// still a milestone (migration 0063).

const counted = [
  ["segment", "insert update delete"],
  ["webhook_delivery", "insert update delete"],
  ["site_analysis", "insert update delete"],
  ["topic_list", "insert update delete"],
  ["audience", "insert update delete"],
  ["run_export", "insert update delete"],
  ["delivery", "insert update delete"],
  ["delivery_failure", "insert update delete"],
  ["api_key", "insert delete"],
  ["member", "insert delete"],
  ["visitor", "insert update delete"],
  ["visitor_pixel", "insert update delete"],
  ["session", "delete"],
  // Migration 0043.
  ["company", "insert update delete"],
] as const

export const statements: ReadonlyArray<string> = [
  ...counted.flatMap(([table, events]) =>
    events.split(" ").map((event) => `drop trigger if exists ${table}_${event}_noted on ${table}`),
  ),
  `delete from list_version where list in (${counted.map(([table]) => `'${table}'`).join(", ")})`,
]
