// The worked example in spec 12.12, byte for byte, from the queue to the receiver: bodies, ids, timestamps and
// signatures. The test sets the clock of this process. The rows already contain the times that the database's clock
// would set.
import { createHash, randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { sealSecret } from "../../src/activation/destinations/webhook-secret.ts"
import { configHash } from "../../src/activation/destinations/destination.ts"
import { dataKeysIn } from "../support/data-keys.ts"
import { testSecret } from "../support/server.ts"
import { DeliveryWorld, eventTypes, person, status, topics } from "./support.ts"
import { storedRow } from "./stored-row.ts"

const ids = {
  organization: "3a4938b4-a270-4a2a-969a-f5c8cc7f2e2f",
  audience: "70865832-8a6e-409c-95c5-d15bafae1a05",
  destination: "72c2caee-8b8d-4561-a8f3-fa549b992a9d",
  delivery: "e3897870-520c-4fe5-9d28-03da213e9f49",
  run: "efb5aab5-6869-4672-9dc1-601e8732e865",
}
const path = `/example-${randomUUID()}`
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const at = (second: number) => new Date(`2026-03-11T09:05:0${second}.000Z`)

const jane = person("jane", {
  hashedEmail: "930ddda806d63038cb481e4c43e2c0a5a0d3aa0698d51b2aab83dd91808dd0f9",
  firstName: "Jane",
  lastName: "Mercer",
  email: "jane.mercer@harbor-logistics.example",
  businessEmail: "jane.mercer@harbor-logistics.example",
  personalEmail: "jane.mercer@mail.example",
  phone: "+14155550134",
  jobTitle: "VP Operations",
  seniority: "vp",
  department: "operations",
  companyName: "Harbor Logistics",
  companyDomain: "harbor-logistics.example",
  companyIndustry: "maritime transportation",
  companyIndustryGroup: "transportation and logistics",
  companyRevenueRange: "50 million to 100 million",
  companySize: "201-500",
  city: "San Francisco",
  state: "CA",
  country: "US",
  isB2b: "y",
  topicOverlap: 2,
  matchedTopics: [1204, 3377],
})

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
  vi.useFakeTimers({ toFake: ["Date"], now: at(1) })
})
afterAll(async () => {
  vi.useRealTimers()
  await w.close()
})

it("the three signed webhooks match the example", async () => {
  const seen: Array<string> = []
  w.receiver.answer = (one, response) => {
    // If this receiver reuses the port of an earlier one, requests for that one may arrive here.
    if (one.path !== path) return status(204)(one, response)
    seen.push(String(one.event["event"]))
    if (seen.length === 1) vi.setSystemTime(at(2))
    if (seen.length === 3) vi.setSystemTime(at(3))
    status(204)(one, response)
  }
  await queueExample()

  await vi.waitFor(() => expect(seen.length).toBe(4), { timeout: 30_000, interval: 20 })

  const received = w
    .received(path)
    .filter(
      ({ event }) =>
        event["event"] !== "intent.audience.contact.upserted" ||
        JSON.stringify(event).includes("Jane"),
    )
  expect(
    received.map(({ body, headers }) => ({
      id: headers["webhook-id"],
      timestamp: headers["webhook-timestamp"],
      attempt: headers["webhook-attempt"],
      type: headers["content-type"],
      bytes: Buffer.byteLength(body),
      sha256: createHash("sha256").update(body).digest("hex"),
      signature: headers["webhook-signature"],
    })),
  ).toEqual([
    {
      id: "msg_vznk635jyuu43bebfprp7pofzk",
      timestamp: "1773219901",
      attempt: "1",
      type: "application/json; charset=utf-8",
      bytes: 698,
      sha256: "1c95731f6aabd3d283da29520f3aecd84c244859551a7ab818b692204137f287",
      signature: "v1,qXMjknzRIldx/HfzhWxEUeenLjW71OSCLRSYALc3pjY=",
    },
    {
      id: "msg_v35bfdk46kaiyhxly7uhlctygk",
      timestamp: "1773219902",
      attempt: "1",
      type: "application/json; charset=utf-8",
      bytes: 1616,
      sha256: "879d7662c7a72dc130880c500348d34d423b77a15b19745b258ad31898bbddb3",
      signature: "v1,gkhbc8yWkWpWO5SpRee3zjCvZw+fSuCerFULbqdIlpA=",
    },
    {
      id: "msg_disoftrt7woohafkqwd4m3evv3",
      timestamp: "1773219903",
      attempt: "1",
      type: "application/json; charset=utf-8",
      bytes: 949,
      sha256: "8e2425824014a987aad36365067fccb1b1c0357c9d1118de950859929617e578",
      signature: "v1,U7cxp1aq2MI1o2Zv6uIjVlS6ku3HwiAPsOqgIBFpnjA=",
    },
  ])
})

const queueExample = async () => {
  const dataKeys = await dataKeysIn((text, values) => w.sql(text, values), testSecret)
  const owner = { organizationId: ids.organization, destinationId: ids.destination }
  const config = { url: w.receiver.url + path, eventTypes, timeoutMs: 10_000 }
  const hash = configHash({ destinationType: "webhook", ...config })
  await w.sql(
    "insert into organization (id, name, slug, status) values ($1, 'T', 'example', 'active')",
    [ids.organization],
  )
  await w.sql(
    `insert into audience (organization_id, id, name, status, config)
     values ($1, $2, 'Warehouse buyers', 'active', '{}')`,
    [ids.organization, ids.audience],
  )
  await w.sql(
    `insert into destination (organization_id, id, audience_id, name, destination_type, status,
       validation_policy, config, approved_config_hash, secret)
     values ($1, $2, $3, 'CRM intake', 'webhook', 'active', 'none', $4, $5, $6)`,
    [
      ids.organization,
      ids.destination,
      ids.audience,
      JSON.stringify(config),
      hash,
      Buffer.from(sealSecret(dataKeys, owner, secret)),
    ],
  )
  await w.sql(
    `insert into audience_run (organization_id, id, audience_id, status, run_type, config,
       config_hash, topics, data_date, has_signals, result_count, idempotency_key, completed_at)
     values ($1, $2, $3, 'completed', 'manual', '{}', '', $4, '2026-03-10', true, 2, 'first-run',
       '2026-03-11T09:03:01.480Z')`,
    [ids.organization, ids.run, ids.audience, JSON.stringify(topics)],
  )
  const rows = [jane, person("second", { score: 74 })].map((row, place) => ({
    ...storedRow({ ...row, position: place + 1 }),
    organization_id: ids.organization,
    run_id: ids.run,
  }))
  await w.sql(
    "insert into run_result select * from json_populate_recordset(null::run_result, $1)",
    [JSON.stringify(rows)],
  )
  await w.sql(
    `insert into delivery (organization_id, id, audience_id, destination_id,
       destination_config_revision, source_run_id, mode, started_at, event_at,
       settled_at)
     values ($1, $2, $3, $4, 1, $5, 'initial', '2026-03-11T09:05:01Z', '2026-03-11T09:05:02Z',
       '2026-03-11T09:05:03Z')`,
    [ids.organization, ids.delivery, ids.audience, ids.destination, ids.run],
  )
}
