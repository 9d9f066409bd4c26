// Destinations of an audience: a webhook, or a mailing list in a connected account. `destinationType` says which. spec 2.15 and 5.10
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"
import type {
  DestinationCreateParams,
  Destination,
  DestinationEventType,
  WebhookBody,
  ValidationPolicy,
  AutomationConfigParams,
} from "../extensions/destination-kinds.ts"

/**
 * `footfall.destinations`. Accepts an API key or an access token. `rotateSecret` needs an access token. A viewer's
 * token can only read.
 */
export class Destinations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Creates a destination as a draft: a webhook, or a mailing list of a connected account. Nothing is sent until you
   * activate it. For a webhook, store `webhookSecret`: it signs every request, and the API does not show it again.
   * Errors: BadRequestError, NotFoundError (the audience or the account is unknown), ConflictError
   * (`ACCOUNT_UNHEALTHY`; 20 destinations exist), ServiceUnavailableError (`INTEGRATION_UNAVAILABLE`).
   */
  create(
    audienceId: string,
    params: DestinationCreateParams,
    options: CreateOptions = {},
  ): ApiCall<DestinationWithSecret> {
    return this.#transport.create(path`/v1/intent/audiences/${audienceId}/destinations`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Returns every destination of an audience, newest first. The list is not paged. Errors: NotFoundError. */
  list(audienceId: string, options: RequestOptions = {}): ApiCall<ReadonlyArray<Destination>> {
    return this.#transport
      .get<{ readonly destinations: ReadonlyArray<Destination> }>(
        path`/v1/intent/audiences/${audienceId}/destinations`,
        { credentials: "either", options },
      )
      .map(({ destinations }) => destinations)
  }

  /**
   * Shows the request that a webhook destination would send, for headers, a body and a template that need not be
   * saved, with a sample contact. Checks them as saving does. Sends and stores nothing. Values of your own headers
   * and the signature are null. Errors: BadRequestError, NotFoundError.
   */
  preview(
    audienceId: string,
    params: DestinationPreviewParams = {},
    options: RequestOptions = {},
  ): ApiCall<DestinationRequest> {
    return this.#transport
      .post<{ readonly request: DestinationRequest }>(
        path`/v1/intent/audiences/${audienceId}/destinations/preview`,
        { body: params, credentials: "either", options },
      )
      .map(({ request }) => request)
  }

  /** Returns one destination with its statistics. Never returns the secret. Errors: NotFoundError. */
  get(
    audienceId: string,
    destinationId: string,
    options: RequestOptions = {},
  ): ApiCall<Destination> {
    return this.#transport
      .get<{ readonly destination: Destination }>(
        path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}`,
        { credentials: "either", options },
      )
      .map(({ destination }) => destination)
  }

  /**
   * Updates the fields you send. Setting `status` to `active` approves the configuration; changing the configuration
   * afterwards needs another approval. Errors: BadRequestError (the URL is not allowed, or the list is unknown),
   * NotFoundError, ConflictError (`ACCOUNT_UNHEALTHY`; `INVALID_TRANSITION`), ServiceUnavailableError
   * (`INTEGRATION_UNAVAILABLE`).
   */
  update(
    audienceId: string,
    destinationId: string,
    params: DestinationUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Destination> {
    return this.#transport
      .patch<{ readonly destination: Destination }>(
        path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}`,
        { body: params, credentials: "either", options },
      )
      .map(({ destination }) => destination)
  }

  /**
   * Deletes a destination. Queued deliveries are canceled, and a delivery in progress stops after its batch. Errors:
   * NotFoundError.
   */
  delete(
    audienceId: string,
    destinationId: string,
    options: RequestOptions = {},
  ): ApiCall<Deleted> {
    return this.#transport.delete(
      path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}`,
      { credentials: "either", options },
    )
  }

  /**
   * Sends a sample event to a webhook now and returns the response. For a mailing list, checks the account and the
   * list without writing to it. Does not count in `stats`. Errors: BadRequestError, NotFoundError.
   */
  test(
    audienceId: string,
    destinationId: string,
    params: DestinationTestParams = {},
    options: RequestOptions = {},
  ): ApiCall<DestinationTest> {
    return this.#transport.post(
      path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/test`,
      { body: params, credentials: "either", options },
    )
  }

  /**
   * Creates a new signing secret and returns it once. The old secret keeps signing for `graceHours`, so you can
   * update your receiver without missing events. Errors: BadRequestError, PermissionError, NotFoundError,
   * ConflictError (the destination is an automation).
   */
  rotateSecret(
    audienceId: string,
    destinationId: string,
    params: SecretRotateParams = {},
    options: RequestOptions = {},
  ): ApiCall<DestinationWithSecret> {
    return this.#transport.post(
      path`/v1/intent/audiences/${audienceId}/destinations/${destinationId}/rotate-secret`,
      { body: params, credentials: "accessToken", options },
    )
  }
}

