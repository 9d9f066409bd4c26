// ClickHouse without a server: the engine of the npm package chdb, behind the part of ClickHouse's HTTP interface that
// the server uses. A process of its own, because one holds one data folder; statements follow one another. Its first
// line of output is the port.
import { Session } from "chdb"
import { once } from "node:events"
import { rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"

const here = { host: "127.0.0.1", port: 9000 }
const down = { host: "127.0.0.1", port: 1 }

/** Replicas by cluster and shard. */
const clusters = {
  footfall: [[here], [here]],
  shard_down: [[here], [down]],
  replica_down: [
    [here, down],
    [here, down],
  ],
  uneven: [[here], [here, down]],
}

const tag = (name, content) => `<${name}>${content}</${name}>`
const shard = (replicas) =>
  tag("internal_replication", "true") +
  replicas.map(({ host, port }) => tag("replica", tag("host", host) + tag("port", port))).join("")
const remoteServers = Object.entries(clusters)
  .map(([name, shards]) => tag(name, shards.map((each) => tag("shard", shard(each))).join("")))
  .join("")

const [directory] = process.argv.slice(2)
process.chdir(directory)
// The engine reads it from the current folder.
await writeFile(
  "config.xml",
  tag("clickhouse", tag("tcp_port", here.port) + tag("remote_servers", remoteServers)),
)
const session = new Session(directory)
let turn = Promise.resolve()

/** By table: which of its rows a shard has. The engine has all shards in one table, so each may read only its own. */
const shards = new Map()

/** There is no Keeper, so no table is replicated, and a statement for a cluster is for this engine. */
const translated = (database, statement) => {
  const [, table, key] =
    /engine = Distributed\('[\w-]+', '\w+', (\w+), (.+)\)\s*$/.exec(statement) ?? []
  if (table !== undefined) shards.set(`${database}.${table}`, `shardNum() in (0, 1 + ${key} % 2)`)
  return statement
    .replace(/ on cluster '[\w-]+'/, "")
    .replace(/Replicated(\w*MergeTree)\('[^']+', '[^']+'\)/, "$1")
}

/** Rows come in a file, because an engine without a server has no request to read them from. */
const inserted = async (query, rows) => {
  const file = join(directory, `rows-${process.hrtime.bigint()}`)
  await writeFile(file, rows)
  const [, statement, format] = /^([^]*)\bformat (\w+)\s*$/.exec(query)
  const text = statement.replace("input(", `file('${file}', '${format}', `)
  return { text, done: () => rm(file) }
}

const answer = async (parameters, body) => {
  const database = parameters.get("database")
  session.query(`use ${database}`)
  session.query(`set max_query_size = ${parameters.get("max_query_size")}`)
  const filters = [...shards].filter(([table]) => table.startsWith(`${database}.`))
  session.query(
    `set additional_table_filters = {${filters.map(([table, filter]) => `'${table}': '${filter}'`)}}`,
  )
  const query = parameters.get("query")
  if (query === null) {
    const [, text = "", format = "TabSeparated"] =
      /^([^]*?)(?:\bformat (\w+))?\s*$/.exec(body.toString()) ?? []
    const result = await session.queryAsync(translated(database, text), { format })
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
