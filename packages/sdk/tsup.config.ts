// Bundles the SDK's own files into an ES module for each entry; undici stays a dependency, loaded on the
// first call, and what the workspace shares is built in. The same as CommonJS in dist/cjs, without
// `effect`, which is an ES module itself.
// The web build is the same with platform.web.ts in place of platform.ts: browsers and edge runtimes.
// Declarations come from `tsc -p tsconfig.build.json`, which runs after this and writes beside it.

import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { defineConfig, type Options } from "tsup"

// Not `clean`: each of the two would remove what the other wrote.
await rm("dist", { recursive: true, force: true })

const shared = {
  format: "esm",
  external: ["effect", "undici"],
  sourcemap: true,
  // The maps say which line of which file it was. The text of the files would double the installation.
  esbuildOptions: (options) => {
    options.sourcesContent = false
  },
} satisfies Options

const entries = {
  index: "src/index.ts",
  "normal-form": "src/normal-form.ts",
  webhooks: "src/webhooks.ts",
  "webhook-schemas": "src/webhook-schemas.ts",
}

const web = {
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
} satisfies Options

const commonJs = {
  ...shared,
  format: "cjs",
  outDir: "dist/cjs",
  outExtension: () => ({ js: ".js" }),
  splitting: false,
  sourcemap: false,
  // `require` in place of `import()`, which jest can't run in a CommonJS module.
  esbuildOptions: (options) => {
    options.supported = { "dynamic-import": false }
  },
} satisfies Options

export default defineConfig([
  { ...shared, entry: { ...entries, effect: "src/effect.ts" }, target: "node20" },
  { ...shared, ...web, entry: { "index.web": "src/index.ts", "effect.web": "src/effect.ts" } },
  { ...commonJs, entry: entries, target: "node20" },
  { ...commonJs, ...web, entry: { "index.web": "src/index.ts" } },
])
