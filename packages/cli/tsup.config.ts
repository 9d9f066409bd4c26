// Bundles the command. Everything is inside, the SDK too, in chunks, so that a command loads only
// its part: what that saves is in docs/benchmarks.md. Nothing imports the CLI, so it has no declarations.

import { isBuiltin } from "node:module"
import { defineConfig, type Options } from "tsup"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/**
 * Takes Node's own modules by `process.getBuiltinModule` instead of `import`. An import reads every
 * export of such a module, the lazy ones too: `node:process` opens the standard streams, `node:http`
 * loads a WebSocket client. What comes by `import()` has a default export only, because of this.
 */
const builtinModules: Plugin = {
  name: "builtin-modules",
  setup: (build) => {
    build.onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path, namespace: "builtin" } : null,
    )
    build.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

export default defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  target: "node22",
  clean: true,
  splitting: true,
  minify: true,
  noExternal: [/./],
  // tsup would resolve `node:` modules itself, before the plugin sees them.
  removeNodeProtocol: false,
  esbuildPlugins: [builtinModules],
  // React's production build, and no developer tools in Ink (the package is not installed).
  define: {
    "process.env.NODE_ENV": '"production"',
    "process.env.DEV": '"false"',
    // Ink's layout engine would load its own bytes through it, as a data address, and Node's client
    // with it: 389 ms of processor time for a table instead of 345 (2026-11-21). Without it, it
    // decodes them. Nothing else here may use it.
    fetch: "undefined",
  },
  esbuildOptions: (options) => {
    options.legalComments = "none"
    options.external = [...(options.external ?? []), "react-devtools-core"]
    // The reason is in that file.
    options.alias = { undici: "./src/connection/http-request.ts" }
  },
})
