// The contacts of a delivery by what became of them (spec 5.10.18).
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Delivery, DeliveryContact } from "../../src/activation/deliveries/delivery.ts"
import { startMailerProvider } from "../destinations/mailer-provider.ts"
import { DeliveryWorld, hashOf, people, person, status } from "./support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterEach(() => {
  w.receiver.answer = status(204)
})
afterAll(() => w.close())

interface Page {
  readonly data: { readonly contacts: ReadonlyArray<DeliveryContact> }
  readonly meta: {
    readonly limit: number
    readonly hasMore: boolean
    readonly nextCursor: string | null
  }
}

const page = async (delivery: Delivery, query = ""): Promise<Page> => {
  const { body, status: code } = await w.world.ask(`GET ${w.pathOf(delivery)}/contacts${query}`)
  if (code !== 200) throw new Error(JSON.stringify(body))
  return body as never
}
const contacts = async (delivery: Delivery, query = "") =>
  (await page(delivery, query)).data.contacts
/** Every page, one after the other. */
const all = async (delivery: Delivery, query: string) => {
  const found: Array<DeliveryContact> = []
  let sizes = 0
  for (let cursor: string | null = ""; cursor !== null; sizes++) {
    const at: string = cursor === "" ? "" : `&cursor=${cursor}`
    const { data, meta } = await page(delivery, `?${query}${at}`)
    found.push(...data.contacts)
    cursor = meta.nextCursor
    expect(meta.hasMore).toBe(cursor !== null)
  }
  return { found, pages: sizes }
}
const names = (rows: ReadonlyArray<DeliveryContact>) => rows.map(({ name }) => name)

/** Refuses those whose name begins with this. */
const refusing = (prefix: string) => {
  w.receiver.answer = (one, response) => {
    const data = one.event["data"] as { readonly contact?: { readonly firstName: string | null } }
    const isRefused = data.contact?.firstName?.startsWith(prefix) === true
    return status(isRefused ? 422 : 204)(one, response)
  }
}

describe("each contact", () => {
  it("is sent, failed with the reason, or skipped, with name and address", async () => {
    refusing("bad")
    const destination = await w.destination(
      [
        person("jane", { firstName: "Jane", lastName: "Mercer" }),
        person("bad"),
        person("dull", { emailStatus: "invalid" }),
        person("nameless", { firstName: null }),
      ],
      { validationPolicy: "valid_or_catchall" },
    )

    const delivery = await w.delivered(destination)

    const row = (name: string, fields: object) => ({
      hashedEmail: hashOf(`${name}@harbor.example`),
      name,
      email: `${name}@harbor.example`,
      errorCode: null,
      errorMessage: null,
      personExists: false,
      ...fields,
    })
    expect(await contacts(delivery)).toEqual([
      row("bad", {
        outcome: "failed",
        errorCode: "ENDPOINT_REJECTED",
        errorMessage: "Expected a 2xx response, received 422.",
      }),
      row("dull", { outcome: "skipped" }),
      row("jane", { outcome: "sent", name: "Jane Mercer" }),
      row("nameless", { outcome: "sent", name: null }),
    ])
  })

  it("that a list's service refused has the service's own sentence", async () => {
    const provider = await startMailerProvider()
    provider.addList({ id: "buyers" })
    const destination = await w.list(provider, [person("jane")])
    provider.fault = ({ method }) =>
      method === "POST" || method === "PUT"
        ? { status: 422, title: "The address is on a blocklist." }
        : undefined

    const delivery = await w.delivered(destination)
    await provider.close()

    expect(await contacts(delivery, "?outcome=failed")).toMatchObject([
      {
        errorCode: "CONTACT_INVALID",
        errorMessage: expect.stringContaining("The address is on a blocklist."),
      },
    ])
  })

  it("says whether a person with this address is known now, unless they are held back", async () => {
    const { organizationId } = w
    const emails = ["known", "held"].map((name) => `${name}@harbor.example`)
    for (const [place, email] of emails.entries()) {
      const id = hashOf(email)
      await w.sql(
        `insert into visitor (organization_id, id, email_hash, email, held_back, first_seen_at, last_seen_at)
         values ($1, gen_random_uuid(), $2, $3, $4, now(), now())`,
        [organizationId, id, email, place === 1],
      )
      await w.sql(
        `insert into visitor_address (organization_id, email_hash, email, visitor_id, first_seen_at)
         select organization_id, email_hash, email, id, now() from visitor
         where organization_id = $1 and email_hash = $2`,
        [organizationId, id],
      )
    }
    const destination = await w.destination([person("known"), person("held"), person("other")])

    const delivery = await w.delivered(destination)

    const found = await contacts(delivery)
    expect(found.map(({ name, personExists }) => [name, personExists])).toEqual([
      ["known", true],
      ["held", false],
      ["other", false],
    ])
  })
})

