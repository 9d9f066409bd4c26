// What the documents say about the fields of destinations and deliveries.
import type { FieldTexts } from "../operation-text.ts"

const deliveryFailure = {
  hashedEmail: "SHA-256 of the primary email address, in hex.",
  errorCode: "Code of the last error.",
  errorMessage: "What the last error says; null if it says nothing.",
  statusCode: "Status of the endpoint's last response; null if there was none.",
  attempts: "How often the contact was tried.",
  lastAttemptAt: "When the contact was last tried.",
}

export const destinationsFields: FieldTexts = {
  DeliveryAnswer: {
    "data.delivery": "The delivery.",
  },
  Delivery: {
    "": "A run being sent to a destination, or already sent.",
    id: "Id of the delivery.",
    organizationId: "Id of the organization.",
    audienceId: "Id of the audience.",
    destinationId: "Id of the destination.",
    destinationConfigRevision: "Revision of the settings that the delivery uses.",
    sourceRunId:
      "The run whose contacts are sent: the latest completed run when the delivery was created.",
    baselineRunId: "The run to compare with; null unless `incremental`.",
    mode: "`initial` sends everyone for the first time, `incremental` what has changed, `full_resync` everyone again.",
    status: "Where the delivery stands.",
    sourceCount: "Contacts selected; 0 until a worker first picks up the delivery.",
    processedCount: "Sum of sent, skipped and failed contacts.",
    sentCount: "Contacts delivered.",
    skippedCount:
      "Contacts that are suppressed, rejected by the validation policy, or without the address that the destination needs.",
    failedCount: "Contacts that could not be delivered.",
    removedCount:
      "People who left the audience, or were suppressed, and whose removal the receiver acknowledged.",
    batchIndex: "Number of acknowledged batches, 100 contacts each.",
    attempts: "How many times a worker has picked it up, at most 6.",
    nextAttemptAt: "Time of the next attempt; null unless it is waiting for one.",
    retryOfDeliveryId: "The delivery whose contacts this one retries.",
    errorCode: "Why it failed. While it waits for another attempt: why the last one failed.",
    errorMessage: "Why the delivery ended early; null if it did not.",
    startedAt: "When it began; null while it is queued.",
    completedAt: "When it was completed, failed or cancelled.",
    createdAt: "When the delivery was created.",
    updatedAt: "When the delivery was last changed.",
  },
  QueuedDelivery: {
    "data.delivery": "The delivery, queued.",
  },
  FailedContactAnswer: {
    "data.failure": "The contact and why it failed.",
  },
  FailedContact: {
    "": "A failed contact with its attempts and its payload.",
    ...deliveryFailure,
    tries:
      "The attempts since a worker last picked up the delivery, oldest first. `attempts` counts all of them.",
    messageId: "The `webhook-id` of the request; null for a mailing list.",
    payload:
      "The payload for the contact. It is not a stored copy: the server builds it from the run's results and the current destination. Null if a suppression rule matches the contact or the result is no longer stored.",
  },
  DeliveryContactPage: {
    "data.contacts":
      "Contacts: those that failed with the latest attempt first, the others in the order of the delivery.",
  },
  DeliveryContact: {
    "": "What became of a contact of a delivery.",
    hashedEmail: "SHA-256 of the primary email address, in hex.",
    outcome:
      "`sent`, `failed`, `skipped` (not sent, for example because they are suppressed) or `removed` (from the list, after they left the audience).",
    name: "Full name; null if unknown.",
    email: "Email address; null if unknown.",
    errorCode: "Why it failed; null unless `failed`.",
    errorMessage: "What the last error says, in the words of the receiver's service if it has any.",
    personExists: "Whether someone with this address is known now.",
  },
  DeliveryTry: {
    "": "One attempt to deliver a failed contact.",
    at: "When it was tried.",
    errorCode: "Code of the error.",
    errorMessage: "What the error says; null if it says nothing.",
    statusCode: "HTTP status of the response; null if there was none.",
    responseSnippet: "Start of the webhook's response; null for a mailing list.",
  },
  DeliveryFailurePage: {
    "data.failures": "Contacts that failed.",
    "data.total": "How many contacts failed.",
  },
  DeliveryFailure: { "": "A contact that could not be delivered.", ...deliveryFailure },
  DeliveryPage: {
    "data.deliveries": "Deliveries, newest first.",
    "data.total": "How many deliveries there are.",
  },
  CertificateAnswer: {
    "data.certificate": "What the checks found.",
  },
  Certificate: {
    "": "The result of checking a service with an account.",
    listId: "The list that was used.",
    isListCreated: "Whether the list was made for the check, and deleted at its end.",
    hasPassed: "Whether no check failed.",
    checks: "The checks, in their order.",
    "checks.name": "What was checked.",
    "checks.status": "How it went. `skipped`: the service or its API does not allow it.",
    "checks.message": "What was found, as a sentence.",
  },
  ConnectedAccountAnswer: {
    "data.account": "The connected account.",
  },
  ConnectedAccount: {
    "": "A connected account. No response includes its credentials.",
    id: "Id of the account.",
    automationAccountId: "`acct_` + 26 characters.",
    appSlug: "The service.",
    appName: "Name of the service.",
    accountName: "Name of the account at the service; null if the service names none.",
    status: "Whether the service accepts the key. `disconnected`: it was disconnected here.",
    lastSyncedAt: "When the account was last checked.",
  },
  ConnectedAccountList: {
    "data.accounts": "Connected accounts, newest first.",
  },
  IntegrationList: {
    "data.integrations": "The services, in the order of their names in the documentation.",
  },
  Integration: {
    "": "A service that accounts can be connected to.",
    appSlug: "The service.",
    appName: "Name of the service.",
    credentials: "Fields of the form that connects an account, in order.",
    "credentials.name": "Key in `credentials`.",
    "credentials.label": "Name of the field, as people see it.",
    "credentials.hint": "Where to find the value.",
    "credentials.isRequired": "Whether the service requires it.",
    newContactStatuses: "Allowed values of `config.newContactStatus`; the first is the default.",
    onLeave: "Allowed values of `config.onLeave`; the first is the default.",
    hasTags: "Whether `config.tags` may have tags.",
    canErase: "Whether `config.eraseAtProvider` may be true.",
    suppressionSource: "How a suppression source reads its accounts; null if none can.",
    "suppressionSource.needsList":
      "Whether such a source needs a list. If not, it may read the whole account.",
  },
  MailingListList: {
    "data.lists": "The lists of the account.",
  },
  MailingList: {
    "": "A list of a service: a mailing list, or the contacts of a CRM.",
    id: "Id of the list.",
    name: "Name of the list.",
    doubleOptIn: "Whether new contacts are pending until they confirm.",
    fields: "Fields that contacts of the list have.",
    "fields.tag": "The name that the service uses for the field.",
    "fields.type": "Type of the field.",
    "fields.label": "Name of the field, as people see it.",
    "fields.fallback": "What the service shows for an empty field; null if nothing.",
    tags: "Tags that the list uses.",
    counts: "How many contacts the list has; null if the service doesn't say.",
    "counts.pending": "Contacts who have not confirmed yet.",
    "counts.subscribed": "Subscribed contacts.",
    "counts.unsubscribed": "Contacts who unsubscribed.",
  },
  DestinationWithSecret: {
    "": "A destination with its secret. No other response includes the secret.",
    "data.destination": "The destination.",
    "data.webhookSecret": "`whsec_…`, for verifying webhooks; null for an automation.",
  },
  Destination: {
    "": "A destination, of either kind.",
    id: "Id of the destination.",
    organizationId: "Id of the organization.",
    audienceId: "Id of the audience.",
    name: "Name of the destination.",
    destinationType: "`webhook`, or `automation` for a mailing list.",
    status:
      "`draft` until it is approved. `needs_attention`: it stopped because deliveries failed.",
    validationPolicy: "Which addresses are sent, by their imported status.",
    configRevision: "Grows with every change of the settings.",
    approvedConfigHash: "Hash of the settings that were approved; null before that.",
    lastSuccessfulRunId: "Run that was delivered last; null before the first.",
    initialSyncCompletedAt: "When everyone had been sent once; null before that.",
    stats: "What was delivered so far.",
    "stats.totalSynced": "Contacts delivered.",
    "stats.totalSkipped":
      "Contacts that are suppressed, rejected by the validation policy, or without the address that the destination needs.",
    "stats.totalFailed": "Contacts that could not be delivered.",
    "stats.totalRemoved":
      "People who left the audience, or were suppressed, and whose removal the receiver acknowledged.",
    "stats.consecutiveErrors":
      "Contacts that have failed since the last successful delivery of one.",
    "stats.lastDeliveredAt": "When a contact was last delivered; null before the first.",
    "stats.lastErrorCode": "Code of the last error; null if there was none.",
    "stats.lastErrorMessage": "What the last error says; null if there was none.",
    "stats.lastErrorAt": "When the last error happened; null if there was none.",
    retrying:
      "Set from the first attempt that failed until the next success. Null unless the destination is active.",
    "retrying.count": "Attempts that failed since the last success.",
    "retrying.errorCode": "Code of the last one's error.",
    "retrying.errorMessage": "What the last one's error says; null if it says nothing.",
    "retrying.at": "When the last one failed.",
    webhook: "Settings of a webhook; null for a mailing list.",
    "webhook.url": "Where contacts are sent.",
    "webhook.signingVersion": "How requests are signed.",
    "webhook.eventTypes": "Events that are sent.",
    "webhook.timeoutMs":
      "Limit for one request in milliseconds, from connecting to the end of the response.",
    "webhook.headers":
      "Names of the headers that requests have besides ours. The values are never shown.",
    "webhook.body":
      "How contacts are sent: as events, as CloudEvents, or as `webhook.template` says.",
    "webhook.template":
      "JSON object that contacts are sent as; null unless `webhook.body` is `template`.",
    automation: "Settings of a mailing list; null for a webhook.",
    "automation.appSlug": "The service.",
    "automation.connectedAccount": "`disconnected` if the account was removed.",
    "automation.config": "The list and how contacts are added.",
    "automation.config.listId": "Id of the list at the service.",
    "automation.config.listName": "Name of the list.",
    "automation.config.emailSource": "Which address of a person is sent.",
    "automation.config.newContactStatus":
      "Status of a contact who is new to the list. Null: the list's own opt-in.",
    "automation.config.fieldMapping": "Maps list fields to contact attributes.",
    "automation.config.tags":
      "Tags for each contact. Footfall adds the tag `audience:` plus the first 8 characters of the audience's id.",
    "automation.config.onLeave":
      "What happens at the service to people who leave the audience: they stay, lose the audience's tag, or leave the list. Only people whom this destination added leave the list.",
    "automation.config.eraseAtProvider":
      "Whether people who are erased here are deleted at the service too, if this destination added them.",
    createdAt: "When the destination was created.",
    updatedAt: "When the destination was last changed.",
  },
  DestinationTestResult: {
    "": "The result of a test.",
    ok: "Whether the receiver accepted the test.",
    statusCode: "Status of the response; null if there was none.",
    latencyMs: "How long it took, in milliseconds.",
    error: "A code such as `ENDPOINT_TIMEOUT`; null if the test succeeded.",
  },
  DestinationTrial: { "": "What to preview. Nothing of it needs to be saved." },
  DestinationPreview: {
    "data.request": "The request that would be sent.",
  },
  DestinationRequestPreview: {
    "": "A request as a webhook destination would send it.",
    eventType: "The event.",
    headers: "All headers, by lower-case name. A null value is not shown.",
    body: "The body, exactly as it would be sent.",
  },
  DestinationAnswer: {
    "data.destination": "The destination.",
  },
  DestinationList: {
    "data.destinations": "Destinations, newest first.",
    "data.total": "How many destinations there are.",
  },
  NewDestination: { "": "A new destination, of either kind." },
  DestinationChange: {
    "": 'Fields to change. Omitted fields keep their values. Changing `url`, `eventTypes`, `headers`, `body`, `template` or `config` turns even an active destination into a draft. Set `status: "active"` in the same update to approve the change immediately.',
  },
  NewConnectedAccount: { "": "Provider and credentials of the new account." },
}
