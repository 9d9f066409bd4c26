// ClickHouse without a server: the engine of the npm package chdb, behind the part of ClickHouse's HTTP interface that
// the server uses. A process of its own, because one holds one data folder; statements follow one another. Its first
// line of output is the port.
import { Session } from "chdb"
import { once } from "node:events"
import { rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"

const [directory] = process.argv.slice(2)
const session = new Session(directory)
let turn = Promise.resolve()

/** Rows come in a file, because an engine without a server has no request to read them from. */
const inserted = async (query, rows) => {
  const file = join(directory, `rows-${process.hrtime.bigint()}`)
  await writeFile(file, rows)
  const [, statement, format] = /^([^]*)\bformat (\w+)\s*$/.exec(query)
  const text = statement.replace("input(", `file('${file}', '${format}', `)
  return { text, done: () => rm(file) }
}

const answer = async (parameters, body) => {
  session.query(`use ${parameters.get("database")}`)
  session.query(`set max_query_size = ${parameters.get("max_query_size")}`)
  const query = parameters.get("query")
  if (query === null) {
    const [, text = "", format = "TabSeparated"] =
      /^([^]*?)(?:\bformat (\w+))?\s*$/.exec(body.toString()) ?? []
    const result = await session.queryAsync(text, { format })
    return Buffer.from(result?.bytes() ?? [])
  }
  const { done, text } = await inserted(query, body)
  await session.queryAsync(text).finally(done)
  return Buffer.alloc(0)
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { searchParams } = new URL(request.url, "http://localhost")
  turn = turn
    .then(() => answer(searchParams, Buffer.concat(chunks)))
    .then(
      (bytes) => response.end(bytes),
      (error) => response.writeHead(500).end(String(error.message)),
    )
})
server.listen(0, "127.0.0.1")
await once(server, "listening")
console.log(server.address().port)
process.stdin.on("end", () => process.exit()).resume()
