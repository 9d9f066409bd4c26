// Creates an inbound source for each preset, sends to it what its vendor's documentation shows, signed as the vendor
// signs, prints what became of it, and deletes the source again. FOOTFALL_API_KEY sets the key, FOOTFALL_BASE_URL the
// server.
import {
  Footfall,
  type InboundCreateParams,
  type InboundPreset,
  type InboundRequest,
} from "@footfall/sdk"
import { createHmac } from "node:crypto"
import { readFile } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"

const footfall = new Footfall()
const secret = "the secret that was entered at the vendor"

const hmac = (text: string) => createHmac("sha256", secret).update(text)

/** The signature of each vendor, over the body as it is sent. RB2B sends none. */
const signatures: Partial<Record<InboundPreset, (body: string) => Record<string, string>>> = {
  typeform: (body) => ({ "typeform-signature": `sha256=${hmac(body).digest("base64")}` }),
  tally: (body) => ({ "tally-signature": hmac(body).digest("base64") }),
  calcom: (body) => ({ "x-cal-signature-256": hmac(body).digest("hex") }),
  calendly: (body) => {
    const time = Math.floor(Date.now() / 1_000)
    const signature = hmac(`${time}.${body}`).digest("hex")
    return { "calendly-webhook-signature": `t=${time},v1=${signature}` }
  },
}

/** What a generic source needs to know. */
const mapping: InboundCreateParams["mapping"] = {
  kind: "person",
  each: "$.rows[*]",
  fields: { email: '$["E-mail"]', website: "$.site", eventName: "=webinar_joined" },
}

const send = async (url: string, body: string, headers: Record<string, string>) => {
  const { status } = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  })
  return status
}

/** A busy server keeps a request on its disk first, and reads it a moment later. */
const firstRequest = async (inboundId: string): Promise<InboundRequest> => {
  const patience = AbortSignal.timeout(30_000)
  for (;;) {
    const [request] = await footfall.inbound.history(inboundId, { signal: patience })
    if (request !== undefined) return request
    await setTimeout(200, undefined, { signal: patience })
  }
}

const outcomesOf = ({ outcomes }: InboundRequest) =>
  outcomes.map(({ outcome, reason, records }) => {
    const why = reason === null ? "" : ` (${reason})`
    return `${records} ${outcome}${why}`
  })

const [pixel] = await footfall.pixels.list()
if (pixel === undefined) throw new Error("Create a pixel first: the visits are of its site.")

for (const preset of ["rb2b", "typeform", "tally", "calcom", "calendly", "generic"] as const) {
  const sign = signatures[preset]
  const { inbound, url } = await footfall.inbound.create({
    name: `Example of ${preset}`,
    pixelId: pixel.id,
    preset,
    ...(sign === undefined ? {} : { signingSecret: secret }),
    ...(preset === "generic" ? { mapping } : {}),
  })
  try {
    const body = await readFile(new URL(`payloads/${preset}.json`, import.meta.url), "utf8")
    if (sign !== undefined) console.log(`${preset}, unsigned: ${await send(url, body, {})}`)
    const status = await send(url, body, sign?.(body) ?? {})
    const became = outcomesOf(await firstRequest(inbound.id)).join(", ")
    console.log(`${preset}: ${status}, ${became}`)
  } finally {
    await footfall.inbound.delete(inbound.id)
  }
}
