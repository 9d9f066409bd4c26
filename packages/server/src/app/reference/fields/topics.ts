// What the documents say about the fields of topics and site analyses.
import type { FieldTexts } from "../operation-text.ts"

const siteAnalysis = {
  company: "Name of the company that the site names; null if it names none.",
  summary: "What the site says it is about; null if it says nothing.",
  keywords: "Words that the page uses most, at most 30.",
  topics: "Topics of the catalog that fit: at most 20, most similar first.",
}

const topic = {
  topicId: "Id of the topic in the catalog.",
  topicName: "Name of the topic.",
  type: "Whether the topic is for businesses, consumers or both.",
  industry: "For example `logistics`.",
  category: "For example `software`.",
}

const topicDay = {
  date: "`YYYY-MM-DD`. Days without data are omitted.",
  uniqueAudience: "People with a signal.",
  totalSignals: "Signals of the day.",
  avgScore: "Average score, 1 to 100, with 2 decimals.",
  highAudience: "People with a score from 90 to 100.",
  mediumAudience: "People with a score from 70 to 89.",
  lowAudience: "People with a score below 70.",
}

export const topicsFields: FieldTexts = {
  StoredSiteAnalysis: {
    "": "An analysis that was requested with credentials, and therefore stored.",
    ...siteAnalysis,
    id: "Id of the analysis.",
    url: "The requested URL.",
    createdAt: "When the analysis was created.",
  },
  SiteTopic: {
    "": "A topic that a page is about.",
    ...topic,
    similarity: "How well the topic fits, from 0 to 1.",
    matchedKeyword: "The keyword on the page that matched the topic.",
  },
  SiteAnalysis: {
    "": "The analysis of a web page.",
    ...siteAnalysis,
    contentHash: "Hash of the page's text. The same text gives the same hash.",
  },
  Topic: { "": "Something people read about.", ...topic },
  TopicList: {
    "": "A saved topic list.",
    id: "Id of the topic list.",
    organizationId: "Id of the organization.",
    name: "Name of the list, 1 to 160 characters.",
    topicIds: "Ids of the topics, 1 to 100.",
    createdAt: "When the topic list was created.",
    updatedAt: "When the topic list was last changed.",
  },
  TopicMover: {
    "": "A topic whose audience changed between the two latest days with data.",
    topicId: "Id of the topic in the catalog.",
    topicName: "Name of the topic.",
    type: "Whether the topic is for businesses, consumers or both.",
    industry: "Industry of the topic.",
    todayAudience: "People on the latest day.",
    yesterdayAudience: "People on the previous day with data; never 0.",
    pctChange:
      "Change from the previous day in percent, with 2 decimals. Negative if the audience shrank.",
  },
  TopicComparison: {
    "": "The last 30 days of one of the compared topics.",
    topicId: "Id of the topic in the catalog.",
    topicName: "Name of the topic.",
  },
  TopicDay: { "": "The figures of one day.", ...topicDay },
  TopicTrendPoint: {
    "": "One day of one topic.",
    ...topicDay,
    topicName: "Name of the topic.",
    type: "Whether the topic is for businesses, consumers or both.",
    industry: "Industry of the topic.",
    category: "Category of the topic.",
  },
  TopicFacets: {
    "": "Number of topics by type, industry and category.",
    types: "Types of topics, with how many topics each has.",
    "types.value": "The type.",
    "types.count": "Topics of the type.",
    industries: "Industries, with how many topics each has.",
    "industries.value": "The industry.",
    "industries.count": "Topics of the industry.",
    categories: "Categories, with how many topics each has.",
    "categories.value": "The category.",
    "categories.count": "Topics of the category.",
    total: "Number of topics in the whole catalog.",
  },
  TopicPage: {
    "meta.pageSize": "Topics per page.",
  },
  TopicSuggestions: {
    "": "Suggested topic rules for a pixel.",
    rules: "Best match first. Use `path` and `topicId` in a topic rule.",
    pages: "The pages that the server read.",
  },
  SuggestionPage: {
    "": "A page that the server read for suggestions.",
    url: "Address of the page.",
    title: "Title of the page; null if it has none.",
  },
  SuggestedTopicRule: {
    "": "A suggested topic rule, and the page that it is based on.",
    path: "Path that the rule matches.",
    topicId: "Id of the topic.",
    topicName: "Name of the topic.",
    evidence: "The page that the rule is based on, and what it says about the topic.",
  },
  TopicRuleEvidence: {
    url: "Address of the page.",
    title: "Title of the page; null if it has none.",
    words: "Words of the page that fit the topic.",
    similarity: "How well the page fits the topic, from 0 to 1.",
  },
  NewTopicList: { "": "A new topic list." },
  TopicListChange: { "": "Fields to change. Omitted fields keep their values." },
}
