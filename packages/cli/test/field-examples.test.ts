// The `--fields` example in the help of each command names fields that the command prints.

import type { Command } from "commander"
import type {
  Delivery,
  FailedContact,
  Overview,
  TopicList,
  VisitorWebhook,
  WriteKey,
} from "@footfall/sdk"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { wholeProgram } from "../src/program.ts"
import {
  account as connectedAccount,
  webhook as destination,
} from "./fixtures/destination-records.ts"
import { FakeApi, sendJson } from "./fixtures/fake-api.ts"
import { configDirectory, footfall } from "./fixtures/footfall.ts"
import { analysis, audience, comparisons, preview, trend } from "./fixtures/intent-records.ts"
import {
  account,
  apiKey,
  me,
  member,
  organization,
  pixelWithCode,
  segment,
  storedKey,
} from "./fixtures/records.ts"
import { exportWithLink, run, runResult, runStatistics } from "./fixtures/run-records.ts"
import { thisTerminal } from "./fixtures/this-terminal.ts"

const id = "3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"
const counts = { email: 0, domain: 0, company_domain: 0, industry: 0 }
const meta = {
  total: 0,
  limit: 50,
  offset: 0,
  hasMore: false,
  nextCursor: null,
  page: 1,
  counts,
  run,
}
const figures = { people: 1 }
const researched = { dataDate: "2026-03-10", previousDate: null, topics: [] }
const owned = { owner: null, tags: ["Q3"] }
const explainedScore = {
  total: 48,
  fit: 60,
  interest: 36,
  hot: false,
  computedAt: "2026-03-11T09:00:00.000Z",
  entries: [
    {
      part: "fit" as const,
      name: "Right size",
      points: 60,
      reason: { code: "company_size", params: { min: 50 } },
    },
  ],
  previous: { dayAgo: 50, monday: null },
}

// Records without a fixture contain only what the examples name. The types check that these members exist.
const overview = { totals: figures, previous: figures } satisfies {
  readonly [Part in "totals" | "previous"]: Partial<Overview[Part]>
}
const topicList: Partial<TopicList> = { id, name: "Buyers", topicIds: [1] }
const webhook: Partial<VisitorWebhook> = {
  id,
  name: "CRM",
  status: "active",
  url: "https://a.example",
}
const failedContact: Partial<FailedContact> = { errorCode: "ENDPOINT_REJECTED", tries: [] }
const at = "2026-03-11T09:00:00.000Z"
const signedIn = { id, userAgent: null, createdAt: at, lastUsedAt: at }
const delivery: Partial<Delivery> = { id, status: "completed", sentCount: 1, failedCount: 0 }
const writeKey: Partial<WriteKey> = {
  id,
  name: "Shop",
  kind: "server",
  last4: "a1b2",
  lastUsedAt: null,
  expiresAt: null,
  createdAt: run.createdAt,
}
const why = { suppressed: false, rules: [] }

/**
 * The arguments of each command and its response. Lists may be empty: an unknown column is an error
 * even then.
 */
