// Topics and their trends, topic lists and site analyses.
import type { OperationTexts } from "./operation-text.ts"
import { answer, deleted, organizationId, page, topics as sampleTopics } from "./sample.ts"

const [warehouse] = sampleTopics

const day = {
  date: "2026-03-10",
  uniqueAudience: 1840,
  totalSignals: 5210,
  avgScore: 64.2,
  highAudience: 412,
  mediumAudience: 930,
  lowAudience: 498,
}

const list = {
  id: "1d2c3b4a-5f6e-4d7c-8b9a-0a1b2c3d4e5f",
  organizationId,
  name: "Warehouse",
  topicIds: [1204, 3377],
  createdAt: "2026-03-10T16:00:00.000Z",
  updatedAt: "2026-03-10T16:00:00.000Z",
}

const analysis = {
  company: "Tidewater",
  summary: "Warehouse software for freight companies.",
  keywords: ["warehouse", "freight", "dock planning"],
  topics: [{ ...warehouse, similarity: 0.82, matchedKeyword: "warehouse" }],
}

export const topics: OperationTexts = {
  "topics.list": {
    summary: "List topics",
    description:
      "Returns the topic catalog, sorted by id. `type=b2b` and `type=b2c` include topics of " +
      "type `both`. To find topics by words, use the search endpoint.",
    responses: {
      200: answer(sampleTopics, {
        total: 2,
        page: 1,
        pageSize: 100,
        hasMore: false,
        nextCursor: null,
      }),
    },
  },
  "topics.facets": {
    summary: "Count topics",
    description:
      "Counts topics by type, industry and category, the largest first. A topic of type `both` counts " +
      "as `both` only.",
    responses: {
      200: answer({
        types: [{ value: "b2b", count: 301 }],
        industries: [{ value: "logistics", count: 42 }],
        categories: [{ value: "software", count: 88 }],
        total: 438,
      }),
    },
  },
  "topics.search": {
    summary: "Search topics",
    description:
      "Finds topics by name, industry and category, best match first. Ignores case, accents and " +
      "word order, and matches the start of words. Allows one typo in words of 3 letters or " +
      "more, and two in words of 8 or more. Equal matches are sorted by audience size, largest " +
      "first.",
    responses: { 200: answer(sampleTopics) },
  },
  "topicTrends.trend": {
    summary: "Get a topic's trend",
    description:
      "Returns a topic's audience for each day from `from` to `to`, inclusive, at most 365 " +
      "days. Default: the 30 days up to the latest data. Omits days without data.",
    errors: { 400: "more than 365 days, or `from` after `to`" },
    responses: {
      200: answer([
        {
          date: day.date,
          topicName: "Warehouse Management Software",
          type: "b2b",
          industry: "logistics",
          category: "software",
          uniqueAudience: 1840,
          totalSignals: 5210,
          avgScore: 64.2,
          highAudience: 412,
          mediumAudience: 930,
          lowAudience: 498,
        },
      ]),
    },
  },
  "topicTrends.compare": {
    summary: "Compare topics",
    description:
      "Returns the last 30 days of up to 10 topics, in the order you send them. Omits unknown ids.",
    request: { topicIds: [1204, 3377] },
    responses: {
      200: answer([
        { topicId: 1204, topicName: "Warehouse Management Software", data: [day] },
        { topicId: 3377, topicName: "Freight Visibility", data: [] },
      ]),
    },
  },
  "topicTrends.movers": {
    summary: "List trending topics",
    description:
      "Returns the topics whose audience changed most between the two latest days with data. " +
      "`up` lists growing topics, `down` lists shrinking ones. Omits topics without an audience " +
      "on the earlier day.",
    responses: {
      200: answer([
        {
          topicId: 1204,
          topicName: "Warehouse Management Software",
          type: "b2b",
          industry: "logistics",
          todayAudience: 1840,
          yesterdayAudience: 1600,
          pctChange: 15,
        },
      ]),
    },
  },
  "topicLists.list": {
    summary: "List topic lists",
    description: "Returns the organization's topic lists, newest first.",
    responses: { 200: page([list]) },
  },
  "topicLists.create": {
    summary: "Create a topic list",
    description: "Saves topics under a name, to reuse them in audiences.",
    request: { name: "Warehouse", topicIds: [1204, 3377] },
    errors: { 400: "a topic is unknown, see `unknownTopicIds`" },
    responses: { 201: answer(list) },
  },
  "topicLists.get": {
    summary: "Get a topic list",
    description: "Returns one topic list.",
    responses: { 200: answer(list) },
  },
  "topicLists.update": {
    summary: "Update a topic list",
    description: "Updates the name, the topics or both. `topicIds` replaces the whole list.",
    request: { topicIds: [1204, 3377] },
    errors: { 400: "a topic is unknown, see `unknownTopicIds`" },
    responses: { 200: answer(list) },
  },
  "topicLists.delete": {
    summary: "Delete a topic list",
    description: "Permanently deletes a topic list. The topics stay in the catalog.",
    responses: { 200: deleted },
  },
  "siteAnalysis.analyze": {
    summary: "Analyze a website",
    description:
      "Reads a web page and returns the topics it is about, the most similar first. Follows up to 3 " +
      "redirects, reads up to 2 MiB and takes up to 10 seconds. With credentials the analysis is also " +
      "saved. A page that cannot be read returns `SITE_UNREADABLE`.",
    request: { url: "https://www.tidewater.example/" },
    errors: { 400: "the URL is not allowed" },
    responses: { 200: answer({ ...analysis, contentHash: null }) },
  },
  "siteTopics.list": {
    summary: "List site analyses",
    description: "Returns the site analyses the organization saved, newest first.",
    responses: {
      200: page(
        [
          {
            id: "6e5d4c3b-2a19-4f8e-9d7c-6b5a4f3e2d1c",
            url: "https://www.tidewater.example/",
            ...analysis,
            createdAt: "2026-03-10T16:05:00.000Z",
          },
        ],
        20,
      ),
    },
  },
}
