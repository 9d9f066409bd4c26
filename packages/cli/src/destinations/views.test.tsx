// Screens of destinations, shows connected accounts and mailing lists, rendered without color.

import type { ConnectedAccount, Destination, MailingList } from "@footfall/sdk"
import type { ComponentType } from "react"
import { expect, test } from "vitest"
import { stripVTControlCharacters } from "node:util"
import { account, list, mailingList, webhook } from "../../test/fixtures/destination-records.ts"
import { accountList, mailingLists } from "../integrations/integrations.ts"
import { textWidth } from "../ui/column-widths.ts"
import { drawn } from "../ui/drawn.ts"
import { ListScreen } from "../ui/list-screen.tsx"
import { destinationList } from "./destinations.ts"
import { DestinationView } from "./views.tsx"

const now = new Date("2026-03-11T09:00:00.000Z")
const timeZone = "UTC"
const text = <Props extends object>(
  screen: ComponentType<Props>,
  props: Props,
  columns = 120,
): string => stripVTControlCharacters(drawn(screen, props, columns))

const of = (total: number) => ({ total, hasMore: false })

/** A name that tries to clear the screen. */
const hostile = "\u001B[2J\u009B31mEvil\u202E\nCorp"
const control = /[^\P{Cc}\n]|\u202E/u

test("destinations show the URL, the status, and why one stopped", () => {
  const destinations = [webhook, mailingList]
  const screen = text(
    ListScreen<Destination>,
    { table: destinationList.table, rows: destinations, meta: of(2), now, screenColumns: 140 },
    140,
  )

  expect(screen).toMatch(
    /72c2caee\S+\s+CRM intake\s+hooks\.tidewater\.example\s+active\s+12,345\s+30m ago/,
  )
  expect(screen).toMatch(/8d0f3b7e\S+\s+Newsletter\s+Warehouse buyers\s+needs attention/)
  expect(screen).toContain("LIST_NOT_FOUND")
})

test.each([60, 80, 200])("destinations fit a screen of %d columns, with their ids", (columns) => {
  const destinations = [webhook, { ...mailingList, name: hostile }]
  const screen = text(
    ListScreen<Destination>,
    { table: destinationList.table, rows: destinations, meta: of(2), now, screenColumns: columns },
    columns,
  )

  expect(screen).not.toMatch(control)
  expect(screen).toContain(webhook.id)
  for (const line of screen.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(columns)
})

test("a webhook shows its URL and figures", () => {
  const screen = text(DestinationView, { destination: webhook, now, timeZone })

  expect(screen).toMatch(/CRM intake · active/)
  expect(screen).toMatch(/Address\s+https:\/\/hooks\.tidewater\.example\/footfall/)
  expect(screen).toMatch(/Contacts\s+12,345 sent, /)
  expect(screen).not.toContain("Last error")
})

test("a mailing list shows its fields, and what is wrong", () => {
  const screen = text(DestinationView, { destination: mailingList, now, timeZone })

  expect(screen).toMatch(/List\s+Warehouse buyers \(buyers\)/)
  expect(screen).toMatch(/Account\s+Newsletter, healthy/)
  expect(screen).toMatch(/Fields\s+FNAME=firstName, ORG=company\.name/)
  expect(screen).toMatch(/Last error\s+LIST_NOT_FOUND/)
  expect(screen).toMatch(/Reason\s+The list is gone\./)
})

test("shows connected accounts and mailing lists", () => {
  const accounts = text(ListScreen<ConnectedAccount>, {
    table: accountList.table,
    rows: [account],
    meta: of(1),
    now,
    screenColumns: 120,
  })
  const lists = text(ListScreen<MailingList>, {
    table: mailingLists.table,
    rows: [list],
    meta: of(1),
    now,
    screenColumns: 120,
  })

  expect(accounts).toMatch(/3f0c8a52\S+\s+Mailer\s+Newsletter\s+healthy\s+10m ago/)
  expect(lists).toMatch(/buyers\s+Warehouse buyers\s+1,204\s+3\s+double\s+FNAME/)
})

test("empty lists say what to do next", () => {
  expect(
    text(ListScreen<Destination>, {
      table: destinationList.table,
      rows: [],
      meta: of(0),
      now,
      screenColumns: 80,
    }),
  ).toContain("footfall destinations create")
  expect(
    text(ListScreen<ConnectedAccount>, {
      table: accountList.table,
      rows: [],
      meta: of(0),
      now,
      screenColumns: 80,
    }),
  ).toContain("footfall integrations accounts create")
})
