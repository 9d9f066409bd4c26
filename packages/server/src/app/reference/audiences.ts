// Audiences, previews, runs and exports.
import type { OperationTexts } from "./operation-text.ts"
import {
  answer,
  audienceId,
  configHash,
  deleted,
  janeHash,
  organizationId,
  page,
  runId,
  topics,
} from "./sample.ts"

const filters = { companySize: ["201-500"], isB2b: "y", seniority: ["c_suite", "vp"] }
const config = { topicIds: [1204, 3377], minScore: 70, filters }
const normalizedConfig = { segmentId: null, ...config, maxScore: 100, minTopicOverlap: 1 }

const audience = {
  id: audienceId,
  organizationId,
  name: "Warehouse buyers",
  status: "active",
  config: { ...normalizedConfig, sourceUrl: null, topics },
  accessType: "paid",
  dailyRefreshEnabled: true,
  audienceSize: 2,
  createdBy: null,
  lastRefreshedAt: "2026-03-11T09:03:01.480Z",
  createdAt: "2026-03-11T09:02:30.000Z",
  updatedAt: "2026-03-11T09:02:45.000Z",
  pausedAt: null,
}
const draft = {
  ...audience,
  status: "draft",
  dailyRefreshEnabled: false,
  audienceSize: 0,
  lastRefreshedAt: null,
  updatedAt: audience.createdAt,
}

const run = {
  id: runId,
  audienceId,
  organizationId,
  status: "completed",
  runType: "manual",
  configHash,
  dataDate: "2026-03-10",
  resultKey: `runs/${runId}`,
  candidateCount: 3,
  resultCount: 2,
  attempts: 1,
  nextAttemptAt: null,
  idempotencyKey: "first-run",
  errorCode: null,
  errorMessage: null,
  startedAt: "2026-03-11T09:03:01.120Z",
  completedAt: "2026-03-11T09:03:01.480Z",
  cancelledAt: null,
  readyEmailSentAt: null,
  readyEmailExportId: null,
  readyEmailError: null,
  createdAt: "2026-03-11T09:03:00.000Z",
  updatedAt: "2026-03-11T09:03:01.480Z",
}
const queuedRun = {
  ...run,
  status: "queued",
  candidateCount: 0,
  resultCount: 0,
  attempts: 0,
  startedAt: null,
  completedAt: null,
  updatedAt: run.createdAt,
}

const contact = {
  hashedEmail: janeHash,
  firstName: "Jane",
  lastName: "Mercer",
  fullName: "Jane Mercer",
  email: "jane.mercer@harbor-logistics.example",
  businessEmail: "jane.mercer@harbor-logistics.example",
  personalEmail: "jane.mercer@mail.example",
  primaryContactEmail: "jane.mercer@harbor-logistics.example",
  emailStatus: "valid",
  phone: "+14155550134",
  linkedinUrl: null,
  headline: null,
  jobTitle: "VP Operations",
  seniority: "vp",
  department: "operations",
  company: {
    name: "Harbor Logistics",
    domain: "harbor-logistics.example",
    industry: "maritime transportation",
    industryGroup: "transportation and logistics",
    revenueRange: "50 million to 100 million",
    size: "201-500",
    linkedinUrl: null,
  },
  geo: { city: "San Francisco", state: "CA", country: "US" },
  demographics: { ageRange: null, gender: null },
  isB2b: "y",
  intent: { score: 91, topicOverlap: 2, matchedTopics: topics },
}

const all = { count: 2, percent: 100 }
const half = { count: 1, percent: 50 }
const none = { count: 0, percent: 0 }
const fillRates = {
  businessEmail: all,
  personalEmail: half,
  firstName: all,
  lastName: all,
  fullName: all,
  email: all,
  primaryContactEmail: all,
  emailStatus: all,
  phone: half,
  linkedinUrl: none,
  headline: none,
  jobTitle: all,
  seniority: all,
  department: half,
  "company.name": all,
  "company.domain": all,
  "company.industry": all,
  "company.industryGroup": half,
  "company.revenueRange": half,
  "company.size": all,
  "company.linkedinUrl": none,
  "geo.city": half,
  "geo.state": half,
  "geo.country": all,
  "demographics.ageRange": none,
  "demographics.gender": none,
  isB2b: all,
}

