// The runs of an audience and the people of a run, as lists.

import type { ListMeta, RunResult, RunResultsMeta, Run } from "@footfall/sdk"
import { listForm } from "../output/print-list.ts"
import { countText, timeAgo } from "../ui/text.ts"
import { runStatusText } from "./words.ts"

export const resultList = listForm<RunResult, RunResultsMeta>({
  csvColumns: [
    "hashedEmail",
    "firstName",
    "lastName",
    "fullName",
    "email",
    "businessEmail",
    "personalEmail",
    "primaryContactEmail",
    "emailStatus",
    "phone",
    "linkedinUrl",
    "headline",
    "jobTitle",
    "seniority",
    "department",
    "company.name",
    "company.domain",
    "company.industry",
    "company.industryGroup",
    "company.revenueRange",
    "company.size",
    "company.linkedinUrl",
    "geo.city",
    "geo.state",
    "geo.country",
    "demographics.ageRange",
    "demographics.gender",
    "isB2b",
    "intent.score",
    "intent.topicOverlap",
    "intent.matchedTopics",
  ],
  nouns: ["person", "people"],
  empty: {
    message: "The run found no one.",
    next: "Try: footfall audiences preview, with other options",
  },
  columns: () => [
    {
      title: "Score",
      cell: ({ intent }) => `${intent?.score ?? "–"}`,
      align: "right",
      color: "cyan",
    },
    {
      title: "Name",
      cell: ({ fullName }) => fullName ?? "",
      widthMin: 8,
      widthKept: 14,
      dropRank: 4,
    },
    // People known by hash only have no address; the start of the hash tells them apart.
    {
      title: "Email",
      cell: ({ email, hashedEmail }) => email ?? `#${hashedEmail.slice(0, 12)}`,
      widthMin: 14,
      widthKept: 24,
    },
    {
      title: "Company",
      cell: ({ company }) => company.name ?? "",
      widthMin: 8,
      widthKept: 14,
      dropRank: 3,
    },
    {
      title: "Job",
      cell: ({ jobTitle }) => jobTitle ?? "",
      widthMin: 8,
      widthKept: 14,
      dropRank: 2,
    },
    {
      title: "Topics",
      cell: ({ intent }) =>
        intent?.matchedTopics.map(({ topicName }) => topicName).join(", ") ?? "",
      widthMin: 8,
      widthKept: 14,
      dropRank: 1,
    },
  ],
})

export const runList = listForm<Run, ListMeta>({
  csvColumns: [
    "id",
    "status",
    "runType",
    "dataDate",
    "candidateCount",
    "resultCount",
    "attempts",
    "errorCode",
    "errorMessage",
    "idempotencyKey",
    "configHash",
    "startedAt",
    "completedAt",
    "cancelledAt",
    "createdAt",
    "updatedAt",
  ],
  nouns: ["run", "runs"],
  empty: { message: "There are no runs yet.", next: "Run: footfall runs start <audience-id>" },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Status", cell: runStatusText, widthMin: 9, widthKept: 12 },
    {
      title: "People",
      cell: ({ resultCount, status }) => (status === "completed" ? countText(resultCount) : ""),
      align: "right",
    },
    { title: "Data from", cell: ({ dataDate }) => dataDate, dropRank: 3 },
    { title: "Type", cell: ({ runType }) => runType, dropRank: 1 },
    {
      title: "Started",
      cell: ({ createdAt }) => timeAgo(createdAt, now),
      align: "right",
      dropRank: 2,
    },
  ],
})
