// The floor for lists: runs the statements given for a path and responds with their rows. node
// list-floor.ts <port> <database> <file: JSON of {path: [{text, values}]}>
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import pg from "pg"

const [port, database, file] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: database, max: 10 })
const statements = JSON.parse(readFileSync(file ?? "", "utf8")) as Record<
  string,
  ReadonlyArray<{ text: string; values: Array<unknown> }>
>

createServer((request, response) => {
  const queries = statements[request.url ?? ""]
  if (queries === undefined) return void response.end("ok")
  void Promise.all(
    queries.map(({ text, values }, index) =>
      pool.query({ name: `${request.url}${index}`, text, values }),
    ),
  ).then((results) => {
    const body = JSON.stringify({ data: results.map(({ rows }) => rows) })
    response
      .writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      })
      .end(body)
  })
}).listen(Number(port), "127.0.0.1")
