// `footfall listen` at work: receives until it is stopped, or until as many have come as were wanted, and
// leaves nothing behind on the server, however it ends.

import { jsonLine } from "../output/json.ts"
import { outputFormat } from "../output/output-format.ts"
import { plainText } from "../terminal/plain-text.ts"
import { screenColumns, type Terminal, writeOut } from "../terminal/terminal.ts"
import type { ListenOptions } from "./listen-options.ts"
import { type Received, receivedRecord } from "./received.ts"
import { type Receiver, startReceiver } from "./receiver.ts"
import { webhookSecrets } from "./secrets.ts"
import { type TemporaryWebhook, temporaryWebhook, type WebhookClient } from "./temporary-webhook.ts"

/**
 * `client`: to register a webhook with; null where none is wanted.
 * Errors: usage, `PORT_UNAVAILABLE`, `WEBHOOK_URL_REFUSED`, and those of the server.
 */
export const listen = async (
  terminal: Terminal,
  client: WebhookClient | null,
  options: ListenOptions,
): Promise<void> => {
  const { count, forwardTo = null } = options
  const isJson = outputFormat(options, terminal) === "json"
  let secrets = await webhookSecrets(terminal, options)
  const enough = Promise.withResolvers<void>()
  let received = 0
  const receiver = await startReceiver({
    host: options.host,
    port: options.port,
    status: options.status ?? null,
    forwardTo,
    secrets: () => secrets,
    onReceived: async (one) => {
      if (received === count) return
      received += 1
      await (isJson ? writeOut(terminal, jsonLine(receivedRecord(one))) : show(terminal, one))
      if (received === count) enough.resolve()
    },
  })
  // As a promise, because Ctrl-C may come while it is being made.
  let registering: Promise<TemporaryWebhook> | null = null
  const end = async (): Promise<void> => {
    const removing = registering?.catch(() => null).then((webhook) => webhook?.remove())
    const [removed] = await Promise.allSettled([removing, receiver.close()])
    if (removed.status === "rejected") throw removed.reason
  }
  try {
    terminal.atInterrupt.add(end)
    if (client !== null) {
      const { pixel: pixelId, publicUrl, segment: segmentId, trigger } = options
      const url = publicUrl?.href ?? receiver.url
      registering = temporaryWebhook(client, { url, trigger, segmentId, pixelId })
      secrets = [...secrets, (await registering).secret]
    }
    begin(terminal, receiver, { forwardTo, secrets, webhook: await registering })
    await enough.promise
  } finally {
    terminal.atInterrupt.delete(end)
    await end()
  }
}

const begin = (
  terminal: Terminal,
  { url }: Receiver,
  told: {
    readonly forwardTo: URL | null
    readonly secrets: ReadonlyArray<string>
    readonly webhook: TemporaryWebhook | null
  },
): void => {
  const { forwardTo, secrets, webhook } = told
  say(terminal, `Listening on ${url}`)
  if (forwardTo !== null) say(terminal, `Forwarding to ${forwardTo.href}`)
  if (webhook !== null) say(terminal, `Webhook ${webhook.id} leads here until this ends.`)
  if (secrets.length === 0) say(terminal, "No secret: signatures are not checked.")
  say(terminal, "Press Ctrl-C to end.")
}

const show = async (terminal: Terminal, received: Received): Promise<void> => {
  const columns = screenColumns(terminal)
  const [{ drawn }, { ReceivedView }] = await Promise.all([
    import("../screens/drawn.ts"),
    import("../screens/ReceivedView.tsx"),
  ])
  await writeOut(terminal, drawn(ReceivedView, { received, screenColumns: columns }, columns))
}

const say = ({ stderr }: Terminal, text: string): void => void stderr.write(`${plainText(text)}\n`)
