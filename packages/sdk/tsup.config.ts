// Bundles the SDK's own files into one ES module; undici stays a dependency, loaded on the first call.
// Declarations come from `tsc -p tsconfig.build.json`, which runs after this and writes beside it.

import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/index.ts"],
  format: "esm",
  target: "node22",
  external: ["undici"],
  sourcemap: true,
  clean: true,
})
