// Runs a statement like `duckdb -c SQL` in the guides: in the folder of the page, printing the rows as JSON. It uses
// the library on which that program is built.
import { DuckDBInstance } from "@duckdb/node-api"

const [option, statement] = process.argv.slice(2)
if (option !== "-c" || statement === undefined) throw new Error("Expected: duckdb -c SQL")
const connection = await (await DuckDBInstance.create()).connect()
const rows = (await connection.runAndReadAll(statement)).getRowObjectsJson()
process.stdout.write(`${rows.map((row) => JSON.stringify(row)).join("\n")}\n`)
connection.closeSync()
