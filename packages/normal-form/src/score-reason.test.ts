import { expect, it } from "vitest"
import { type SayableReason, scoreReasonText } from "./score-reason.ts"

const said: ReadonlyArray<readonly [SayableReason["code"], SayableReason["params"], string]> = [
  ["visited_path", { path: "/docs", count: 1 }, "viewed /docs"],
  ["visited_path", { path: "/docs", count: 3 }, "viewed /docs 3 times or more"],
  ["visited_pricing", { count: 1 }, "viewed pricing"],
  ["visited_demo", { count: 2 }, "viewed a demo page 2 times or more"],
  ["visits", { count: 1 }, "visited"],
  ["visits", { count: 2 }, "visited 2 times or more"],
  ["pageviews", { count: 9 }, "viewed 9 pages or more"],
  ["active_days", { count: 3 }, "active on 3 days or more"],
  ["submitted_form", { count: 1 }, "submitted a form"],
  ["event", { name: "Signed up", count: 2 }, "Signed up 2 times or more"],
  ["last_seen", {}, "seen lately"],
  ["researches", { topicId: 12, score: 70 }, "researches topic 12, intent score 70 or more"],
  ["researches", { score: 1 }, "researches a topic"],
  ["seniority", { values: ["c_suite", "vp", "head"] }, "seniority: c suite, vp or head"],
  ["industry", { values: ["software"] }, "industry: software"],
  ["company_size", { min: 1200 }, "company with 1,200 employees or more"],
  ["company_size", { max: 50 }, "company with 50 employees or fewer"],
  ["company_size", { min: 50, max: 99 }, "company with 50 to 99 employees"],
  ["company_known", {}, "company is known"],
  ["business_email", {}, "business email address"],
  ["rule", { name: "Right for us" }, "Right for us"],
  ["read_minds", {}, "read minds"],
]

it.each(said)("says %s with %j as %s", (code, params, text) => {
  expect(scoreReasonText({ code, params })).toBe(text)
})