/** A destination with its secret. No other response includes the secret. */
export interface DestinationWithSecret {
  /** The destination. */
  readonly destination: Destination
  /** `whsec_…`, for verifying webhooks; null for an automation. */
  readonly webhookSecret: string | null
}

/** What to preview. Nothing of it needs to be saved. */
export interface DestinationPreviewParams {
  /** Which event to show. Default: a contact. */
  readonly eventType?: DestinationEventType | undefined
  /**
   * Webhooks only: headers of each request, such as `authorization`. At most 20, values of 1 to 2000 characters.
   * Stored encrypted, and never shown.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Webhooks only: `standard` sends events as they are, `cloudevents` as CloudEvents 1.0, `template` sends contacts
   * as `template` says. Default `standard`.
   */
  readonly body?: WebhookBody | undefined
  /**
   * With `body: "template"` only: a JSON object with placeholders such as `{{contact.email}}`, the paths of the
   * event's `data`. At most 10000 bytes.
   */
  readonly template?: Readonly<Record<string, unknown>> | undefined
}

/** A request as a webhook destination would send it. */
export interface DestinationRequest {
  /** The event. */
  readonly eventType: DestinationEventType
  /** All headers, by lower-case name. A null value is not shown. */
  readonly headers: Readonly<Record<string, string | null>>
  /** The body, exactly as it would be sent. */
  readonly body: string
}

/**
 * Fields to change. Omitted fields keep their values. Changing `url`, `eventTypes`, `headers`, `body`, `template`
 * or `config` turns even an active destination into a draft. Set `status: "active"` in the same update to approve
 * the change immediately.
 */
export interface DestinationUpdateParams {
  /** 1 to 160 characters. */
  readonly name?: string | undefined
  /** Whether the destination receives deliveries. `active` approves its configuration. */
  readonly status?: "active" | "paused" | undefined
  /** Webhooks only: headers to add or replace; null removes one. Headers that are left out stay. At most 20. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined
  /**
   * `valid_or_catchall` sends only contacts whose `emailStatus` is `valid` or `catch_all`. Default: `none` for a
   * webhook, `valid_or_catchall` for an automation.
   */
  readonly validationPolicy?: ValidationPolicy | undefined
  /** Webhooks only: the `https:` URL that receives the events, at most 2048 characters. */
  readonly url?: string | undefined
  /** Webhooks only: the events to send, each listed once. */
  readonly eventTypes?: ReadonlyArray<DestinationEventType> | undefined
  /** Webhooks only: milliseconds to wait for a response. Default 10000. From 1000 to 30,000. */
  readonly timeoutMs?: number | undefined
  /**
   * Webhooks only: `standard` sends events as they are, `cloudevents` as CloudEvents 1.0, `template` sends contacts
   * as `template` says. Default `standard`.
   */
  readonly body?: WebhookBody | undefined
  /**
   * With `body: "template"` only: a JSON object with placeholders such as `{{contact.email}}`, the paths of the
   * event's `data`. At most 10000 bytes.
   */
  readonly template?: Readonly<Record<string, unknown>> | undefined
  /** Automations only: how to write to the list. */
  readonly config?: AutomationConfigParams | undefined
}

/** The event to send as a test. */
export interface DestinationTestParams {
  /** Which event to send. Default: the first one the destination subscribes to. */
  readonly eventType?: DestinationEventType | undefined
}

/** The result of a test. */
export interface DestinationTest {
  /** Whether the receiver accepted the test. */
  readonly ok: boolean
  /** Status of the response; null if there was none. */
  readonly statusCode: number | null
  /** How long it took, in milliseconds. */
  readonly latencyMs: number
  /** A code such as `ENDPOINT_TIMEOUT`; null if the test succeeded. */
  readonly error: string | null
}

/** How long the previous secret stays valid. */
export interface SecretRotateParams {
  /** Hours to keep signing with the old secret too. Default 24. From 0 to 72. */
  readonly graceHours?: number | undefined
}
