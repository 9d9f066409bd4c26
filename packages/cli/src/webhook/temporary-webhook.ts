// A visitor webhook that exists for as long as somebody listens.

import { BadRequestError, type Footfall, NotFoundError } from "@footfall/sdk"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"

export interface TemporaryWebhook {
  readonly id: string
  readonly secret: string
  /** Errors: those of the server; none when somebody else removed it. */
  readonly remove: () => Promise<void>
}

export interface TemporaryWebhookParams {
  readonly url: string
  /** Default: `every_update`, because one who tries wants to see more than first times. */
  readonly trigger: "first_match" | "every_update" | undefined
  readonly segmentId: string | undefined
  readonly pixelId: string | undefined
}

/** The part of the client that is asked. */
export type WebhookClient = Pick<Footfall, "webhooks">

/** Registers it. Errors: `WEBHOOK_URL_REFUSED`, and those of the server. */
export const temporaryWebhook = async (
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
    secret: webhookSecret,
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
    message: `The server sends no webhooks to ${url}: it takes public addresses over https: only.`,
    exitCode: ExitCode.failed,
    nextStep:
      "For development, start the server with ALLOW_PRIVATE_WEBHOOKS=on; " +
      "else give the public address of a tunnel that leads here: --public-url https://…",
  })
