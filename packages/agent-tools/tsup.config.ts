// One ES module with the texts of the resources inside; the CLI and the server build it into theirs.
// Declarations come from `tsc -p tsconfig.build.json`, which runs after this and writes beside it.

import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/index.ts"],
  format: "esm",
  target: "node22",
  loader: { ".md": "text" },
  clean: true,
})