const exportId = "c2a1f0e9-8d7c-4b6a-9f5e-4d3c2b1a0f9e"
const file = {
  id: exportId,
  organizationId,
  audienceId,
  runId,
  exportType: "csv",
  status: "completed",
  contentType: "text/csv; charset=utf-8",
  byteSize: 1208,
  rowCount: 2,
  fileName: "warehouse-buyers-2026-03-10.csv",
  contentSha256: "1c95731f6aabd3d283da29521c95731f6aabd3d283da29521c95731f6aabd3d2",
  errorCode: null,
  errorMessage: null,
  requestedBy: null,
  completedAt: "2026-03-11T09:06:01.000Z",
  expiresAt: "2026-03-18T09:06:01.000Z",
  createdAt: "2026-03-11T09:06:00.000Z",
  updatedAt: "2026-03-11T09:06:01.000Z",
}
const fileWithLink = answer({
  export: file,
  downloadUrl: `https://footfall.tidewater.example/v1/intent/exports/${exportId}/download?expires=1773306361&signature=Yq0h1m3vJ5l0p6w7tq2XcR4uN8dKeAX9sJmY`,
  downloadUrlExpiresAt: "2026-03-12T09:06:01.000Z",
  downloadUrlTtlSeconds: 86400,
})
const processingFile = answer({
  export: {
    ...file,
    status: "processing",
    byteSize: null,
    rowCount: null,
    contentSha256: null,
    completedAt: null,
    expiresAt: null,
    updatedAt: file.createdAt,
  },
  downloadUrl: null,
  downloadUrlExpiresAt: null,
  downloadUrlTtlSeconds: null,
})
const csv =
  "email,firstName,lastName,intent.score\njane.mercer@harbor-logistics.example,Jane,Mercer,91\n"

/** Jane Mercer as Meta takes her. */
const adsCsv = [
  "email,email,email,phone,fn,ln,ct,st,country",
  [
    "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
    "8ee50ea68de8dbc023bbb265ca2b38e7a34e24e971a1ff3b252c2142c01befaa",
    "",
    "e4df23eae17fd7b23181d75ca8503ed89f92dc8e84c26f8c5aab970a950d48b3",
    "81f8f6dde88365f3928796ec7aa53f72820b06db8664f5fe76a7eb13e24546a2",
    "d5f29c56ba0bd9695cfa44ce6e31d3d064ac66ca225d18b3d9ec2657b838ebf7",
    "1a6bd4d9d79dc0a79b53795c70d3349fa9e38968a3fbefbfe8783efb1d2b6aac",
    "6959097001d10501ac7d54c0bdb8db61420f658f2922cc26e46d536119a31126",
    "79adb2a2fce5c6ba215fe5f27f532d4e7edbac4b6a5e09e1ef3a08084a904621",
  ].join(","),
  "",
].join("\n")

