// What the reader of a page has and does besides typing: files, their own ids instead of those on the page, and answers
// to questions.
import { signTestWebhook } from "@footfall/sdk/webhooks"
import { createHash, randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import { expect } from "vitest"
import type { Given, Output } from "./terminal.ts"

interface Page extends Given {
  /** Checks the result of the commands. */
  readonly afterwards?: (output: Output) => void
}

const server: ReadonlyArray<readonly [string, string]> = [
  ["http://127.0.0.1:4100", "{B}"],
  // Another program may use the port that a page names, which is also the default.
  ["footfall listen", "footfall listen --port {LISTENER}"],
  ["http://127.0.0.1:4242", "http://127.0.0.1:{LISTENER}"],
]
/** A hidden prompt: the reader types what `npm start` printed. */
const login = [
  "footfall login --email owner@footfall.example",
  'footfall login --email owner@footfall.example --password-stdin <<< "$OWNER_PASSWORD"',
] as const

/** A visitor of the demo. */
const someone = ["why jane@acme.example", "why nadia.osei@northwind-robotics.example"] as const

const config = '{"topicIds": [1204, 3377], "filters": {"seniority": ["vp", "c_suite"]}}'
const people = "email,firstName,lastName\njane.mercer@harbor-logistics.example,Jane,Mercer\n"
const hash = createHash("sha256").update("jane.mercer@harbor-logistics.example").digest("hex")
const today = new Date().toISOString().slice(0, 10)
const links = `kind,value,emailHash\nexternal_id,crm-4711,${hash}\n`
const signals = `topicId,emailHash,score,date\n1204,${hash},85,${today}\n`
const customers = "Email\nbuyer@acme.example\nseller@contoso.example\n"

/** The first id in the reader's own list. */
const first = (list: string) => `$(footfall ${list} --json | jq -r ".data[0].id")`

/**
 * A webhook as a receiver stores it, and its secret. It is signed now, because a receiver rejects it after five
 * minutes.
 */
const signedRequest = async () => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`
  const { body, headers } = await signTestWebhook({ payload: '{"event":"webhook.test"}', secret })
  const request = [
    "POST /hooks HTTP/1.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    String(body),
  ].join("\r\n")
  return { "secret.txt": secret, "request.http": request }
}

/** The pixel of the demo, and its write key. */
const source = [
  ["https://footfall.example.com", "{B}"],
  ["example.com", "localhost"],
  [
    "<id of the old key> --grace-hours 24",
    '$(footfall pixels write-keys list localhost --json | jq -r ".data[0].id") --grace-hours 24 --yes',
  ],
] as const

const given: Readonly<Record<string, Page>> = {
  "docs/reference/audiences.md": {
    instead: [
      ["70865832-8a6e-409c-95c5-d15bafae1a05", "$OTHER_AUDIENCE"],
      ["$ID ", `${first("audiences list")} `],
    ],
    files: { "config.json": config, "audience.json": config },
  },
  "docs/reference/destinations.md": {
    instead: [
      ["https://crm.example/footfall", "{SITE}"],
      ["https://lists.example/api", "{PROVIDER}"],
      ['"apiKey": "…"', '"apiKey": "mailer-key-1"'],
      ["$ID", first("destinations list $AUDIENCE")],
    ],
  },
  "docs/how-to/deliver-to-a-mailing-list.md": {
    instead: [login, ["$ID", first("destinations list $AUDIENCE")]],
    files: { "key.txt": "mailer-key-1" },
  },
  "docs/how-to/identify-visitors.md": {
    instead: [login],
    files: { "contacts.csv": people, "links.csv": links },
  },
  "docs/how-to/receive-webhooks.md": {
    instead: [
      ["https://crm.example/footfall", "{SITE}"],
      ["$WEBHOOK", first("webhooks list")],
    ],
  },
  "docs/how-to/send-events-from-a-backend.md": { instead: source },
  "docs/how-to/send-events-from-rudderstack.md": { instead: source },
  "docs/how-to/send-events-from-segment.md": { instead: source },
  "docs/how-to/send-an-audience-by-webhook.md": {
    instead: [login, ["https://mailing-tool.example/contacts", "{SITE}"], ["4243", "{LISTENER}"]],
    afterwards: ({ background }) => {
      expect(background.match(/@\S+ 200/g)?.length, background.slice(0, 2000)).toBeGreaterThan(36)
    },
  },
  "docs/how-to/suppress-customers.md": {
    instead: [someone, ["import customers.csv", "import customers.csv --yes"]],
    files: { "customers.csv": customers },
  },
  "docs/how-to/tell-a-chat-channel.md": {
    instead: [
      ["https://hooks.slack.com/services/T0/B0/x", "{SITE}"],
      ["$WEBHOOK", first("webhooks list")],
    ],
  },
  "docs/reference/imports.md": {
    instead: [["<id>", "$ORGANIZATION"]],
    files: {
      "topics.csv":
        "topicId,topicName,type,industry,category\n90001,Yard Ramps,b2b,logistics,operations\n",
      "signals-2026-03-10.csv.gz": gzipSync(signals),
      "people.ndjson.gz": gzipSync('{"email": "jane.mercer@harbor-logistics.example"}\n'),
      "links.csv": links,
    },
  },
  "docs/how-to/manage-suppression-rules.md": {
    instead: [
      someone,
      ["remove --type domain acme.example", "remove --type domain acme.example --yes"],
      ["apply domains.txt", "apply domains.txt --yes"],
      ["remove --file left.csv", "remove --file left.csv --yes"],
    ],
    files: {
      "customers.csv": customers,
      "domains.txt": "acme.example\ncontoso.example\n",
      "left.csv": "type,value\ndomain,left.example\n",
    },
  },
  "docs/reference/topics.md": {
    instead: [["analyze acme.example", "analyze {SITE}"]],
    files: { "signals.csv.gz": gzipSync(signals) },
  },
  "docs/tutorial.md": {
    instead: [
      login,
      ['"This computer"', '"This computer" > destination.json'],
      [
        "whsec_xDezJOeqClleYtk1gnOnzLaZYQehR/w+mdtnshj2MBY=",
        "$(jq -r .data.webhookSecret destination.json)",
      ],
    ],
    afterwards: ({ background }) => {
      const received = background.match(/"intent\.audience\.contact\.upserted"/g) ?? []
      expect(received.length, background.slice(0, 2000)).toBeGreaterThan(36)
      expect(background).not.toContain('"verified":false')
    },
  },
}

export const givenOf = async (file: string): Promise<Page> => {
  const page = given[file] ?? {}
  const files = file === "docs/reference/webhooks.md" ? await signedRequest() : page.files
  return { ...page, instead: [...server, ...(page.instead ?? [])], files: files ?? {} }
}
