// Destinations, connected accounts and deliveries.
import type { OperationTexts } from "./operation-text.ts"
import {
  answer,
  audienceId,
  deleted,
  destinationId,
  janeHash,
  onePage,
  organizationId,
  runId,
  testResult,
  webhookSecret,
} from "./sample.ts"

const eventTypes = [
  "intent.audience.sync.started",
  "intent.audience.contact.upserted",
  "intent.audience.sync.completed",
]
const url = "https://hooks.tidewater.example/footfall"

const draft = {
  id: destinationId,
  organizationId,
  audienceId,
  name: "CRM intake",
  destinationType: "webhook",
  status: "draft",
  validationPolicy: "none",
  configRevision: 1,
  approvedConfigHash: null,
  lastSuccessfulRunId: null,
  initialSyncCompletedAt: null,
  stats: {
    totalSynced: 0,
    totalSkipped: 0,
    totalFailed: 0,
    totalRemoved: 0,
    consecutiveErrors: 0,
    lastDeliveredAt: null,
    lastErrorCode: null,
    lastErrorMessage: null,
    lastErrorAt: null,
  },
  retrying: null,
  webhook: {
    url,
    signingVersion: "v1",
    eventTypes,
    timeoutMs: 10000,
    headers: [],
    body: "standard",
    template: null,
  },
  automation: null,
  createdAt: "2026-03-11T09:04:00.000Z",
  updatedAt: "2026-03-11T09:04:00.000Z",
}
const active = {
  ...draft,
  status: "active",
  approvedConfigHash: "7cb47032da401b3c62741e230ca29c8f7486bc9a70bcebc506635418f415723c",
  updatedAt: "2026-03-11T09:04:20.000Z",
}

const account = {
  id: "8f7e6d5c-4b3a-4291-8076-5f4e3d2c1b0a",
  automationAccountId: "acc_51f0c2",
  appSlug: "mailer",
  appName: "Mailer",
  accountName: "Tidewater newsletter",
  status: "healthy",
  lastSyncedAt: "2026-03-11T08:30:00.000Z",
}

const queued = {
  id: "e3897870-520c-4fe5-9d28-03da213e9f49",
  organizationId,
  audienceId,
  destinationId,
  destinationConfigRevision: 1,
  sourceRunId: runId,
  baselineRunId: null,
  mode: "initial",
  status: "queued",
  sourceCount: 0,
  processedCount: 0,
  sentCount: 0,
  skippedCount: 0,
  failedCount: 0,
  removedCount: 0,
  batchIndex: 0,
  attempts: 0,
  nextAttemptAt: null,
  retryOfDeliveryId: null,
  errorCode: null,
  errorMessage: null,
  startedAt: null,
  completedAt: null,
  createdAt: "2026-03-11T09:05:00.000Z",
  updatedAt: "2026-03-11T09:05:00.000Z",
}
const completed = {
  ...queued,
  status: "completed",
  sourceCount: 2,
  processedCount: 2,
  sentCount: 1,
  failedCount: 1,
  attempts: 1,
  startedAt: "2026-03-11T09:05:01.000Z",
  completedAt: "2026-03-11T09:05:03.000Z",
  updatedAt: "2026-03-11T09:05:03.000Z",
}

