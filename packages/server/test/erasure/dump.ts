// Everything in a database as text: every row of every table and partition. Finds anything about a person in it:
// plain, hashed, or in base64 or hexadecimal.
import { createHash } from "node:crypto"
import type { TestServer } from "../support/server.ts"

/** The tables that contain a text, by the form it has there. Empty if none does. */
export type Findings = ReadonlyArray<{
  readonly table: string
  readonly text: string
  readonly form: string
}>

/** One line per row. Bytes are hexadecimal. */
export const dump = async (
  sql: TestServer["sql"],
): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const tables = await sql(
    `select c.relname as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'm')
     order by c.relname`,
  )
  const rows = new Map<string, ReadonlyArray<string>>()
  for (const { name } of tables) {
    const table = String(name)
    const lines = await sql(`select t::text as line from "${table}" as t order by line`)
    rows.set(
      table,
      lines.map(({ line }) => String(line)),
    )
  }
  return rows
}

export const findings = async (
  sql: TestServer["sql"],
  texts: ReadonlyArray<string>,
): Promise<Findings> => {
  const needles = texts.flatMap((text) => formsOf(text).map(([form, of]) => ({ text, form, of })))
  return [...(await dump(sql))].flatMap(([table, lines]) => {
    const all = lines.join("\n").toLowerCase()
    return needles
      .filter(({ of }) => all.includes(of.toLowerCase()))
      .map(({ text, form }) => ({ table, text, form }))
  })
}

const formsOf = (text: string): ReadonlyArray<readonly [form: string, of: string]> => {
  const bytes = Buffer.from(text)
  const hashes = ["sha256", "sha1", "md5"].flatMap((name) => {
    const digest = createHash(name).update(text).digest()
    return [
      [name, digest.toString("hex")],
      [`${name} in base64`, unpadded(digest)],
    ] as const
  })
  return [["plain", text], ["base64", unpadded(bytes)], ["hex", bytes.toString("hex")], ...hashes]
}

/** Without the characters that depend on where the text ends. */
const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/.?=*$/, "")
