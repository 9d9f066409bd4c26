// The measured rules. The worst legal rule has the maximum number of predicates at the maximum
// depth. Each searches the longest text of a session for something that isn't there. So every
// session of everyone in the window is read to the end, and no predicate makes another one
// unnecessary.

export const five = {
  version: 1,
  rule: {
    all: [
      { field: "behavior.pricing_page_views", op: "gte", value: 1 },
      {
        any: [
          { field: "company.seniority", op: "contains", value: "vp" },
          { field: "company.job_title", op: "contains", value: "director" },
        ],
      },
      { field: "behavior.visited_paths", op: "any_contains", value: "/warehouse" },
      { field: "behavior.sessions", op: "gte", value: 2 },
    ],
  },
}

export const needles = Array.from({ length: 25 }, (_, index) => `nowhere-to-be-found-${index}`)

const leaves = needles.map((value) => ({
  field: "behavior.visited_paths",
  op: "any_contains",
  value,
}))

/** Nests the predicates in groups of groups, alternating any and all. */
const nested = (level: number): unknown =>
  level === 8 ? { any: leaves } : { [level % 2 === 0 ? "all" : "any"]: [nested(level + 1)] }

export const worst = { version: 1, rule: nested(2) }
