// Runs `footfall webhooks verify`: reads a saved request and verifies its signature.

import type { GlobalOptions } from "../connection/global-options.ts"
import { CliError, ExitCode, unreadable, usageError } from "../errors/cli-error.ts"
import { printResult } from "../output/print-result.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { eventFacts, type Judging, verdictOn } from "./verdict.ts"
import { type SecretOptions, webhookSecrets } from "./secrets.ts"
import { storedRequest, type StoredRequest } from "./stored-request.ts"

/** As commander passes them. */
export interface VerifyOptions extends GlobalOptions, SecretOptions {
  readonly header?: ReadonlyArray<string>
  readonly tolerance?: number
}

/** Prints the signed content. Errors: usage, `WEBHOOK_REFUSED`. */
export const verifyStored = async (
  terminal: Terminal,
  file: string,
  options: VerifyOptions,
): Promise<void> => {
  if (file === "-" && options.secretStdin) {
    throw usageError(
      "Can't read both the request and the secret from standard input.",
      "Use --secret-file.",
    )
  }
  const secrets = await webhookSecrets(terminal, options)
  if (secrets.length === 0) {
    throw usageError(
      "No signing secret given.",
      "Set FOOTFALL_WEBHOOK_SECRET, or use --secret-file or --secret-stdin.",
    )
  }
  const request = storedRequest(await fileBytes(terminal, file), options.header ?? [])
  await refuseUnsigned(request, {
    secrets,
    toleranceSeconds: options.tolerance ?? null,
    now: terminal.now,
  })

  const { payload, ...facts } = eventFacts(request)
  await printResult(terminal, options, { verified: true, ...facts, payload }, async (columns) => {
    const [{ drawn }, { WebhookFactsView }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    return drawn(WebhookFactsView, { facts, now: terminal.now, screenColumns: columns }, columns)
  })
}

/** Errors: `WEBHOOK_REFUSED`. */
const refuseUnsigned = async (request: StoredRequest, judging: Judging): Promise<void> => {
  const verdict = await verdictOn(request, judging)
  if (verdict.verdict !== "refused") return
  // Editors add a line break when they save a body.
  const body = withoutLineBreak(request.body)
  const isLineBreak =
    body.length < request.body.length &&
    (await verdictOn({ ...request, body }, judging)).verdict === "verified"
  const nextStep = isLineBreak
    ? "The signature is valid without the line break at the end of the file: the body was sent without one."
    : nextSteps[verdict.reason]
  throw new CliError({
    code: "WEBHOOK_REFUSED",
    message: `Invalid request (${verdict.reason}). ${verdict.message}`,
    exitCode: ExitCode.failed,
    ...(nextStep === undefined ? {} : { nextStep }),
  })
}

const nextSteps: Readonly<Partial<Record<string, string>>> = {
  missing_header: "Keep webhook-id, webhook-timestamp and webhook-signature with the body.",
  signature_mismatch:
    "Check that the secret belongs to this destination or webhook, and that the body is unchanged, byte for byte.",
}

const withoutLineBreak = (body: Uint8Array): Uint8Array => {
  const text = Buffer.from(body)
  if (text.at(-1) !== 0x0a) return text
  return text.subarray(0, text.at(-2) === 0x0d ? -2 : -1)
}

const fileBytes = async ({ stdin }: Terminal, file: string): Promise<Buffer> => {
  if (file === "-") {
    const { default: consumers } = await import("node:stream/consumers")
    return consumers.buffer(stdin)
  }
  try {
    const { default: files } = await import("node:fs/promises")
    return await files.readFile(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}
