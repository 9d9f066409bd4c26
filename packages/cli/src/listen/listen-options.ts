// The options of `footfall listen`, and which of them need `--create`.

import type { VisitorWebhookTrigger } from "@footfall/sdk"
import type { GlobalOptions } from "../connection/global-options.ts"
import { usageError } from "../errors/cli-error.ts"
import type { SecretOptions } from "../webhooks/secrets.ts"

/** As commander passes them. */
export interface ListenOptions extends GlobalOptions, SecretOptions {
  readonly port: number
  readonly host: string
  readonly forwardTo?: URL
  readonly status?: number
  readonly count?: number
  readonly verbose?: true
  readonly create?: true
  readonly publicUrl?: URL
  readonly trigger?: VisitorWebhookTrigger
  readonly segment?: string
  readonly pixel?: string
}

/** Errors: usage, for options that have no effect without another option. */
export const refuseIdleOptions = (options: ListenOptions): void => {
  const { create, pixel, publicUrl, secretStdin, segment, trigger, apiKeyStdin } = options
  const idle = Object.entries({ "public-url": publicUrl, trigger, segment, pixel }).find(
    ([, value]) => value !== undefined,
  )
  if (!create && idle !== undefined) throw usageError(`--${idle[0]} needs --create.`)
  if (secretStdin && apiKeyStdin) {
    throw usageError(
      "Can't read both the API key and the secret from standard input.",
      "Use --secret-file.",
    )
  }
}
