// Bundles the SDK's own files into an ES module for each entry; undici stays a dependency, loaded on the
// first call, and what the workspace shares is built in.
// The web build is the same with platform.web.ts in place of platform.ts: browsers and edge runtimes.
// Declarations come from `tsc -p tsconfig.build.json`, which runs after this and writes beside it.

import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { defineConfig, type Options } from "tsup"

// Not `clean`: each of the two would remove what the other wrote.
await rm("dist", { recursive: true, force: true })

const shared = {
  format: "esm",
  external: ["effect", "undici", "@opentelemetry/api"],
  sourcemap: true,
} satisfies Options

export default defineConfig([
  {
    ...shared,
    entry: [
      "src/index.ts",
      "src/effect.ts",
      "src/normal-form.ts",
      "src/webhooks.ts",
      "src/webhook-schemas.ts",
    ],
    target: "node22",
  },
  {
    ...shared,
    entry: { "index.web": "src/index.ts", "effect.web": "src/effect.ts" },
    target: "es2022",
    platform: "browser",
    esbuildPlugins: [
      {
        name: "platform",
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/platform\.ts$/ }, () => ({
            path: fileURLToPath(new URL("src/core/platform.web.ts", import.meta.url)),
          })),
      },
    ],
  },
])
