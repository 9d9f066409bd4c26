// `npm start` runs the demo server in this process. npm sends signals only to the shell in between,
// and that shell exits without passing them on. So the server stops as soon as the shell has
// exited. Ctrl-C reaches all of them.
const shell = process.ppid
const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, "SIGTERM")
}, 200).unref()
process.once("SIGINT", () => clearInterval(watch))

process.argv.push("start", "--demo")
await import("../packages/server/bin/footfall-server.js")
