// The files of the spool without a server: order, limits, faults of the disk, and takeovers (spec 15.3.5).
import { createSecretKey } from "node:crypto"
import { appendFile, mkdtemp, readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, inject, it } from "vitest"
import "../support/database-setup.ts"
import { inboundSpool } from "../../src/app/commands/doctor/host-findings.ts"
import { SpoolFiles, SpoolFull, spoolState } from "../../src/collect/inbound/spool/files.ts"

const keys = [createSecretKey(Buffer.alloc(32, 7))]
const hour = 3_600_000
let now = Date.now()

const folder = () => mkdtemp(join(inject("temporaryDirectory"), "spool-"))
const open = (directory: string, bytesMax = 1024 * 1024) =>
  new SpoolFiles({ directory, bytesMax, keys, now: () => now })

const texts = async (files: SpoolFiles) => {
  const all: Array<string | undefined> = []
  for (const path of await files.closed()) {
    for (const entry of await files.read(path)) all.push(entry?.toString())
  }
  return all
}

it("entries come back in the order in which they were added, also those added together", async () => {
  const files = open(await folder())
  const numbers = Array.from({ length: 50 }, (_, at) => String(at))
  await Promise.all(numbers.map((text) => files.append(Buffer.from(text))))
  await files.append(Buffer.from("last"))

  expect(await texts(files)).toEqual([...numbers, "last"])
  expect(files.entries).toBe(51)
})

it("what is on the disk is sealed", async () => {
  const directory = await folder()
  const files = open(directory)
  await files.append(Buffer.from("jane@acme.example"))
  const [path] = await files.closed()

  expect((await readFile(path!)).includes("jane@acme.example")).toBe(false)
  const others = new SpoolFiles({
    directory,
    bytesMax: 1,
    keys: [createSecretKey(Buffer.alloc(32, 8))],
    now: () => now,
  })
  expect(await others.read(path!)).toEqual([undefined])
})

it("a full spool refuses, and takes again once a file is replayed", async () => {
  const files = open(await folder(), 1_000)
  await files.append(Buffer.alloc(600))
  await expect(files.append(Buffer.alloc(600))).rejects.toBeInstanceOf(SpoolFull)
  const [path] = await files.closed()
  await files.delete(path!)

  await files.append(Buffer.alloc(600))
  expect(files.entries).toBe(1)
})

it("entries added while a file is replayed go to another file", async () => {
  const files = open(await folder())
  await files.append(Buffer.from("first"))
  const before = await files.closed()
  await files.append(Buffer.from("second"))

  expect(before).toHaveLength(1)
  await files.delete(before[0]!)
  expect(await texts(files)).toEqual(["second"])
})

it("an entry that a kill cut in half is left out, and those before it are not", async () => {
  const files = open(await folder())
  await files.append(Buffer.from("whole"))
  const [path] = await files.closed()
  await appendFile(path!, Buffer.from([0, 0, 4, 0, 1, 2, 3]))

  expect((await files.read(path!)).map(String)).toEqual(["whole"])
})

it("bytes that are no entries stop nothing", async () => {
  const files = open(await folder())
  await files.append(Buffer.from("whole"))
  const [path] = await files.closed()
  await writeFile(path!, Buffer.alloc(4096, 255))

  expect(await files.read(path!)).toEqual([])
})

it("the files of a process that is gone are taken over by one other, and those of a living one are not", async () => {
  const directory = await folder()
  const gone = open(directory)
  await gone.append(Buffer.from("left"))
  const heirs = [open(directory), open(directory)]
  for (const heir of heirs) await heir.adopt()
  expect(await Promise.all(heirs.map(texts))).toEqual([[], []])

  now += hour
  for (const heir of heirs) await heir.beat()
  await Promise.all(heirs.map((heir) => heir.adopt()))
  const taken = (await Promise.all(heirs.map(texts))).flat()
  expect(taken).toEqual(["left"])
  now -= hour
})

it("a process that was taken for dead fails once, and writes in a new folder", async () => {
  const directory = await folder()
  const paused = open(directory)
  await paused.append(Buffer.from("before"))
  const [own] = await readdir(directory)
  await rename(join(directory, own!), join(directory, "taken"))

  await expect(paused.append(Buffer.from("after"))).rejects.toMatchObject({ code: "ENOENT" })
  await paused.append(Buffer.from("after"))
  expect(await texts(paused)).toEqual(["after"])
})

it("the state counts what waits and what was set aside", async () => {
  const directory = await folder()
  const files = open(directory)
  await files.append(Buffer.from("one"))
  await files.append(Buffer.from("two"))
  await files.setAside(Buffer.from("three"))

  expect(await spoolState(directory)).toMatchObject({ entries: 2, setAside: 1 })
  expect(await spoolState(join(directory, "missing"))).toEqual({
    entries: 0,
    bytes: 0,
    setAside: 0,
  })
})

it("the doctor says how much waits and what was set aside", async () => {
  const dataDir = await folder()
  expect(await inboundSpool({ dataDir })).toMatchObject({ status: "ok" })
  const directory = join(dataDir, "inbound", "spool")
  const files = open(directory)
  await files.append(Buffer.from("one"))
  expect(await inboundSpool({ dataDir })).toMatchObject({
    status: "warning",
    message: "1 request of an inbound source waits, 1 KB.",
  })
  await files.setAside(Buffer.from("two"))
  expect((await inboundSpool({ dataDir })).message).toContain("set aside")
})
