// The rules that are measured. The worst legal one has every predicate there may be, at the greatest
// depth, each looking through the longest text a session has for something that is not there: every
// session of everyone in the window is read to the end, and no predicate spares another.

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

/** The predicates in groups of groups, any and all in turn. */
const nested = (level: number): unknown =>
  level === 8 ? { any: leaves } : { [level % 2 === 0 ? "all" : "any"]: [nested(level + 1)] }

export const worst = { version: 1, rule: nested(2) }
