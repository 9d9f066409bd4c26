// Failures of the file: modes, a path that is not a file, an interrupted write.

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { ConfigFile } from "./config-file.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

let directory: string
let file: ConfigFile

beforeEach(() => {
  directory = temporaryFolder("config")
  file = new ConfigFile({ FOOTFALL_CONFIG_DIR: directory })
})

test("without a file there are no profiles", async () => {
  expect(await file.read(() => {})).toEqual({ current: null, profiles: {} })
})

test("a file that only its owner can read causes no warning", async () => {
  writeFileSync(file.path, `{"current":null,"profiles":{}}`, { mode: 0o600 })
  const warnings: Array<string> = []

  await file.read((message) => warnings.push(message))

  expect(warnings).toEqual([])
})

test.each([0o640, 0o604, 0o620])("mode %o causes a warning", async (mode) => {
  writeFileSync(file.path, `{"current":null,"profiles":{}}`)
  chmodSync(file.path, mode)
  const warnings: Array<string> = []

  await file.read((message) => warnings.push(message))

  expect(warnings).toHaveLength(1)
})

test("a byte order mark, as some editors write one, is no part of the file", async () => {
  writeFileSync(file.path, `\uFEFF{"current":null,"profiles":{}}`, { mode: 0o600 })

  expect(await file.read(() => {})).toEqual({ current: null, profiles: {} })
})

test("a symbolic link stays one, and the file it points to is written", async () => {
  const target = join(temporaryFolder("dotfiles"), "footfall.json")
  writeFileSync(target, `{"current":null,"profiles":{}}`, { mode: 0o600 })
  symlinkSync(target, file.path)

  await write()

  expect(lstatSync(file.path).isSymbolicLink()).toBe(true)
  expect(readFileSync(target, "utf8")).toBe(readFileSync(file.path, "utf8"))
  expect(readFileSync(target, "utf8")).not.toBe(`{"current":null,"profiles":{}}`)
})

test("a path that cannot be read is an error with the reason", async () => {
  mkdirSync(file.path)

  await expect(file.read(() => {})).rejects.toMatchObject({
    code: "CONFIG_UNREADABLE",
    message: `The configuration file ${file.path} cannot be read (EISDIR).`,
    exitCode: 1,
  })
})

const write = (): Promise<unknown> =>
  file.change(
    () => {},
    () => ({ current: null, profiles: {} }),
  )

test("the written file and its folder are accessible only to their owner", async () => {
  const below = join(directory, "below")
  file = new ConfigFile({ FOOTFALL_CONFIG_DIR: below })

  await write()

  expect(statSync(file.path).mode & 0o777).toBe(0o600)
  expect(statSync(below).mode & 0o777).toBe(0o700)
})

test("an invalid file is rejected and left unchanged", async () => {
  writeFileSync(file.path, `{"profiles":[]}`, { mode: 0o600 })

  await expect(write()).rejects.toMatchObject({ code: "CONFIG_UNREADABLE" })

  expect(readFileSync(file.path, "utf8")).toBe(`{"profiles":[]}`)
})

test("of two concurrent changes, the second sees the result of the first", async () => {
  const add = (name: string) =>
    file.change(
      () => {},
      async (profiles) => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        const added = { [name]: { baseUrl: "http://127.0.0.1:1" } }
        return { current: null, profiles: { ...profiles.profiles, ...added } }
      },
    )

  await Promise.all([add("one"), add("two")])

  expect(Object.keys((await file.read(() => {})).profiles).toSorted()).toEqual(["one", "two"])
})

test("a failed write leaves only the old file", async () => {
  const changed = file.change(
    () => {},
    (profiles) => {
      // With a directory in its place, the rename fails after the new file was written.
      mkdirSync(join(file.path, "full"), { recursive: true })
      return profiles
    },
  )

  await expect(changed).rejects.toMatchObject({ code: "CONFIG_UNWRITABLE" })
  expect(readdirSync(directory)).toEqual(["config.json"])
})

test("an earlier interrupted write does not block a new one", async () => {
  writeFileSync(join(directory, `.config.json.${process.pid}`), "{")

  await write()

  expect(JSON.parse(readFileSync(file.path, "utf8"))).toEqual({ current: null, profiles: {} })
})

test("a directory that cannot be created is an error with the reason", async () => {
  writeFileSync(join(directory, "file"), "")
  file = new ConfigFile({ FOOTFALL_CONFIG_DIR: join(directory, "file", "below") })

  await expect(write()).rejects.toMatchObject({
    code: "CONFIG_UNWRITABLE",
    message: expect.stringContaining("(ENOTDIR)"),
  })
})

test("a change that throws leaves the file unchanged and releases the lock", async () => {
  writeFileSync(file.path, `{"current":null,"profiles":{}}`, { mode: 0o600 })
  const refuse = (): never => {
    throw new Error("no")
  }

  await expect(file.change(() => {}, refuse)).rejects.toThrow("no")

  expect(readdirSync(directory)).toEqual(["config.json"])
  expect(readFileSync(file.path, "utf8")).toBe(`{"current":null,"profiles":{}}`)
  await write()
})
