// Processor time of processes. Linux only.
import { readdirSync, readFileSync } from "node:fs"
import { query } from "./database.ts"

/** Fields of a process from the third one on, numbered as in Linux. */
const statOf = (pid: number | string): ReadonlyArray<number> => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  return stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number)
}

/** Includes child processes it has waited for. A tick is 10 ms. */
export const processorMs = (pid: number | string): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + ticks, 0) * 10

/** All Postgres processes of the database. */
export const postgresMs = async (database: string): Promise<number> => {
  const [found] = await query(
    database,
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid`,
  )
  const postmaster = Number(found!["pid"])
  const children = readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && statOf(name)[1] === postmaster
    } catch {
      return false
    }
  })
  return [postmaster, ...children].reduce<number>((sum, pid) => {
    try {
      return sum + processorMs(pid)
    } catch {
      // The process has exited, and its postmaster includes its time.
      return sum
    }
  }, 0)
}
