// `npm start`: the demo server, in this process. npm passes a signal to the shell between the two, and that shell
// ends without passing it on, so the server stops as soon as the shell is gone. Ctrl-C reaches all of them.
const shell = process.ppid
const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, "SIGTERM")
}, 200).unref()
process.once("SIGINT", () => clearInterval(watch))

process.argv.push("start", "--demo")
await import("../packages/server/bin/footfall-server.js")
