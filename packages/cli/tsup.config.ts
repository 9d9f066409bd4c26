// Bundles the command. Everything is inside, in chunks, so that a command loads only its part:
// measured start-up is in README.md. Declarations are not made; nothing imports the CLI.

import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/main.ts"],
  format: "esm",
  target: "node22",
  clean: true,
  splitting: true,
  minify: true,
  noExternal: [/./],
  // React's production build, and no developer tools in Ink (the package is not installed).
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  esbuildOptions: (options) => {
    options.legalComments = "none"
    options.external = [...(options.external ?? []), "react-devtools-core"]
  },
  // Some of what Ink stands on is CommonJS and asks for Node's modules by `require`.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
})
