// How an event becomes the body of a request (spec 8.2): the standard envelope, a CloudEvent, or a template for contacts.
import { jsonType } from "../../../platform/outbound/signing.ts"
import type { EventType, WebhookDestinationConfig } from "../destination.ts"
import { storedTemplate, type Template } from "./template.ts"

export interface EventHead {
  /** Equals `webhook-id`. */
  readonly id: string
  /** ISO 8601; the time of the event, not of the attempt. */
  readonly timestamp: string
  /** Adds `test: true` for a test call. Default: omitted. */
  readonly isTest?: boolean
}

export interface EventFormat {
  readonly contentType: string
  written(event: EventType, head: EventHead, organizationId: string, data: object): string
}

export const standard: EventFormat = {
  contentType: jsonType,
  written: (event, { id, isTest = false, timestamp }, organizationId, data) =>
    JSON.stringify({
      id,
      event,
      timestamp,
      apiVersion: "v1",
      organizationId,
      data,
      ...(isTest ? { test: true } : {}),
    }),
}

/** In structured mode, version 1.0. Names of extensions are lower case. */
export const cloudEvents: EventFormat = {
  contentType: "application/cloudevents+json",
  written: (event, { id, isTest = false, timestamp }, organizationId, data) =>
    JSON.stringify({
      specversion: "1.0",
      id,
      source: `/v1/organizations/${organizationId}`,
      type: event,
      time: timestamp,
      datacontenttype: "application/json",
      apiversion: "v1",
      organizationid: organizationId,
      ...(isTest ? { test: true } : {}),
      data,
    }),
}

export const templated = (template: Template): EventFormat => ({
  contentType: jsonType,
  written: (_event, _head, _organizationId, data) => template.written(data),
})

/** Of every event of a destination. Make it once for many contacts. */
export const formatsOf = ({
  body,
  template,
}: Pick<WebhookDestinationConfig, "body" | "template">): ((event: EventType) => EventFormat) => {
  if (body === "cloudevents") return () => cloudEvents
  if (template === undefined) return () => standard
  const ofContacts = templated(storedTemplate(template))
  return (event) => (event === "intent.audience.contact.upserted" ? ofContacts : standard)
}