describe("pages", () => {
  it("have every contact once, in the same order, whatever their size, across batches", async () => {
    refusing("bad")
    const found = people(230).map((one, place) =>
      place % 7 === 0
        ? { ...one, firstName: `bad${place}` }
        : place % 5 === 0
          ? { ...one, emailStatus: "invalid" }
          : one,
    )
    const destination = await w.destination(found, { validationPolicy: "valid_or_catchall" })

    const delivery = await w.ended(await w.sync(destination), 60_000)

    const counts = {
      sent: delivery.sentCount,
      failed: delivery.failedCount,
      skipped: delivery.skippedCount,
    }
    expect(delivery).toMatchObject({ status: "completed", processedCount: 230 })
    for (const [outcome, count] of Object.entries(counts)) {
      const { found: rows, pages } = await all(delivery, `outcome=${outcome}&limit=30`)
      expect(rows).toHaveLength(count)
      expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set([outcome]))
      expect(new Set(names(rows)).size).toBe(count)
      expect(pages).toBe(Math.ceil(count / 30))
    }
    const whole = await all(delivery, "limit=7")
    expect(whole.found).toEqual((await all(delivery, "limit=100")).found)
    expect(new Set(whole.found.map(({ hashedEmail }) => hashedEmail)).size).toBe(230)
    const inOrder = whole.found.filter(({ outcome }) => outcome === "sent").map(({ name }) => name)
    const wanted = found.filter(
      ({ emailStatus, firstName }) => emailStatus === "valid" && !firstName!.startsWith("bad"),
    )
    expect(inOrder).toEqual(wanted.map(({ firstName }) => firstName))
  }, 90_000)

  it("are refused with another filter's cursor, an unknown outcome and a wrong limit", async () => {
    const delivery = await w.delivered(await w.destination(people(3)))
    const { nextCursor } = (await page(delivery, "?outcome=sent&limit=1")).meta
    const ask = async (query: string) => {
      const { body, status } = await w.world.ask(`GET ${w.pathOf(delivery)}/contacts?${query}`)
      return [status, body.error?.code]
    }

    expect(await ask(`outcome=failed&cursor=${nextCursor}`)).toEqual([400, "INVALID_CURSOR"])
    expect(await ask("outcome=open")).toEqual([400, "VALIDATION_ERROR"])
    expect(await ask("limit=101")).toEqual([400, "VALIDATION_ERROR"])
    expect(await ask("outcome=removed")).toEqual([200, undefined])
  })

  it("are read through an index: a page reads as many batches in a delivery of 1,000,000 as it has rows", async () => {
    const destination = await w.webhook()
    const runId = await w.run(destination.audienceId, people(2))
    const id = "7d1a2f60-0000-4000-8000-000000000001"
    await w.sql(
      `insert into delivery (organization_id, id, audience_id, destination_id,
         destination_config_revision, source_run_id, mode, status, batch_count, completed_at)
       values ($1, $2, $3, $4, 1, $5, 'initial', 'completed', 10000, now())`,
      [w.organizationId, id, destination.audienceId, destination.id, runId],
    )
    await w.sql(
      `insert into delivery_batch (organization_id, delivery_id, batch_index, sequence, positions,
         changes, outcomes)
       select $1, $2, place, place * 100 + 1, array_fill(1, array[100]), repeat('a', 100),
         case when place = 9000 then repeat('s', 50) || 'k' || repeat('s', 49)
           else repeat('s', 100) end
       from generate_series(0, 9999) as place`,
      [w.organizationId, id],
    )
    await w.sql("analyze delivery_batch")
    const delivery = { audienceId: destination.audienceId, id } as Delivery
    const reads = async () => {
      await w.sql("select pg_stat_force_next_flush()")
      const [row] = await w.sql(
        `select sum(idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_user_tables
         where relname = 'delivery_batch'`,
      )
      return Number(row!["rows"])
    }

    const before = await reads()
    const skipped = await contacts(delivery, "?outcome=skipped&limit=100")
    const first = await page(delivery, "?outcome=sent&limit=100")
    const second = await page(delivery, `?outcome=sent&limit=100&cursor=${first.meta.nextCursor}`)

    expect(
      [skipped, first.data.contacts, second.data.contacts].map(({ length }) => length),
    ).toEqual([1, 100, 100])
    await expect.poll(async () => (await reads()) - before, { timeout: 30_000 }).toBeGreaterThan(0)
    expect((await reads()) - before).toBeLessThan(100)
  })
})