export const audiences: OperationTexts = {
  "audienceFilters.filters": {
    summary: "List filter values",
    description:
      "Returns the values each audience filter accepts. With `include=counts`, each value comes with " +
      "the number of people who have it.",
    responses: {
      200: answer({
        companyIndustry: ["maritime transportation"],
        seniority: ["c_suite", "vp"],
        companySize: ["201-500"],
        department: ["operations"],
        state: ["CA"],
        companyRevenueRange: ["50 million to 100 million"],
        ageRange: ["35-44"],
        gender: ["F", "M", "U"],
        isB2b: ["n", "y"],
      }),
    },
  },
  "audienceFilters.validate": {
    summary: "Validate an audience",
    description:
      "Checks an audience configuration without saving it, and returns its normal form. Two " +
      "configurations with the same `configHash` find the same people.",
    request: config,
    errors: { 400: "see `issues` and `unknownTopicIds`" },
    responses: {
      200: answer({
        valid: true,
        configHash,
        normalizedConfig,
        appliedFilters: ["companySize", "isB2b", "seniority"],
      }),
    },
  },
  "audiencePreviews.preview": {
    summary: "Preview an audience",
    description:
      "Counts the people an audience would find and returns a masked sample. Saves nothing.",
    request: config,
    errors: { 400: "see `issues` and `unknownTopicIds`" },
    responses: {
      200: answer({
        totalCount: 2,
        sample: [
          {
            hem: janeHash,
            intentScore: 91,
            topicId: 1204,
            email: "j***@harbor-logistics.example",
            company: "Harbor Logistics",
            jobTitle: "VP Operations",
            masked: true,
          },
        ],
        previewKey: "pv_a4lqgg4tl4jr46sjot7ud5crdo",
        dataDate: "2026-03-10",
        configHash,
        explanation: null,
        explanationTooSlow: false,
      }),
    },
  },
  "audiences.list": {
    summary: "List audiences",
    description: "Returns the organization's audiences, newest first.",
    responses: { 200: page([audience]) },
  },
  "audiences.create": {
    summary: "Create an audience",
    description:
      "Creates an audience as a draft. With `status` set to `active`, the audience uses a slot " +
      "and refreshes every day. Returns `SLOTS_FULL` if no slot is free.",
    request: { name: "Warehouse buyers", config },
    errors: { 400: "see `issues` and `unknownTopicIds`" },
    responses: { 201: answer(draft) },
  },
  "audiences.get": {
    summary: "Get an audience",
    description: "Returns one audience.",
    responses: { 200: answer(audience) },
  },
  "audiences.update": {
    summary: "Update an audience",
    description:
      "Updates the name, the configuration or the status. `config` replaces the whole configuration " +
      "and applies from the next run. Set `status` to `active` or `paused` to start or stop the daily " +
      "refresh.",
    request: { status: "active" },
    errors: { 400: "see `issues` and `unknownTopicIds`" },
    responses: { 200: answer(audience) },
  },
  "audiences.delete": {
    summary: "Delete an audience",
    description:
      "Deletes an audience. Cancels its queued runs and deliveries, and stops its destinations. " +
      "Contacts already delivered are not affected.",
    responses: { 200: deleted },
  },
  "runs.start": {
    summary: "Start a run",
    description:
      "Finds the people in an active audience and saves them as the results of a run. Send an " +
      "`Idempotency-Key` to repeat the request safely: a repeat returns the same run with status 200.",
    request: { runType: "manual" },
    responses: { 202: answer(queuedRun), 200: answer(queuedRun) },
  },
  "runs.list": {
    summary: "List runs",
    description: "Returns the runs of an audience, newest first.",
    responses: { 200: page([run], 25) },
  },
  "runs.get": {
    summary: "Get a run",
    description: "Returns one run with its status and counts.",
    responses: { 200: answer(run) },
  },
  "runs.cancel": {
    summary: "Cancel a run",
    description: "Cancels a run that is still queued. Any other run returns `RUN_NOT_QUEUED`.",
    responses: {
      200: answer({
        ...queuedRun,
        status: "cancelled",
        cancelledAt: "2026-03-11T09:03:00.500Z",
        updatedAt: "2026-03-11T09:03:00.500Z",
      }),
    },
  },
  "runs.results": {
    summary: "List run results",
    description:
      "Returns the people a run found. While the run is queued or running, the status is 202 and " +
      "`results` is empty.",
    errors: {
      404: "the run is unknown, or its results are no longer stored",
      409: "the run failed or was cancelled",
    },
    responses: {
      200: answer(
        { run, results: [contact], total: 2, limit: 1, offset: 0 },
        { hasMore: true, nextCursor: "eyJvIjoiM2E0OTM4YjQifQ.uzlwNftUGzCLAFaAwRo" },
      ),
      202: answer(
        { run: queuedRun, state: "queued", results: [], total: 0, limit: 50, offset: 0 },
        { hasMore: false, nextCursor: null },
      ),
    },
  },
  "runs.stats": {
    summary: "Get run statistics",
    description:
      "Returns how many of a run's contacts have each field, and how their intent scores are distributed.",
    responses: {
      200: answer({
        run,
        stats: {
          total: 2,
          fillRates,
          scoreHistogram: [
            { bucket: "50-69", count: 0, percent: 0 },
            { bucket: "70-89", count: 1, percent: 50 },
            { bucket: "90-99", count: 1, percent: 50 },
          ],
          averages: { score: 82.5, topicOverlap: 1.5 },
        },
      }),
    },
  },
  "exports.csv": {
    summary: "Download results as CSV",
    description:
      "Streams the people a run found as CSV, compressed if you accept gzip. Cells that a " +
      "spreadsheet would run as a formula start with an apostrophe. `raw=true` leaves them " +
      "unchanged.",
    responses: { 200: csv },
  },
  "exports.parquet": {
    summary: "Download results as Parquet",
    description:
      "Streams the people a run found as an Apache Parquet file, for DuckDB, pandas or Spark. " +
      "The rows are those of the results endpoint: `company`, `geo`, `demographics` and " +
      "`intent` are structs, `intent.matchedTopics` is a list.",
    responses: { 200: "PAR1…" },
  },
  "exports.ads": {
    summary: "Download results for an ad platform",
    description:
      "Streams the people a run found as the CSV file that an ad platform's customer list takes: " +
      "`meta`, `google`, `linkedin`, `tiktok` or `x`. Addresses, phone numbers and, for Meta and " +
      "Google, names are normalized by the platform's rules and hashed with SHA-256. People who are " +
      "suppressed now are left out.",
    responses: { 200: adsCsv },
  },
  "exports.create": {
    summary: "Create an export",
    description:
      "Writes the people a run found to a CSV or Parquet file and returns a link that works for 24 hours. Returns " +
      "201 for a new file, 200 for one that already exists, and 202 while the file is being written.",
    responses: { 201: fileWithLink, 200: fileWithLink, 202: processingFile },
  },
  "exports.list": {
    summary: "List exports",
    description: "Returns the exports of a run, newest first.",
    responses: { 200: page([file], 25) },
  },
  "exports.get": {
    summary: "Get an export",
    description: "Returns one export with a new download link, once its file is complete.",
    responses: { 200: fileWithLink },
  },
  "exportDownloads.download": {
    summary: "Download an export",
    description:
      "Downloads an export file, CSV or Parquet, by its signed link. Needs no other credentials. An expired or altered " +
      "link returns `LINK_EXPIRED`.",
    responses: { 200: csv },
  },
}
