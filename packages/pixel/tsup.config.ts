/** Builds the one file the server embeds: an IIFE for ES2017 browsers, minified, without globals. */
import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/footfall.ts"],
  format: ["iife"],
  target: "es2017",
  platform: "browser",
  outExtension: () => ({ js: ".js" }),
  minify: true,
  clean: true,
  treeshake: false,
  tsconfig: "tsconfig.json",
})
