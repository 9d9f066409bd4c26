// The manual pages as text: they cover every command, and a formatter prints each character
// literally. groff and man are not needed.

import type { Command } from "commander"
import { expect, test } from "vitest"
import { manualPages } from "../scripts/manual.ts"
import { wholeProgram } from "../src/program.ts"
import { thisTerminal } from "./fixtures/this-terminal.ts"

const program = await wholeProgram(thisTerminal, "1")
const pages = manualPages(program)

const leavesOf = (command: Command): ReadonlyArray<Command> =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

test("there is one page for the program and one for each noun", () => {
  expect([...pages.keys()].toSorted()).toEqual(
    ["footfall.1", ...program.commands.map((noun) => `footfall-${noun.name()}.1`)].toSorted(),
  )
})

test("the page of each noun has every option that help shows, and no hidden one", () => {
  for (const noun of program.commands) {
    const page = (pages.get(`footfall-${noun.name()}.1`) ?? "")
      .replaceAll("\\-", "-")
      .replace(/\\\[u([0-9A-F]+)\]/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    for (const { flags, hidden } of leavesOf(noun).flatMap(({ options }) => options)) {
      expect(page.includes(flags), flags).toBe(!hidden)
    }
  }
  expect([...pages.values()].join("").replaceAll("\\-", "-")).not.toContain("--password [secret]")
})

test.each([...pages])("%s is plain roff: known macros and escapes, ASCII only", (name, page) => {
  const macros = new Set(
    page.split("\n").flatMap((line) => (/^[.']/.test(line) ? [line.split(" ")[0]] : [])),
  )
  const escapes = new Set(page.match(/\\(?:\((..)|\[u[0-9A-F]+\]|f.|.)/g))

  const known = new Set([".TH", ".SH", ".TP", ".PP", ".BR", ".B", ".I", ".br", ".nf", ".fi"])
  expect([...macros].filter((macro) => !known.has(macro ?? ""))).toEqual([])
  expect(
    [...escapes].filter(
      (escape) => !/^\\(-|&|e|\((aq|ga|dq)|f[BIR]|\[u[0-9A-F]{4,5}\])$/.test(escape),
    ),
  ).toEqual([])
  expect(page).toMatch(/^[\n\x20-\x7E]*$/)
  expect(page.match(/\.nf$/gm)?.length).toBe(page.match(/\.fi$/gm)?.length)
  expect(page).toContain(`.TH "${name.replace(".1", "").replace(/-/g, "\\-")}" 1`)
})
