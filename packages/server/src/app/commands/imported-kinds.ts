// What can be imported, by its word on the command line. Without Effect (docs/adr/0005).
import type { ImportName } from "../../people/imports/import-kind.ts"

export const importedKinds = {
  topics: "topics",
  signals: "signals",
  people: "people",
  links: "identity-links",
} as const satisfies Readonly<Record<string, ImportName>>
