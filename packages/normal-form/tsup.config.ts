// One ES module with the public suffix list inside; SDK, CLI and server build it into theirs.
// Declarations come from `tsc -p tsconfig.build.json`, which runs after this and writes beside it.

import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/index.ts"],
  format: "esm",
  target: "node22",
  noExternal: [/./],
  clean: true,
})
