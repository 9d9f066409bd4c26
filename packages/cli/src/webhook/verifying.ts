// `footfall webhooks verify` at work: reads a stored request and says whether it is to be believed.

import type { GlobalOptions } from "../connection/global-options.ts"
import { CliError } from "../errors/cli-error.ts"
import { ExitCode } from "../errors/exit-code.ts"
import { usageError } from "../errors/usage-error.ts"
import { printResult } from "../output/print-result.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { eventFacts } from "./event-facts.ts"
import type { SecretOptions } from "./secret-options.ts"
import { webhookSecrets } from "./secrets.ts"
import { storedRequest, type StoredRequest } from "./stored-request.ts"
import { type Judging, verdictOn } from "./verdict.ts"

/** As commander hands them over. */
export interface VerifyOptions extends GlobalOptions, SecretOptions {
  readonly header?: ReadonlyArray<string>
  readonly tolerance?: number
}

/** Prints what was signed. Errors: usage, `WEBHOOK_REFUSED`. */
export const verifyStored = async (
  terminal: Terminal,
  file: string,
  options: VerifyOptions,
): Promise<void> => {
  if (file === "-" && options.secretStdin) {
    throw usageError(
      "Standard input holds the request or the secret, not both.",
      "Use --secret-file.",
    )
  }
  const secrets = await webhookSecrets(terminal, options)
  if (secrets.length === 0) {
    throw usageError(
      "There is no secret to check with.",
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
      import("../screens/drawn.ts"),
      import("../screens/WebhookFactsView.tsx"),
    ])
    return drawn(WebhookFactsView, { facts, now: terminal.now, screenColumns: columns }, columns)
  })
}

/** Errors: `WEBHOOK_REFUSED`. */
const refuseUnsigned = async (request: StoredRequest, judging: Judging): Promise<void> => {
  const verdict = await verdictOn(request, judging)
  if (verdict.verdict !== "refused") return
  // What an editor adds to a body that it saves.
  const body = withoutLineBreak(request.body)
  const isLineBreak =
    body.length < request.body.length &&
    (await verdictOn({ ...request, body }, judging)).verdict === "verified"
  const nextStep = isLineBreak
    ? "It is right without the line break at the end of the file: the body was sent without one."
    : nextSteps[verdict.reason]
  throw new CliError({
    code: "WEBHOOK_REFUSED",
    message: `This request is not to be believed (${verdict.reason}). ${verdict.message}`,
    exitCode: ExitCode.failed,
    ...(nextStep === undefined ? {} : { nextStep }),
  })
}

const nextSteps: Readonly<Partial<Record<string, string>>> = {
  missing_header: "Keep webhook-id, webhook-timestamp and webhook-signature with the body.",
  signature_mismatch:
    "Is it the secret of this destination or webhook, and the body byte for byte as it came, before any parsing?",
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
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
    throw usageError(`The request in ${file} cannot be read (${code}).`)
  }
}
