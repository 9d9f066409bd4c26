#!/usr/bin/env node
// Committed, not built: npm links a command only when its file exists at install time. Written so
// that an old Node can read it and say what is missing.
var parts = process.versions.node.split(".").map(Number)
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 19)) {
  console.error(
    "footfall-server needs Node 22.19 or newer, this is " +
      process.versions.node +
      (/node_modules/.test(import.meta.url)
        ? ". Install a newer one, then run the command again."
        : ". In this repository, npm scripts bring their own: npm start"),
  )
  process.exit(1)
}
compileLess()
keepCompiledCode()
import("../dist/main.js").catch(function (error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || !/dist.main\.js/.test(error.message)) throw error
  console.error("footfall-server is not built yet. Run: npm run build")
  process.exit(1)
})

// V8's first compiler turns the longest function of the bundle, which runs only once, into machine code while it runs. That takes a tenth of
// the work of a start and 3 MiB that stay. Without it, V8 still optimizes what runs often.
function compileLess() {
  process.getBuiltinModule("node:v8").setFlagsFromString("--no-sparkplug")
}

// Compiling the bundle is a sixth of the work of a start. The code is kept in the user's own cache directory: the default lies in the shared
// temporary directory, where another user could put code in its place.
function keepCompiledCode() {
  var env = process.env
  var cache = env.XDG_CACHE_HOME || env.LOCALAPPDATA || (env.HOME && env.HOME + "/.cache")
  if (cache) process.getBuiltinModule("node:module").enableCompileCache(cache + "/footfall")
}
