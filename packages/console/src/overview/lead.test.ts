import { expect, it } from "vitest"
import { type LeadAccount, leadOf } from "./lead.ts"

const account = (name: string, changes: Partial<LeadAccount> = {}): LeadAccount => ({
  domain: `${name.toLowerCase()}.example`,
  name,
  score: { total: 80, hot: true, top: null },
  previous: { dayAgo: 80, monday: 80 },
  ...changes,
})

const said = (accounts: ReadonlyArray<LeadAccount>): string =>
  leadOf(accounts, 70)
    .map(({ text }) => text)
    .join("")

const reason = (code: "submitted_form" | "visited_path", path?: string) => ({
  total: 80,
  hot: true,
  top: { part: "interest" as const, code, params: { ...(path !== undefined && { path }) } },
})

const cold = { total: 20, hot: false, top: null }
const today = { dayAgo: 60, monday: 60 }

it("is calm if no account is hot", () => {
  expect(said([])).toBe("A quiet day so far.")
  expect(said([account("Alder", { score: cold })])).toBe("A quiet day so far.")
})

it("counts in words who turned hot today, and says what the hottest did", () => {
  const accounts = [
    account("Alder", { previous: today, score: reason("submitted_form") as never }),
    account("Birch", { previous: today }),
    account("Cedar"),
  ]
  expect(said(accounts)).toBe("Two accounts turned hot today. Alder has sent a form.")
})

it("names the account if it is the only one, and links it", () => {
  const parts = leadOf([account("Alder", { previous: today }), account("Birch")], 70)
  expect(parts).toEqual([
    { text: "Alder", domain: "alder.example" },
    { text: " turned hot today." },
  ])
})

it("speaks of the week if no one turned hot today", () => {
  expect(said([account("Alder", { previous: { dayAgo: 75, monday: 69 } })])).toBe(
    "Alder turned hot since Monday.",
  )
})

it("counts an account without an earlier score as turned hot, but not one whose score still loads", () => {
  expect(said([account("Alder", { previous: { dayAgo: null, monday: null } })])).toBe(
    "Alder turned hot today.",
  )
  expect(said([account("Alder", { previous: undefined })])).toBe(
    "No account turned hot since Monday. Alder is the hottest.",
  )
})

it("names the page of a reason, and never looks a code up on a prototype", () => {
  const still = { score: reason("visited_path", "/compare") as never }
  expect(said([account("Alder", still)])).toBe(
    "No account turned hot since Monday. Alder has read /compare.",
  )
  const hostile = { total: 80, hot: true, top: { code: "constructor", part: "fit", params: {} } }
  expect(said([account("Alder", { score: hostile as never })])).toBe(
    "No account turned hot since Monday. Alder is the hottest.",
  )
})
