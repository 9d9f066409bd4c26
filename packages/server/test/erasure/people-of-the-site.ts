// Two sites, a person who is known in every possible way, and people who share browsers, an import and a company
// with that person. `janesTexts` lists everything that belongs to that person only.
import { randomUUID } from "node:crypto"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { domain, type TestServer } from "../support/server.ts"

export const jane = {
  work: "jane.quillfeather@harbor-logistics.example",
  home: "janeq1977@mail.example",
  /** Known only by its hash. */
  hidden: "jq-hidden@dockside.example",
  /** Named only in the import. */
  imported: "j.quillfeather@harbor-old.example",
  /** Linked after the visits. */
  linked: "janelle.linked@harbor-new.example",
} as const
export const tom = "tom.barrow@harbor-logistics.example"
export const ann = "ann.lindqvist@tidewater-guests.example"

const shop = "shop.tidewater-harbor.example"

export const sharedBrowser = randomUUID()
export const janesBrowser = randomUUID()
export const janesPhone = randomUUID()

export const janesTexts: ReadonlyArray<string> = [
  ...Object.values(jane),
  "+14155550134",
  "+442079460123",
  "Janelle",
  "Quillfeather",
  "Pier Superintendent Extraordinary",
  "https://linkedin.example/in/janelle-quillfeather",
  "crm-4711-jane",
  "/only-jane-reads-this",
  "/set-aside-page-of-jane",
  "/set-aside-identify",
  "/waiting-page-of-jane",
  janesBrowser,
  janesPhone,
]

type Event = Readonly<Record<string, unknown>>

export const page = (path: string, minutesAgo: number, host = domain): Event => ({
  ...at(minutesAgo),
  type: "page",
  url: `https://${host}${path}`,
  referrer: null,
  title: null,
})

export const identify = (
  person: { readonly email: string } | { readonly emailHash: string },
  minutesAgo: number,
  traits?: Event,
): Event => ({
  ...at(minutesAgo),
  type: "identify",
  url: `https://${domain}/account`,
  ...person,
  ...(traits === undefined ? {} : { traits }),
})

export const batch = (anonymousId: string, ...events: ReadonlyArray<Event>) => ({
  v: 1,
  sentAt: new Date().toISOString(),
  anonymousId,
  consent: "granted",
  events,
})

const at = (minutesAgo: number) => ({
  id: randomUUID(),
  time: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
})

const sha = (email: string) => hashEmail(email).sha256

/** Imports data about Jane and Tom, and makes all of them visit. */
export const populate = async (server: TestServer, drain: () => Promise<void>): Promise<void> => {
  await importPeople(server)
  const second = await secondPixel(server)
  const send = (anonymousId: string, ...events: ReadonlyArray<Event>) =>
    server.collect(batch(anonymousId, ...events))
  // One browser after the other: Tom's, then Jane's, then Ann's.
  await send(sharedBrowser, page("/", 900), identify({ email: tom }, 899), page("/toms", 898))
  await send(sharedBrowser, identify({ email: jane.home }, 700), page("/only-jane-reads-this", 699))
  await send(sharedBrowser, identify({ email: ann }, 500), page("/anns", 499))
  await send(
    janesBrowser,
    page("/only-jane-reads-this", 320),
    identify({ email: jane.work }, 300, {
      firstName: "Janelle",
      lastName: "Quillfeather",
      phone: "+14155550134",
      companyName: "Harbor Logistics",
      custom: { external_id: "crm-4711-jane" },
    }),
  )
  await drain()
  const told = { ...identify({ emailHash: sha(jane.hidden) }, 200), url: `https://${shop}/account` }
  await collectAt(server, second, batch(janesPhone, told))
  await collectAt(server, second, batch(janesPhone, page("/only-jane-reads-this", 190, shop)))
  await send(randomUUID(), page("/anonymous", 100))
  await drain()
  await linkLater(server)
  await setAside(server)
}

/**
 * A link makes another address Jane's. A link that isn't applied yet makes Ann's address hers, too. The shared browser
 * was once linked to Jane.
 */
const linkLater = async ({ organizationId, sql }: TestServer) => {
  await sql(
    `insert into person_address (organization_id, email_hash, person_hash, is_link)
     values ($1, $2, $4, true), ($1, $3, $4, true)`,
    [organizationId, sha(jane.linked), sha(ann), sha(jane.work)],
  )
  await sql(
    "update browser set linked_hash = $3 where organization_id = $1 and anonymous_id = $2",
    [organizationId, sharedBrowser, sha(jane.work)],
  )
}

/** Events that a pass set aside: Jane's by her browser, and by an identification in another browser. */
const setAside = ({ organizationId, pixelId, sql }: TestServer) =>
  sql(
    `insert into event (organization_id, received_on, pixel_id, id, received_at, anonymous_id, type,
       occurred_at, url, payload)
     select $1, (now() at time zone 'utc')::date, $2, gen_random_uuid(), now(), a::uuid, t, now(), u,
       p::jsonb
     from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as row (a, t, u, p)`,
    [
      organizationId,
      pixelId,
      [janesBrowser, randomUUID(), randomUUID()],
      ["page", "identify", "page"],
      ["/set-aside-page-of-jane", "/set-aside-identify", "/set-aside-of-nobody"],
      ["{}", JSON.stringify({ e: jane.home }), "{}"],
    ],
  )

/** Sends a batch to another pixel than the server's own. */
const collectAt = (server: TestServer, pixelId: string, body: unknown) =>
  fetch(`${server.url}/p/${pixelId}/e`, {
    method: "POST",
    headers: { "content-type": "text/plain", "user-agent": "Mozilla/5.0 Chrome/145.0" },
    body: JSON.stringify(body),
  })

const secondPixel = async ({ organizationId, sql }: TestServer): Promise<string> => {
  const id = randomUUID()
  await sql("insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, 'Shop')", [
    organizationId,
    id,
    shop,
  ])
  return id
}

/**
 * Writes the rows that an import leaves: a record of Jane, one of Tom that contains addresses of hers, and her
 * links.
 */
const importPeople = async ({ organizationId, sql }: TestServer): Promise<void> => {
  await sql(
    `insert into person (organization_id, email_hash, email, emails, business_email, personal_email,
       first_name, last_name, linkedin_url, phones, job_title)
     values
       ($1, $2, $3, array[$3, $4, $5], $3, $4, 'Janelle', 'Quillfeather',
        'https://linkedin.example/in/janelle-quillfeather', array['+442079460123'],
        'Pier Superintendent Extraordinary'),
       ($1, $6, $7, array[$7, $5, $8], $7, $5, 'Tom', 'Barrow', null, array['+14155550199'],
        'Clerk')`,
    [
      organizationId,
      sha(jane.work),
      jane.work,
      jane.home,
      jane.imported,
      sha(tom),
      tom,
      jane.hidden,
    ],
  )
  await sql(
    `insert into person_address (organization_id, email_hash, person_hash, is_link)
     select $1, h, p, l from unnest($2::text[], $3::text[], $4::boolean[]) as row (h, p, l)`,
    [
      organizationId,
      [sha(jane.work), sha(jane.home), sha(jane.imported), sha(jane.hidden), sha(tom)],
      [sha(jane.work), sha(jane.work), sha(jane.work), sha(jane.work), sha(tom)],
      [false, false, true, true, false],
    ],
  )
  await sql(
    `insert into identity_link (organization_id, kind, value, email_hash)
     values ($1, 'external_id', 'crm-4711-jane', $2), ($1, 'anonymous_id', $3, $2)`,
    [organizationId, sha(jane.work), janesBrowser],
  )
}
