#!/usr/bin/env node
// The `footfall` command: refuses an old Node with one clear line, then hands over to the bundle.
// Committed as it is, because npm links a bin only if it exists at install time. Written so that
// every old Node can parse it: no imports, no syntax newer than `import()`.

var needed = [22, 19]
var found = process.versions.node.split(".").map(Number)

if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  var refusal = "footfall needs Node " + needed.join(".") + " or newer; this is " + process.version
  process.stderr.write(refusal + ".\n")
  if (process.argv[2] === "mcp" && process.argv[3] !== "install") refuseAgent(refusal)
  else process.exit(1)
} else {
  keepCompiledCode()
  import("../dist/main.js").catch(function (error) {
    var isBundleMissing = error.code === "ERR_MODULE_NOT_FOUND" && /dist.main\.js/.test(error.url)
    process.stderr.write(
      isBundleMissing
        ? "footfall is not built yet. Run: npm run build\n"
        : "footfall could not start: " + error.stack + "\n",
    )
    process.exit(1)
  })
}

// An agent shows the error in an answer to its first message, and not what stands on standard error.
function refuseAgent(text) {
  var received = ""
  process.stdin.setEncoding("utf8")
  process.stdin.on("data", function (part) {
    received += part
    if (received.indexOf("\n") === -1) return
    var message = Object(parsed(received.split("\n")[0]))
    var id = message.id === undefined ? null : message.id
    var answer = { jsonrpc: "2.0", id: id, error: { code: -32600, message: text } }
    process.stdout.write(JSON.stringify(answer) + "\n", function () {
      process.exit(1)
    })
  })
  process.stdin.on("end", function () {
    process.exit(1)
  })
}

function parsed(text) {
  try {
    return JSON.parse(text)
    // oxlint-disable-next-line no-unused-vars -- an old Node needs the name
  } catch (error) {
    return null
  }
}

// Kept in the user's own cache directory: the default lies in the shared temporary directory,
// where another user could put code in its place.
function keepCompiledCode() {
  var env = process.env
  var cache = env.XDG_CACHE_HOME || env.LOCALAPPDATA || (env.HOME && env.HOME + "/.cache")
  if (cache) process.getBuiltinModule("node:module").enableCompileCache(cache + "/footfall")
}
