// ES modules that share the public suffix list, and one each for CSV, email addresses, pages, the fields of rules
// and reasons of scores, without it; SDK,
// CLI, console and server build them into theirs.
// Declarations come from `tsc -p tsconfig.build.json`, which runs after this and writes beside it.

import { defineConfig } from "tsup"

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/csv.ts",
    "src/email.ts",
    "src/page.ts",
    "src/rule-fields.ts",
    "src/score-reason.ts",
    "src/reading.ts",
  ],
  format: "esm",
  target: "node22",
  noExternal: [/./],
  clean: true,
})
