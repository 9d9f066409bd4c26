// The files that name companies (spec 13.2): the server reads them again when they change, and keeps the old data
// if it can't read the new file.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { inject } from "vitest"
import { companyFiles } from "../../src/people/identification/resolving/company-files.ts"
import { ipv4, mmdbFile } from "./mmdb-file.ts"

let count = 0
const newPath = () => join(inject("temporaryDirectory"), `networks-${process.pid}-${count++}`)
const write = (path: string, content: string | Buffer) =>
  Effect.promise(() => writeFile(path, content))
const csv = (name: string) => `cidr,name,domain\n192.0.2.0/24,${name},harbor.example\n`
const address = "192.0.2.9"

const logged: Array<unknown> = []
const noting = Logger.layer([Logger.make(({ message }) => void logged.push(message))])

describe("the files of companies", () => {
  it.live("are read again when they change, CSV and MMDB", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* write(path, csv("One"))
      const { look, lookUp } = yield* companyFiles({
        ipCompanyFile: path,
        ipCompanyExcludeFile: undefined,
      })
      assert.deepInclude(lookUp.find(address), { name: "One" })

      yield* write(
        path,
        mmdbFile([ipv4("192.0.2.0/24", { name: "Two more", domain: "two.example" })]),
      )
      assert.deepInclude(lookUp.find(address), { name: "One" })
      yield* look
      assert.deepInclude(lookUp.find(address), { name: "Two more" })
    }),
  )

  it.live("stay in use if the new one cannot be read, which is logged once", () =>
    Effect.gen(function* () {
      const path = newPath()
      yield* write(path, csv("One"))
      const { look, lookUp } = yield* companyFiles({
        ipCompanyFile: path,
        ipCompanyExcludeFile: undefined,
      })
      logged.length = 0
      yield* write(path, "cidr,name\nnowhere,Harbor\n")
      yield* look
      yield* look
      assert.deepInclude(lookUp.find(address), { name: "One" })
      assert.deepStrictEqual(logged.length, 1)
      assert.include(JSON.stringify(logged), "IP_COMPANY_FILE: row 1")

      yield* Effect.promise(() => rm(path))
      yield* look
      assert.deepInclude(lookUp.find(address), { name: "One" })
      yield* write(path, csv("Three"))
      yield* look
      assert.deepInclude(lookUp.find(address), { name: "Three" })
    }).pipe(Effect.provide(noting)),
  )

  it.live("exclude the domains of the exclude file, with comments and in any spelling", () =>
    Effect.gen(function* () {
      const [file, exclude] = [newPath(), newPath()]
      yield* write(file, csv("One"))
      yield* write(exclude, "# Partners\n\nhttps://www.Harbor.example/ # ours\n")
      const { look, lookUp } = yield* companyFiles({
        ipCompanyFile: file,
        ipCompanyExcludeFile: exclude,
      })
      assert.isUndefined(lookUp.find(address))
      assert.isTrue(lookUp.isExcluded("harbor.example"))
      yield* write(exclude, "other.example\n")
      yield* look
      assert.deepInclude(lookUp.find(address), { name: "One" })

      yield* write(exclude, "no domain\n")
      const refused = yield* Effect.flip(
        companyFiles({ ipCompanyFile: file, ipCompanyExcludeFile: exclude }),
      )
      assert.strictEqual(refused.message, "IP_COMPANY_EXCLUDE_FILE: line 1: expected a domain.")
    }),
  )
})
