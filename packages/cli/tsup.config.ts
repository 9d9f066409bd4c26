// Bundles the command. Everything is inside, the SDK too, in chunks, so that a command loads only
// its part: what that saves is in docs/benchmarks.md. Nothing imports the CLI, so it has no declarations.

import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { resolve } from "node:path"
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

/** The files that are of the core: those that `src/core.ts` exports from. */
const coreFiles = new Set(
  [
    ...readFileSync(new URL("./src/core.ts", import.meta.url), "utf8").matchAll(/from "([^"]+)"/g),
  ].map(([, path = ""]) =>
    path.startsWith(".") ? resolve(import.meta.dirname, "src", path) : path,
  ),
)

/** Takes what is of the core from its one file. */
const core: Plugin = {
  name: "core",
  setup: (build) => {
    build.onResolve({ filter: /^(\.|commander$)/ }, ({ path, resolveDir }) =>
      coreFiles.has(path.startsWith(".") ? resolve(resolveDir, path) : path)
        ? { path: "./core.js", external: true }
        : null,
    )
  },
}

const bundle = (entry: string, esbuildPlugins: Array<Plugin>): Options => ({
  entry: [entry],
  format: "esm",
  target: "node22",
  splitting: true,
  minify: true,
  noExternal: [/./],
  // tsup would resolve `node:` modules itself, before the plugin sees them.
  removeNodeProtocol: false,
  esbuildPlugins,
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

export default defineConfig([
  { ...bundle("src/core.ts", [builtinModules]), clean: true },
  bundle("src/main.ts", [core, builtinModules]),
])