export const destinations: OperationTexts = {
  "destinations.list": {
    summary: "List destinations",
    description: "Returns every destination of an audience, newest first. The list is not paged.",
    responses: { 200: answer({ destinations: [active], total: 1 }) },
  },
  "destinations.create": {
    summary: "Create a destination",
    description:
      "Creates a destination as a draft: a webhook, or a mailing list of a connected account. Nothing " +
      "is sent until you activate it. For a webhook, store `webhookSecret`: it signs every request, and " +
      "the API does not show it again.",
    request: { destinationType: "webhook", name: "CRM intake", url, eventTypes },
    errors: { 404: "the audience or the account is unknown", 409: "20 destinations exist" },
    responses: { 201: answer({ destination: draft, webhookSecret }) },
  },
  "destinations.preview": {
    summary: "Preview a request",
    description:
      "Shows the request that a webhook destination would send, for headers, a body and a template that " +
      "need not be saved, with a sample contact. Checks them as saving does. Sends and stores nothing. " +
      "Values of your own headers and the signature are null.",
    request: {
      headers: { authorization: "Bearer 4f9c1b7e" },
      body: "template",
      template: { email: "{{contact.email}}", note: "From {{audience.name}}" },
    },
    responses: {
      200: answer({
        request: {
          eventType: "intent.audience.contact.upserted",
          headers: {
            authorization: null,
            "content-type": "application/json; charset=utf-8",
            "user-agent": "footfall-webhooks/0.3.0",
            "webhook-attempt": "1",
            "webhook-id": "msg_a4x6nc2hqd3f7kz5w2e6rb4uym",
            "webhook-signature": null,
            "webhook-timestamp": "1773219840",
          },
          body: '{"email":"sam.sample@footfall-test.example","note":"From Warehouse buyers"}',
        },
      }),
    },
  },
  "destinations.get": {
    summary: "Get a destination",
    description: "Returns one destination with its statistics. Never returns the secret.",
    responses: { 200: answer({ destination: active }) },
  },
  "destinations.update": {
    summary: "Update a destination",
    description:
      "Updates the fields you send. Setting `status` to `active` approves the configuration; changing " +
      "the configuration afterwards needs another approval.",
    request: { status: "active" },
    errors: { 400: "the URL is not allowed, or the list is unknown" },
    responses: { 200: answer({ destination: active }) },
  },
  "destinations.delete": {
    summary: "Delete a destination",
    description:
      "Deletes a destination. Queued deliveries are canceled, and a delivery in progress stops after " +
      "its batch.",
    responses: { 200: deleted },
  },
  "destinations.test": {
    summary: "Test a destination",
    description:
      "Sends a sample event to a webhook now and returns the response. For a mailing list, " +
      "checks the account and the list without writing to it. Does not count in `stats`.",
    request: { eventType: "intent.audience.contact.upserted" },
    responses: { 200: testResult },
  },
  "destinationSecrets.rotate": {
    summary: "Rotate a destination secret",
    description:
      "Creates a new signing secret and returns it once. The old secret keeps signing for `graceHours`, " +
      "so you can update your receiver without missing events.",
    request: { graceHours: 24 },
    errors: { 409: "the destination is an automation" },
    responses: { 200: answer({ destination: active, webhookSecret }) },
  },
  "integrations.list": {
    summary: "List integrations",
    description:
      "Returns the services that accounts can be connected to: the credentials that each requires, and what " +
      "an automation destination can ask of it.",
    responses: {
      200: answer({
        integrations: [
          {
            appSlug: "emailoctopus",
            appName: "EmailOctopus",
            credentials: [
              {
                name: "apiKey",
                label: "API key",
                hint: "Create one under Integrations & API, API keys.",
                isRequired: true,
              },
            ],
            newContactStatuses: [null, "SUBSCRIBED"],
            onLeave: ["keep", "remove_tag", "remove_from_list"],
            hasTags: true,
            canErase: true,
            suppressionSource: { needsList: true },
          },
        ],
      }),
    },
  },
  "integrations.readableLists": {
    summary: "List lists that can be read",
    description:
      "Returns the current lists of a connected account that a suppression source can read. HubSpot has more of them than of those that can be written to: its dynamic lists. Others have the same.",
    errors: { 500: "the provider answered with an error" },
    responses: {
      200: answer({
        lists: [
          { id: "91", name: "Customers", doubleOptIn: false, fields: [], tags: [], counts: null },
        ],
      }),
    },
  },
  "integrations.lists": {
    summary: "List mailing lists",
    description:
      "Returns the current lists of a connected account that can be written to, with their fields.",
    errors: { 500: "the provider answered with an error" },
    responses: {
      200: answer({
        lists: [
          {
            id: "lst_204",
            name: "Newsletter",
            doubleOptIn: false,
            fields: [{ tag: "FNAME", type: "text", label: "First name", fallback: null }],
            tags: ["customers"],
            counts: { pending: 0, subscribed: 1840, unsubscribed: 62 },
          },
        ],
      }),
    },
  },
  "integrations.accounts": {
    summary: "List connected accounts",
    description:
      "Returns the organization's accounts at mailing list providers and CRMs, newest first.",
    responses: { 200: answer({ accounts: [account] }) },
  },
  "integrations.connect": {
    summary: "Connect an account",
    description:
      "Connects an account at a mailing list provider or CRM, after checking its API key there. " +
      "The key is stored encrypted and never returned.",
    request: {
      appSlug: "mailer",
      accountName: "Tidewater newsletter",
      credentials: { apiKey: "mk_live_4f9c1b7e" },
    },
    errors: {
      400: "the provider rejects the credentials",
      409: "50 accounts are connected",
      500: "the provider answered with an error",
    },
    responses: { 201: answer({ account }) },
  },
  "integrations.check": {
    summary: "Check a connected account",
    description:
      "Checks with the provider whether the account still works, and updates its status.",
    responses: { 200: answer({ account }) },
  },
  "integrations.certify": {
    summary: "Check a service with your own account",
    description:
      "Writes two invented contacts to an empty list of the account, and checks what Footfall relies on: a contact is " +
      "written once, someone who unsubscribed stays unsubscribed, and removing, returning and erasing take effect. " +
      "The contacts are deleted at the end, and so is a list that was made for the check. It takes up to four minutes.",
    request: { domain: "example.com" },
    errors: {
      400: "the list has contacts, or the service can't be checked",
      500: "the provider answered with an error",
    },
    responses: {
      200: answer({
        certificate: {
          listId: "00000000-0000-0000-0000-0000000000aa",
          isListCreated: true,
          hasPassed: true,
          checks: [
            { name: "write", status: "passed", message: "A new contact is on the list." },
            {
              name: "repeat",
              status: "passed",
              message: "The same contact, written again, keeps its status.",
            },
            {
              name: "refusal",
              status: "passed",
              message: "Someone who unsubscribed stays unsubscribed.",
            },
            { name: "removal", status: "passed", message: "A contact is taken off the list." },
            {
              name: "return",
              status: "passed",
              message: "Someone who returns has the status from before.",
            },
            {
              name: "erasure",
              status: "passed",
              message: "An erased contact is deleted at the service.",
            },
          ],
        },
      }),
    },
  },
  "integrations.disconnect": {
    summary: "Disconnect an account",
    description:
      "Removes a connected account. Destinations that use it change to `needs_attention`. An account that a suppression source reads returns `ACCOUNT_IN_USE`, and `details.suppressionSourceIds` lists the sources.",
    responses: { 200: deleted },
  },
  "deliveries.sync": {
    summary: "Start a delivery",
    description:
      "Delivers the latest completed run of an audience to an active destination. `incremental` sends " +
      "what changed since the last delivery; the first one sends everyone. Send an `Idempotency-Key` to " +
      "repeat the request safely: a repeat returns the same delivery with status 200.",
    request: { mode: "incremental" },
    responses: { 202: answer({ delivery: queued }), 200: answer({ delivery: queued }) },
  },
  "deliveries.list": {
    summary: "List deliveries",
    description: "Returns the deliveries of an audience, newest first.",
    responses: { 200: answer({ deliveries: [completed], total: 1 }, onePage(25)) },
  },
  "deliveries.get": {
    summary: "Get a delivery",
    description: "Returns one delivery with its status and counts.",
    responses: { 200: answer({ delivery: completed }) },
  },
  "deliveries.contacts": {
    summary: "List the contacts of a delivery",
    description:
      "Returns what became of each contact: name, address, and why it failed, in the words of the receiver's " +
      "service. Once the run's results are deleted, only failed contacts are listed, without names.",
    responses: {
      200: answer(
        {
          contacts: [
            {
              hashedEmail: janeHash,
              outcome: "failed",
              name: "Jane Mercer",
              email: "jane@acme.example",
              errorCode: "CONTACT_INVALID",
              errorMessage: "The provider rejected the contact: The email address is fake.",
              personExists: true,
            },
          ],
        },
        { limit: 50, hasMore: false, nextCursor: null },
      ),
    },
  },
  "deliveries.failures": {
    summary: "List failed contacts",
    description: "Returns the contacts a delivery could not send, and why.",
    responses: {
      200: answer(
        {
          failures: [
            {
              hashedEmail: janeHash,
              errorCode: "ENDPOINT_REJECTED",
              errorMessage: "Expected a 2xx response, received 422.",
              statusCode: 422,
              attempts: 1,
              lastAttemptAt: "2026-03-11T09:05:02.000Z",
            },
          ],
          total: 1,
        },
        onePage(50),
      ),
    },
  },
  "deliveries.failure": {
    summary: "Get a failed contact",
    description:
      "Returns one contact that a delivery could not send: each attempt, the receiver's " +
      "response, and the payload. The server rebuilds the payload from the run's results and " +
      "the current destination, because it does not store a copy.",
    errors: { 404: "the delivery is unknown, or the contact did not fail" },
    responses: {
      200: answer({
        failure: {
          hashedEmail: janeHash,
          errorCode: "ENDPOINT_REJECTED",
          errorMessage: "Expected a 2xx response, received 422.",
          statusCode: 422,
          attempts: 1,
          lastAttemptAt: "2026-03-11T09:05:02.000Z",
          tries: [
            {
              at: "2026-03-11T09:05:02.000Z",
              errorCode: "ENDPOINT_REJECTED",
              errorMessage: "Expected a 2xx response, received 422.",
              statusCode: 422,
              responseSnippet: '{"error":"jobTitle is required"}',
            },
          ],
          messageId: null,
          payload: { email: "jane@acme.example", fields: { FNAME: "Jane" }, tags: ["buyers"] },
        },
      }),
    },
  },
  "deliveries.retryFailure": {
    summary: "Retry a failed contact",
    description:
      "Starts a new delivery of this contact only. The delivery must have completed. If it failed, retry the whole delivery.",
    responses: {
      202: answer({
        delivery: {
          ...queued,
          id: "6b5c4d3e-2f1a-4b0c-9d8e-7f6a5b4c3d2e",
          retryOfDeliveryId: queued.id,
        },
      }),
    },
  },
  "deliveries.retry": {
    summary: "Retry a delivery",
    description:
      "Starts a new delivery of the contacts that failed or were not sent. The delivery must " +
      "have failed, or completed with failures.",
    errors: { 409: "nothing failed" },
    responses: {
      202: answer({
        delivery: {
          ...queued,
          id: "5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d",
          retryOfDeliveryId: queued.id,
        },
      }),
    },
  },
  "deliveries.approve": {
    summary: "Approve removals",
    description:
      "Lets the removals of a delivery through that waits with `REMOVALS_NEED_APPROVAL`, and activates its " +
      "destination. Any other delivery returns `CONFLICT`. The approval counts for this delivery only.",
    errors: { 409: "the delivery does not wait for an approval" },
    responses: { 200: answer({ delivery: { ...queued, mode: "incremental", sourceCount: 4 } }) },
  },
  "deliveries.cancel": {
    summary: "Cancel a delivery",
    description: "Cancels a delivery that is still queued. Any other delivery returns `CONFLICT`.",
    errors: { 409: "the delivery is not queued" },
    responses: {
      200: answer({
        delivery: {
          ...queued,
          status: "cancelled",
          completedAt: "2026-03-11T09:05:00.400Z",
          updatedAt: "2026-03-11T09:05:00.400Z",
        },
      }),
    },
  },
}