describe("a contact", () => {
  it("that is erased later is in no page, and the others are", async () => {
    const delivery = await w.delivered(await w.destination([person("jane"), person("john")]))
    await w.sql(
      "delete from run_result where organization_id = $1 and hashed_email = decode($2, 'hex')",
      [w.organizationId, hashOf("jane@harbor.example")],
    )

    expect(names(await contacts(delivery))).toEqual(["john"])
  })

  it("keeps its outcome when the delivery is postponed and goes on", async () => {
    let isDown = false
    w.receiver.answer = (one, response) => {
      const data = one.event["data"] as { readonly contact?: { readonly firstName: string } }
      if (data.contact?.firstName === "p3") isDown = true
      return status(isDown ? 404 : 204)(one, response)
    }
    const destination = await w.destination(people(8))
    const parked = await w.parked(await w.sync(destination))
    const before = await contacts(parked, "?outcome=sent")
    w.receiver.answer = status(204)
    await w.wakeUp(parked)

    const delivery = await w.ended(parked)

    expect(before.length).toBe(parked.sentCount)
    expect(before.length).toBeLessThan(8)
    expect(names(await contacts(delivery, "?outcome=sent"))).toEqual(
      people(8).map(({ firstName }) => firstName),
    )
  })

  it("is listed as long as the run's results are stored; those that failed also after that", async () => {
    refusing("bad")
    const destination = await w.destination([person("jane"), person("bad")])
    const delivery = await w.delivered(destination)
    await w.sql("delete from run_result where run_id = $1", [destination.runId])
    await w.sql("update audience_run set results_removed_at = now() where id = $1", [
      destination.runId,
    ])

    expect(await contacts(delivery)).toMatchObject([
      { hashedEmail: hashOf("bad@harbor.example"), outcome: "failed", name: null, email: null },
    ])
  })
})

it("a delivery of another audience, or an unknown one, is not found", async () => {
  const delivery = await w.delivered(await w.destination(people(1)))
  const elsewhere = { ...delivery, audienceId: await w.world.audience() }

  expect((await w.world.ask(`GET ${w.pathOf(elsewhere)}/contacts`)).status).toBe(404)
  const unknown = { ...delivery, id: "7d1a2f60-0000-4000-8000-00000000000f" }
  expect((await w.world.ask(`GET ${w.pathOf(unknown)}/contacts`)).status).toBe(404)
})
