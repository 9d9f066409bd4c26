// A file of what a run found. Source: spec 2.14, 4.6 and 5.9.

/** The last three are the ends of an export; a completed one is kept for 7 days and expires. */
export type ExportStatus = "processing" | "completed" | "failed" | "expired"

/** The record of a file. */
export interface Export {
  readonly id: string
  readonly organizationId: string
  readonly audienceId: string
  readonly runId: string
  readonly exportType: "csv"
  readonly status: ExportStatus
  readonly contentType: string
  /** Bytes; null unless completed. */
  readonly byteSize: number | null
  /** Rows without the header; null unless completed. */
  readonly rowCount: number | null
  readonly fileName: string
  /** In hex; null unless completed. */
  readonly contentSha256: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** A user; null when an API key asked. */
  readonly requestedBy: string | null
  readonly completedAt: string | null
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** An export, with a link that needs no credentials; it is null unless the export is completed. */
export interface ExportWithLink {
  readonly export: Export
  readonly downloadUrl: string | null
  readonly downloadUrlExpiresAt: string | null
  readonly downloadUrlTtlSeconds: number | null
}

/** What is exported. */
export interface ExportCsvParams {
  /** Leaves alone what a spreadsheet would take for a formula; for pipelines. Default: false. */
  readonly raw?: boolean | undefined
}
