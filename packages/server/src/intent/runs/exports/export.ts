// A file of a run's results that is kept for a limited time (spec 2.14, 4.6): a worker creates it once, as a whole, and
// it never changes. Its record has its size and SHA-256.
import { Schema } from "effect"
import type { Queue } from "../../../platform/jobs/queue.ts"
import type { AdFormat } from "./ads/ad-columns.ts"

// spec 2.14, 4.6
export const exportStatuses = ["processing", "completed", "failed", "expired"] as const
export type ExportStatus = (typeof exportStatuses)[number]

// spec 1.8
export const keptDays = 7

/** The formats of a file, each also its ending, and their media types. */ // spec 2.14
export const contentTypes = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
} as const
export const ExportType = Schema.Literals(["csv", "parquet"])
export type ExportType = typeof ExportType.Type

const text = Schema.NullOr(Schema.String)

export class Export extends Schema.Opaque<Export>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    audienceId: Schema.String,
    runId: Schema.String,
    exportType: ExportType,
    status: Schema.Literals(exportStatuses),
    contentType: Schema.String,
    /** Units: bytes. */
    byteSize: Schema.NullOr(Schema.Int),
    /** Not counting the header of a CSV file. */
    rowCount: Schema.NullOr(Schema.Int),
    fileName: Schema.String,
    /** Lower-case hex. */
    contentSha256: text,
    errorCode: text,
    errorMessage: text,
    /** A user; null if requested with an API key. */
    requestedBy: text,
    completedAt: text,
    expiresAt: text,
    createdAt: Schema.String,
    updatedAt: Schema.String,
  }).annotate({ identifier: "Export" }),
) {}

/** The queue of exports. Retries wait 5 and 30 seconds. */
export const exportQueue: Queue = {
  table: "run_export",
  waiting: "processing",
  working: "processing",
  attemptsMax: 3,
  retrySeconds: [5, 30],
}

/** Characters of an audience's name in a file name. spec 5.9. */
const slugLengthMax = 60

/** Without a letter or digit in `a-z0-9`, the name only says what the file is. */ // spec 5.9
export const exportFileName = (
  { audienceName, dataDate }: { readonly audienceName: string; readonly dataDate: string },
  ending: `.${ExportType}` | `-${AdFormat}.csv`,
): string => {
  const slug = audienceName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
  return `${slug.replace(/^-/, "").slice(0, slugLengthMax).replace(/-$/, "") || "audience"}-${dataDate}${ending}`
}
