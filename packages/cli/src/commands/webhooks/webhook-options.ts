// The options that say what a visitor webhook is told of, shared by `create` and `update`.

import type { VisitorWebhookUpdateParams } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { uuid } from "../uuid.ts"
import { wholeNumber } from "../whole-number.ts"

/** Longest time a receiver may take. spec 2.20. */
const TIMEOUT_MAX = 30_000

/** As commander hands them over. */
export interface WebhookOptions {
  readonly trigger?: "first_match" | "every_update"
  readonly segment?: string
  readonly pixel?: string
  readonly timeout?: number
  readonly status?: "active" | "inactive"
}

/** Adds the options to a command. */
export const addWebhookOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--trigger <trigger>",
        "first_match: once per person; every_update: each session and change too",
      ).choices(["first_match", "every_update"]),
    )
    .addOption(
      new Option("--segment <id>", "only people in this segment").argParser(
        uuid("a segment", "footfall segments list"),
      ),
    )
    .addOption(
      new Option("--pixel <id>", "only what this pixel sees").argParser(
        uuid("a pixel", "footfall pixels list"),
      ),
    )
    .addOption(
      new Option("--timeout <ms>", "time the receiver may take, 1000 to 30000").argParser(
        wholeNumber(TIMEOUT_MAX),
      ),
    )
    .addOption(
      new Option("--status <status>", "inactive is told nothing").choices(["active", "inactive"]),
    )

/** What was given; nothing else. */
export const webhookParams = (
  options: WebhookOptions,
): Omit<VisitorWebhookUpdateParams, "name" | "url"> => ({
  ...(options.trigger === undefined ? {} : { trigger: options.trigger }),
  ...(options.segment === undefined ? {} : { segmentId: options.segment }),
  ...(options.pixel === undefined ? {} : { pixelId: options.pixel }),
  ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout }),
  ...(options.status === undefined ? {} : { status: options.status }),
})
