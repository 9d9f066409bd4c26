// The formats of a file to import. Without Effect, because the operator's command lists them before it loads any
// (docs/adr/0005).

export const importFormats = ["csv", "ndjson"] as const
export type ImportFormat = (typeof importFormats)[number]
