// Segments of the random worlds: each rule beside what it means for a visitor.
import * as fc from "fast-check"
import type { VisitorRecord } from "./world.ts"

interface Segment {
  readonly id: string
  readonly rule: object
  holds(visitor: VisitorRecord): boolean
}

const idOf = (place: number) => `5e65e65e-0000-4000-8000-00000000000${place}`

export const segments: ReadonlyArray<Segment> = [
  {
    id: idOf(1),
    rule: { field: "company.employee_count", op: "gt", value: 10 },
    holds: ({ company_employee_count: employees }) => employees !== null && employees > 10,
  },
  {
    id: idOf(2),
    rule: { field: "contact.has_phone", op: "eq", value: false },
    holds: ({ phones }) => phones.length === 0,
  },
  {
    id: idOf(3),
    rule: {
      any: [
        { field: "company.seniority", op: "in", value: ["vp", "director"] },
        { field: "company.industry", op: "neq", value: "logistics" },
      ],
    },
    holds: ({ industry, seniority }) =>
      seniority === "vp" || seniority === "director" || industry !== "logistics",
  },
  // No visitor of these worlds has a session.
  { id: idOf(4), rule: { field: "behavior.sessions", op: "gt", value: 0 }, holds: () => false },
]

/** Mostly none, because few of these people are visitors. */
export const segmentId = fc.option(fc.constantFrom(...segments.map(({ id }) => id)), {
  nil: undefined,
  freq: 1,
})

export const isInSegment = (id: string, visitor: VisitorRecord): boolean =>
  segments.find((segment) => segment.id === id)!.holds(visitor)
