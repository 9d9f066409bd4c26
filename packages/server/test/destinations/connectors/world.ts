// The doubles of all services, and what the tests of connectors share.
import { Effect, Semaphore } from "effect"
import type { ListTarget } from "../../../src/activation/destinations/connectors/connector.ts"
import { bareList } from "../../../src/activation/destinations/connectors/mailing-list.ts"
import type { Double } from "./double.ts"
import { startAttio } from "./doubles/attio.ts"
import { startBrevo } from "./doubles/brevo.ts"
import { startEmailOctopus } from "./doubles/emailoctopus.ts"
import { startHubSpot } from "./doubles/hubspot.ts"
import { startKlaviyo } from "./doubles/klaviyo.ts"
import { startListmonk } from "./doubles/listmonk.ts"
import { startMailchimp } from "./doubles/mailchimp.ts"
import { startPipedrive } from "./doubles/pipedrive.ts"

/** By `appSlug`: every service that has a name. `mailer` is the interface of spec 2.17, with tests of its own. */
export const doubles: ReadonlyArray<readonly [appSlug: string, start: () => Promise<Double>]> = [
  ["emailoctopus", startEmailOctopus],
  ["listmonk", startListmonk],
  ["mailchimp", startMailchimp],
  ["brevo", startBrevo],
  ["klaviyo", startKlaviyo],
  ["hubspot", startHubSpot],
  ["pipedrive", startPipedrive],
  ["attio", startAttio],
]

/** A list with nothing but an id. */
export const target = (listId: string, given: Partial<ListTarget> = {}): ListTarget => ({
  list: bareList(listId),
  config: {
    listId,
    emailSource: "email",
    newContactStatus: null,
    fieldMapping: {},
    tags: [],
    onLeave: "keep",
    eraseAtProvider: false,
  },
  managedTag: "audience:70865832",
  lookedUp: new Map(),
  lookingUp: Semaphore.makeUnsafe(1),
  notes: { adding: () => Effect.void, removing: () => Effect.void },
  ...given,
})
