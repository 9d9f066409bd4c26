// The two forms a stream of records may have.
export const importFormats = ["csv", "ndjson"] as const
export type ImportFormat = (typeof importFormats)[number]
