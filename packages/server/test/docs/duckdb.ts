// `duckdb -c SQL` as a reader of the guides has it: runs the statement in the folder of the page and prints the rows as JSON. The
// library is the one that the program is made of.
import { DuckDBInstance } from "@duckdb/node-api"

const [option, statement] = process.argv.slice(2)
if (option !== "-c" || statement === undefined) throw new Error("Expected: duckdb -c SQL")
const connection = await (await DuckDBInstance.create()).connect()
const rows = (await connection.runAndReadAll(statement)).getRowObjectsJson()
process.stdout.write(`${rows.map((row) => JSON.stringify(row)).join("\n")}\n`)
connection.closeSync()
