// The files of the spool without a server: order, limits, faults of the disk, and takeovers (spec 15.3.5).
import { createSecretKey } from "node:crypto"
import {
  appendFile,
  mkdtemp,
  readdir,
  readFile,
  rename,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises"
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
    for (const { opened } of await files.read(path)) all.push(opened?.toString())
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
  expect((await others.read(path!)).map(({ opened }) => opened)).toEqual([undefined])
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

  expect((await files.read(path!)).map(({ opened }) => String(opened))).toEqual(["whole"])
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

it("a steady flood does not keep the file from being closed", async () => {
  const files = open(await folder())
  await files.append(Buffer.from("first"))
  let isFlooding = true
  const flood = (async () => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- ends below
    while (isFlooding)
      await Promise.race([files.append(Buffer.from("x")), files.append(Buffer.from("y"))])
  })()
  expect(await files.closed()).not.toEqual([])
  isFlooding = false
  await flood
})

it("starts after starts do not put folders of folders into each other", async () => {
  const directory = await folder()
  await open(directory).append(Buffer.from("kept"))
  const levels = async () => {
    const names = await readdir(directory, { recursive: true })
    return Math.max(...names.map((name) => name.split("/").length))
  }
  const begun = now
  for (let start = 0; start < 5; start++) {
    now += hour
    await open(directory).adopt()
    expect(await levels()).toBe(3)
  }
  const last = open(directory)
  now += hour
  await last.adopt()
  now = begun
  const [path] = await last.closed()
  expect(await texts(last)).toEqual(["kept"])
  await last.delete(path!)

  expect(await levels()).toBe(2)
})

it("a folder whose sign of life is from before the clock was set back is taken over", async () => {
  const directory = await folder()
  const gone = open(directory)
  await gone.append(Buffer.from("left"))
  const [own] = await readdir(directory)
  const later = (now + hour) / 1_000
  await utimes(join(directory, own!, "alive"), later, later)

  const heir = open(directory)
  await heir.adopt()
  expect(await texts(heir)).toEqual(["left"])
})

it("a clock that is set back does not change the order", async () => {
  const files = open(await folder())
  await files.append(Buffer.from("first"))
  await files.closed()
  now -= hour
  await files.append(Buffer.from("second"))
  now += hour

  expect(await texts(files)).toEqual(["first", "second"])
})

it("counts what is left after each file, and what was taken over", async () => {
  const directory = await folder()
  const gone = open(directory)
  await gone.append(Buffer.from("one"))
  await gone.closed()
  await gone.append(Buffer.from("two"))
  now += hour
  const heir = open(directory)
  await heir.adopt()
  now -= hour
  expect(heir.entries).toBe(2)
  const [path] = await heir.closed()
  const { size } = await stat(path!)
  expect(heir.bytes).toBe(2 * size)
  await heir.delete(path!)
  expect([heir.entries, heir.bytes]).toEqual([1, size])
})

it("an entry that no key opens is kept aside, and a file that is put back is tried again", async () => {
  const directory = await folder()
  const others = new SpoolFiles({
    directory,
    bytesMax: 1024,
    keys: [createSecretKey(Buffer.alloc(32, 8))],
    now: () => now,
  })
  await others.append(Buffer.from("sealed with a former secret"))
  now += hour
  const files = open(directory)
  await files.adopt()
  now -= hour
  const [path] = await files.closed()
  await files.setAside((await files.read(path!))[0]!)
  await files.delete(path!)
  expect(await spoolState(directory)).toMatchObject({ entries: 0, setAside: 1 })

  const aside = (await readdir(directory)).find((name) => name.endsWith(".aside"))!
  await rename(join(directory, aside), join(directory, aside.replace(".aside", ".spool")))
  await others.adopt()
  expect(await texts(others)).toEqual(["sealed with a former secret"])
})

it("the state counts what waits and what was set aside", async () => {
  const directory = await folder()
  const files = open(directory)
  await files.append(Buffer.from("one"))
  await files.append(Buffer.from("two"))
  const [path] = await files.closed()
  await files.setAside((await files.read(path!))[0]!)

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
  const [path] = await files.closed()
  await files.setAside((await files.read(path!))[0]!)
  expect((await inboundSpool({ dataDir })).message).toContain("set aside")
})
