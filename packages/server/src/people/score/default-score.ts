// The settings of an organization that has made none (spec 2.23): a team that sells to companies.
import type { ScoreConfig } from "./score.ts"

export const defaultScore: ScoreConfig = {
  fit: [
    {
      name: "Decides: director or above",
      rule: {
        field: "company.seniority",
        op: "in",
        value: ["owner", "founder", "c_suite", "partner", "vp", "head", "director"],
      },
      points: 30,
    },
    {
      name: "Manager",
      rule: { field: "company.seniority", op: "eq", value: "manager" },
      points: 15,
    },
    {
      name: "Company is known",
      rule: { field: "company.domain", op: "exists", value: true },
      points: 20,
    },
    {
      name: "Business email address",
      rule: { field: "contact.has_business_email", op: "eq", value: true },
      points: 20,
    },
    {
      name: "Company with 50 employees or more",
      rule: { field: "company.employee_count", op: "gte", value: 50 },
      points: 20,
    },
    {
      name: "Company with 200 employees or more",
      rule: { field: "company.employee_count", op: "gte", value: 200 },
      points: 10,
    },
  ],
  interest: [
    {
      name: "Viewed pricing",
      rule: { field: "behavior.pricing_page_views", op: "gte", value: 1 },
      points: 30,
      halfLifeDays: 14,
    },
    {
      name: "Viewed pricing three times",
      rule: { field: "behavior.pricing_page_views", op: "gte", value: 3 },
      points: 10,
      halfLifeDays: 14,
    },
    {
      name: "Viewed a demo page",
      rule: { field: "behavior.demo_page_views", op: "gte", value: 1 },
      points: 30,
      halfLifeDays: 14,
    },
    {
      name: "Submitted a form",
      rule: { field: "behavior.form_submissions", op: "gte", value: 1 },
      points: 20,
      halfLifeDays: 30,
    },
    {
      name: "Visited lately",
      rule: { field: "behavior.sessions", op: "gte", value: 1 },
      points: 10,
      halfLifeDays: 3,
    },
    {
      name: "Came back",
      rule: { field: "behavior.sessions", op: "gte", value: 2 },
      points: 10,
      halfLifeDays: 14,
    },
    {
      name: "Active on three days",
      rule: { field: "behavior.active_days", op: "gte", value: 3 },
      points: 15,
      halfLifeDays: 14,
    },
  ],
  weights: { fit: 0.5, interest: 0.5 },
  threshold: 60,
}