const answers: Readonly<Record<string, readonly [words: string, data?: unknown]>> = {
  "visitors list": [""],
  "visitors get": ["jane@acme.example"],
  "visitors query": ["--where WHERE", []],
  "visitors fields": [""],
  "visitors sessions": ["jane@acme.example", []],
  "visitors session": [`jane@acme.example ${"0".repeat(32)}`, []],
  "visitors score": ["jane@acme.example", explainedScore],
  "visitors topics": ["jane@acme.example", researched],
  "visitors assign": ["jane@acme.example none", owned],
  "visitors tag": ["jane@acme.example Q3", owned],
  "visitors notes": ["jane@acme.example", []],
  "visitors origins": ["jane@acme.example", { addresses: [], values: [] }],
  "companies list": ["", []],
  "companies query": ["--where WHERE", []],
  "companies get": ["acme.example", { name: "Acme", industry: null, sessions: 1 }],
  "companies activity": ["acme.example", { people: [], anonymous: [] }],
  "companies score": ["acme.example", explainedScore],
  "companies topics": ["acme.example", researched],
  "companies assign": ["acme.example none", owned],
  "companies tag": ["acme.example Q3", owned],
  "companies notes": ["acme.example", []],
  "companies session": [`acme.example ${"0".repeat(32)}`, []],
  overview: ["", overview],
  breakdown: ["", { rows: [], totals: { sessions: 3 } }],
  "segments list": ["", []],
  "segments get": [id, segment],
  "segments preview": ["--where WHERE", { count: 1 }],
  "lists list": ["", []],
  "lists get": [id, { name: "Accounts", size: 2, subject: "companies" }],
  "lists values": [id, []],
  tags: ["", []],
  "score show": [
    "",
    {
      fit: [],
      interest: [],
      weights: { fit: 0.5, interest: 0.5 },
      threshold: 60,
      custom: true,
      tooSlow: [],
    },
  ],
  "suppression list": ["", { rules: [], total: 0, counts }],
  "suppression sources list": ["", []],
  "suppression sources get": [
    id,
    { name: "CRM", status: "active", rules: 0, attention: null, lastSync: null },
  ],
  "suppression imports list": ["", []],
  "suppression industries": ["", []],
  "suppression why": ["jane@acme.example", why],
  "pixels list": ["", []],
  "pixels get": [id, pixelWithCode],
  "pixels verify": [id, { ...pixelWithCode, verified: true, reason: null, findings: [] }],
  "pixels suggest-topics": [id, { ...pixelWithCode, rules: [], pages: [] }],
  "pixels shared-user-ids list": [id, []],
  "pixels write-keys list": [id, []],
  "pixels write-keys get": [`${id} ${id}`, [writeKey]],
  "link-tokens create": ["jane@acme.example", { tokens: [], expiresAt: "2027-01-01T00:00:00Z" }],
  "webhooks list": ["", []],
  "webhooks get": [id, webhook],
  "webhooks deliveries": [id, { deliveries: [], total: 0 }],
  "webhooks delivery": [`${id} ${id}`, { status: "succeeded", attempts: 1, payload: "{}" }],
  "topics list": ["", []],
  "topics search": ["crm", []],
  "topics trend": ["1", trend],
  "topics compare": ["1", comparisons],
  "topics movers": ["", []],
  "topics analyze": ["https://acme.example", analysis],
  "topics analyses": ["", []],
  "topics facets": ["", { types: [], industries: [], categories: [] }],
  "topic-lists list": ["", []],
  "topic-lists get": [id, topicList],
  "audiences filters": ["seniority", { seniority: ["owner"] }],
  "audiences validate": ["--topic 1", { valid: true, configHash: "a".repeat(64), issues: [] }],
  "audiences preview": ["--topic 1", preview],
  "audiences list": ["", []],
  "audiences get": [id, audience],
  "runs list": [id, []],
  "runs get": [`${id} ${id}`, run],
  "runs stats": [`${id} ${id}`, { run, stats: runStatistics }],
  "runs results": [`${id} ${id}`, { run, results: [runResult], total: 1, limit: 50, offset: 0 }],
  "exports list": [`${id} ${id}`, []],
  "exports get": [`${id} ${id} ${id}`, exportWithLink],
  "destinations list": [id, { destinations: [], total: 0 }],
  "destinations get": [`${id} ${id}`, { destination }],
  "destinations preview": [id, { request: { headers: { "x-team": "crm" }, body: "{}" } }],
  "deliveries list": [id, { deliveries: [], total: 0 }],
  "deliveries get": [`${id} ${id}`, { delivery }],
  "deliveries contacts": [`${id} ${id}`, { contacts: [] }],
  "deliveries failures": [`${id} ${id}`, { failures: [], total: 0 }],
  "deliveries failure": [`${id} ${id} ${"0".repeat(64)}`, { failure: failedContact }],
  "integrations accounts list": ["", { accounts: [] }],
  "integrations accounts get": [connectedAccount.id, { accounts: [connectedAccount] }],
  "integrations accounts check": [id, { account: connectedAccount }],
  "destinations certify": [
    id,
    { certificate: { listId: "1", isListCreated: true, hasPassed: true, checks: [] } },
  ],
  "integrations apps": ["", { integrations: [] }],
  "integrations lists": [connectedAccount.id, { accounts: [connectedAccount], lists: [] }],
  doctor: [""],
  account: ["", account],
  "keys list": ["", []],
  "keys get": [storedKey.id, [storedKey]],
  "erasures list": ["", []],
  "erasures get": [
    id,
    { requestedAt: run.createdAt, completedAt: null, kinds: [], destinations: [] },
  ],
  "inbound list": ["", []],
  "inbound get": [
    id,
    { name: "RB2B", preset: "rb2b", status: "active", formerUrlUntil: null, lastRequestAt: null },
  ],
  "inbound history": [id, []],
  "members list": ["", []],
  "members get": [member.email, [member]],
  "organizations list": ["", []],
  "organizations get": ["", organization],
  "sign-ins list": ["", [signedIn]],
  "sign-ins get": [signedIn.id, [signedIn]],
  whoami: ["", me],
  "profiles list": [""],
  "profiles get": [""],
}

const root = await wholeProgram(thisTerminal, "1")

/** The part of help about `--fields`. */
const exampleOf = (path: ReadonlyArray<string>): string => {
  const command = path.reduce<Command | undefined>(
    (at, word) => at?.commands.find((one) => one.name() === word),
    root,
  )
  const option = command?.options.find(({ long }) => long === "--fields")
  return /for example (\S+)$/.exec(option?.description ?? "")?.[1] ?? ""
}

const leaves = (command: Command, before: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  command.commands.flatMap((one) => {
    const words = [...before, one.name()]
    const takesFields = one.options.some(({ long }) => long === "--fields")
    return [...(takesFields ? [words.join(" ")] : []), ...leaves(one, words)]
  })

const withFields = leaves(root)

test("every command with --fields is tested here", () => {
  expect(Object.keys(answers).toSorted()).toEqual(withFields.toSorted())
})

test.each(Object.entries(answers))(
  "the fields in the example of `footfall %s` exist",
  async (command, [words, data]) => {
    await using api = await FakeApi.start()
    api.on("GET /v1/data/account", () => ({ data: account }))
    if (data !== undefined) {
      api.answer = ({ url }, response) =>
        sendJson(response, 200, { data: url.pathname === "/v1/auth/me" ? me : data, meta })
    }
    const given = words
      .split(" ")
      .filter((word) => word !== "")
      .map((word) => (word === "WHERE" ? "behavior.pageviews gte 1" : word))
    const folder = configDirectory()
    const profiles = { local: { baseUrl: api.baseUrl, apiKey } }
    writeFileSync(join(folder, "config.json"), JSON.stringify({ current: "local", profiles }), {
      mode: 0o600,
    })
    const environment = {
      FOOTFALL_CONFIG_DIR: folder,
      FOOTFALL_ACCESS_TOKEN: "header.claims.signature",
    }
    const path = command.split(" ")
    const example = exampleOf(path)

    const { stderr, stdout } = await footfall([...path, ...given, "--fields", example], {
      environment,
    })

    expect(stderr).toBe("")
    const { data: shown } = JSON.parse(stdout)
    for (const record of [shown].flat()) {
      expect(Object.keys(record)).toEqual([
        ...new Set(example.split(",").map((path) => path.split(".")[0])),
      ])
    }
  },
)
