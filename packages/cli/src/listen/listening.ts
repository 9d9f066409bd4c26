// Runs `footfall listen` until the user stops it or it has received `--count` requests. It always deletes its webhook
// from the server when it ends.

import {
  BadRequestError,
  type Footfall,
  NotFoundError,
  type VisitorWebhookTrigger,
} from "@footfall/sdk"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { jsonLine } from "../output/json.ts"
import { outputFormat } from "../output/output-format.ts"
import { note, plainText, screenColumns, type Terminal, writeOut } from "../terminal/terminal.ts"
import { webhookSecrets } from "../webhooks/secrets.ts"
import type { ListenOptions } from "./listen-options.ts"
import { type Received, receivedRecord, type Receiver, startReceiver } from "./receiver.ts"

interface TemporaryWebhook {
  readonly id: string
  readonly secret: string
  /** Errors: those of the server; none if the webhook is already deleted. */
  readonly remove: () => Promise<void>
}

interface TemporaryWebhookParams {
  readonly url: string
  /** Default: `every_update`, because a tester wants to see more than first visits. */
  readonly trigger: VisitorWebhookTrigger | undefined
  readonly segmentId: string | undefined
  readonly pixelId: string | undefined
}

/** The part of the client that is used. */
type WebhookClient = Pick<Footfall, "webhooks">

/** Registers the webhook. Errors: `WEBHOOK_URL_REFUSED`, and those of the server. */
const temporaryWebhook = async (
  { webhooks }: WebhookClient,
  { pixelId, segmentId, trigger = "every_update", url }: TemporaryWebhookParams,
): Promise<TemporaryWebhook> => {
  const name = "footfall listen"
  const { webhook, webhookSecret } = await webhooks
    .create({
      name,
      url,
      trigger,
      segmentId,
      pixelId,
    })
    .catch((error: unknown) => {
      throw isUrlRefused(error) ? urlRefused(url) : error
    })
  return {
    id: webhook.id,
    // The default format is signed.
    secret: webhookSecret!,
    remove: async () => {
      await webhooks.delete(webhook.id).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error
      })
    },
  }
}

const isUrlRefused = (error: unknown): boolean =>
  error instanceof BadRequestError && error.issues.some(({ code }) => code === "url_not_allowed")

const urlRefused = (url: string): CliError =>
  new CliError({
    code: "WEBHOOK_URL_REFUSED",
    message: `The server does not send webhooks to ${url}: it allows only public https:// URLs.`,
    exitCode: ExitCode.failed,
    nextStep:
      "For development, start the server with ALLOW_PRIVATE_WEBHOOKS=on. " +
      "Or use the public URL of a tunnel to this computer: --public-url https://…",
  })

/**
 * `client`: registers the webhook; null to register none. Errors: usage, `PORT_UNAVAILABLE`, `WEBHOOK_URL_REFUSED`, and
 * those of the server.
 */
export const listen = async (
  terminal: Terminal,
  client: WebhookClient | null,
  options: ListenOptions,
): Promise<void> => {
  const { count, forwardTo = null } = options
  const isJson = ["json", "ndjson"].includes(outputFormat(options, terminal))
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
      await (isJson
        ? writeOut(terminal, jsonLine(receivedRecord(one)))
        : show(terminal, one, options.verbose === true))
      if (received === count) enough.resolve()
    },
  })
  // A promise, because the user may press Ctrl-C while the registration is in progress.
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
  started: {
    readonly forwardTo: URL | null
    readonly secrets: ReadonlyArray<string>
    readonly webhook: TemporaryWebhook | null
  },
): void => {
  const { forwardTo, secrets, webhook } = started
  say(terminal, `Listening on ${url}`)
  if (forwardTo !== null) say(terminal, `Forwarding to ${forwardTo.href}`)
  if (webhook !== null) say(terminal, `Webhook ${webhook.id} points here until you stop.`)
  if (secrets.length === 0) say(terminal, "No signing secret: signatures are not checked.")
  say(terminal, "Press Ctrl-C to stop.")
}

const show = async (terminal: Terminal, received: Received, isWhole: boolean): Promise<void> => {
  const columns = screenColumns(terminal)
  const [{ drawn }, { ReceivedLine, ReceivedView }] = await Promise.all([
    import("../ui/drawn.ts"),
    import("../webhooks/views.tsx"),
  ])
  const view = isWhole ? ReceivedView : ReceivedLine
  await writeOut(terminal, drawn(view, { received, screenColumns: columns }, columns))
}

const say = (terminal: Terminal, text: string): void => note(terminal, plainText(text))
