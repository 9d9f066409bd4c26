// Bundles the SDK's own files into an ES module for each entry; undici stays a dependency, loaded on the
// first call, and what the workspace shares is built in.
// Declarations come from `tsc -p tsconfig.build.json`, which runs after this and writes beside it.

import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/index.ts", "src/normal-form.ts", "src/webhooks.ts", "src/webhook-schemas.ts"],
  format: "esm",
  target: "node22",
  external: ["undici", "@opentelemetry/api"],
  sourcemap: true,
  clean: true,
})
