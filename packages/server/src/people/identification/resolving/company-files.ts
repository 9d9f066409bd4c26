// The files that name companies: IP_COMPANY_FILE (CSV or MMDB) and IP_COMPANY_EXCLUDE_FILE. Both are checked every 60
// seconds. If one can't be read, the last good content stays in use and the failure is logged (spec 13.2).
import { normalizeDomain, registrableDomain } from "@footfall/normal-form"
import { Effect, Layer, Schema } from "effect"
import { readFile, stat } from "node:fs/promises"
import { Worker } from "node:worker_threads"
import { every } from "../../../platform/jobs/every.ts"
import { NetworkCompanies, type NetworkCompany } from "../../../collect/visits/network-companies.ts"
import type { CompanyFileReport } from "./company-file-report.ts"
import { IpCompanies, type NetworkTable } from "./ip-companies.ts"
import { isMmdb, MmdbCompanies } from "./mmdb-companies.ts"

const lookInterval = "60 seconds"

export interface CompanyFilePaths {
  readonly ipCompanyFile: string | undefined
  readonly ipCompanyExcludeFile: string | undefined
}

/** A company file can't be used; the message says which and why. */
export class CompanyFileRefused extends Schema.TaggedError<CompanyFileRefused>()(
  "CompanyFileRefused",
  { variable: Schema.String, message: Schema.String },
) {}

export interface Companies {
  find(address: string): NetworkCompany | undefined
  /** Takes seconds for a large MMDB file. */
  readonly report: CompanyFileReport
}

/** Rejects with what is wrong with the file. */
export const readCompanies = async (path: string): Promise<Companies> => {
  const file = await readFile(path)
  return isMmdb(file) ? new MmdbCompanies(file) : new IpCompanies(await inWorker(file))
}

/** Registrable domains, one per line. Rejects with the first invalid line. */
export const readExcluded = async (path: string): Promise<ReadonlySet<string>> => {
  const lines = (await readFile(path, "utf8")).replace(/^\ufeff/, "").split(/\r?\n/)
  return new Set(
    lines.flatMap((line, index) => {
      const text = line.replace(/#.*$/, "").trim()
      if (text === "") return []
      const domain = normalizeDomain(text, 253)
      const registrable = domain === undefined ? undefined : registrableDomain(domain)
      if (registrable === undefined) throw new Error(`line ${index + 1}: expected a domain`)
      return [registrable]
    }),
  )
}

/** The file next to this one, in TypeScript or as built. */
const workerUrl = new URL(
  `./ip-companies-worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`,
  import.meta.url,
)

const inWorker = (file: Buffer): Promise<NetworkTable> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(workerUrl, { workerData: file })
    worker.once(
      "message",
      (message: { readonly table?: NetworkTable; readonly wrong?: string }) => {
        if (message.table === undefined) reject(new Error(message.wrong))
        else resolve(message.table)
      },
    )
    worker.once("error", reject)
  })

/** A file as last read. */
interface Kept<A> {
  readonly value: A
  /** Identifies the file's version; a different one is read again. */
  readonly mark: string | undefined
}

const markOf = async (path: string): Promise<string> => {
  const { ino, mtimeMs, size } = await stat(path)
  return `${ino} ${mtimeMs} ${size}`
}

const load = <A>(
  variable: string,
  path: string,
  read: (path: string) => Promise<A>,
): Effect.Effect<Kept<A>, CompanyFileRefused> =>
  Effect.tryPromise({
    // The mark is read first, so that a file that changes while it is read is read again.
    try: async () => ({ mark: await markOf(path), value: await read(path) }),
    catch: (error) =>
      new CompanyFileRefused({
        variable,
        message: `${variable}: ${error instanceof Error ? error.message : String(error)}.`,
      }),
  })

/** Reads a file now and whenever it changes. *Errors*: those of the first read. */
const watched = <A>(variable: string, path: string, read: (path: string) => Promise<A>) =>
  Effect.gen(function* () {
    let kept = yield* load(variable, path, read)
    const look = Effect.gen(function* () {
      const mark = yield* Effect.promise(() => markOf(path).catch(() => undefined))
      if (mark === kept.mark) return
      // Logged once per change, not every minute.
      const loaded = yield* load(variable, path, read).pipe(
        Effect.tapError(({ message }) =>
          Effect.logWarning(
            "could not read a company file, the last good version stays in use",
            message,
          ),
        ),
        Effect.catch(() => Effect.succeed({ ...kept, mark })),
      )
      kept = loaded
    })
    return { get: () => kept.value, look }
  })

const variables = { file: "IP_COMPANY_FILE", exclude: "IP_COMPANY_EXCLUDE_FILE" } as const

/** Loads both files. Returns a lookup, and a check whether they have changed. */
export const companyFiles = Effect.fnUntraced(function* (paths: CompanyFilePaths) {
  const { ipCompanyExcludeFile, ipCompanyFile } = paths
  const file = ipCompanyFile && (yield* watched(variables.file, ipCompanyFile, readCompanies))
  const exclude =
    ipCompanyExcludeFile && (yield* watched(variables.exclude, ipCompanyExcludeFile, readExcluded))
  const isExcluded = (domain: string) => (exclude ? exclude.get().has(domain) : false)
  const find = (address: string) => {
    const company = file ? file.get().find(address) : undefined
    const isOut = company?.domain !== undefined && isExcluded(company.domain)
    return isOut ? undefined : company
  }
  const look = Effect.andThen(file ? file.look : Effect.void, exclude ? exclude.look : Effect.void)
  return { lookUp: { find, isExcluded }, look }
})

/** Active while its scope is open. */
export const CompanyFiles = (paths: CompanyFilePaths) =>
  Layer.effect(
    NetworkCompanies,
    Effect.gen(function* () {
      const { look, lookUp } = yield* companyFiles(paths)
      yield* every(lookInterval, "could not check the company files", look)
      return lookUp
    }),
  )
