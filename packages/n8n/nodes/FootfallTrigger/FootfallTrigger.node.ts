// The trigger node: starts a workflow for an alert, or for each person whom an audience delivers. While the workflow is
// active, Footfall has a webhook that leads to it. Its secret stays in the workflow's static data.
import { verifyWebhook, WebhookVerificationError } from "@footfall/sdk/webhooks"
import {
  type IDataObject,
  type IHookFunctions,
  type ILoadOptionsFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow"
import { ask, askIfFound } from "../api"
import { optionsOf } from "../options"

/** Of the webhook in Footfall, kept between the calls of n8n. */
interface Registered {
  /** Where the webhook is in the API. */
  path?: Array<string>
  secret?: string
}

const forAlerts = { show: { source: ["alert"] } }
const forAudiences = { show: { source: ["audience"] } }

export class FootfallTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Footfall Trigger",
    name: "footfallTrigger",
    icon: { light: "file:../../icons/footfall.svg", dark: "file:../../icons/footfall.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["source"] === "audience" ? "audience" : $parameter["trigger"]}}',
    description:
      "Starts the workflow when Footfall identifies a visitor, sees a company or delivers an audience",
    defaults: { name: "Footfall Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "footfallApi", required: true }],
    webhooks: [
      {
        name: "default",
        httpMethod: "POST",
        responseMode: "onReceived",
        path: "webhook",
      },
    ],
    properties: [
      {
        displayName: "Source",
        name: "source",
        type: "options",
        noDataExpression: true,
        default: "alert",
        options: [
          {
            name: "Alert",
            value: "alert",
            description: "Visits of people and companies, as they happen",
          },
          {
            name: "Audience",
            value: "audience",
            description: "The people in an audience, when it is delivered",
          },
        ],
      },
      {
        displayName: "Trigger On",
        name: "trigger",
        type: "options",
        noDataExpression: true,
        default: "first_match",
        displayOptions: forAlerts,
        options: [
          {
            name: "Company Visited",
            value: "company_seen",
            description: "A company visited, even if no one is identified",
          },
          {
            name: "Entered Segment",
            value: "entered_segment",
            description: "A person or company entered a segment",
          },
          {
            name: "Left Segment",
            value: "left_segment",
            description: "A person or company left a segment",
          },
          { name: "Page Viewed", value: "page_viewed", description: "Someone viewed a page" },
          {
            name: "Visitor Identified",
            value: "first_match",
            description: "A person was identified for the first time",
          },
          {
            name: "Visitor Identified or Updated",
            value: "every_update",
            description: "A person was identified, came back or changed",
          },
        ],
      },
      {
        displayName: "Segment ID",
        name: "segmentId",
        type: "string",
        default: "",
        required: true,
        displayOptions: {
          show: { source: ["alert"], trigger: ["entered_segment", "left_segment"] },
        },
      },
      {
        displayName: "Options",
        name: "options",
        type: "collection",
        placeholder: "Add Option",
        default: {},
        displayOptions: forAlerts,
        options: [
          {
            displayName: "List ID",
            name: "listId",
            type: "string",
            default: "",
            description:
              "Only people or companies in this list. For Page Viewed and Company Visited.",
          },
          {
            displayName: "Path",
            name: "path",
            type: "string",
            default: "",
            placeholder: "/pricing",
            description: "Only pages under this path. For Page Viewed.",
          },
          {
            displayName: "Pixel ID",
            name: "pixelId",
            type: "string",
            default: "",
            description: "Only visits that this pixel sees",
          },
          {
            displayName: "Seconds",
            name: "minSeconds",
            type: "number",
            typeOptions: { minValue: 0, maxValue: 600 },
            default: 0,
            description: "Only once the page was visible for so long. For Page Viewed.",
          },
          {
            displayName: "Segment ID",
            name: "segmentId",
            type: "string",
            default: "",
            description: "Only people or companies in this segment",
          },
        ],
      },
      {
        displayName: "Audience Name or ID",
        name: "audienceId",
        type: "options",
        typeOptions: { loadOptionsMethod: "getAudiences" },
        default: "",
        required: true,
        description:
          'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
        displayOptions: forAudiences,
      },
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        default: ["intent.audience.contact.upserted"],
        required: true,
        displayOptions: forAudiences,
        options: [
          {
            name: "Delivery Completed",
            value: "intent.audience.sync.completed",
            description: "A delivery is complete, with its counts",
          },
          {
            name: "Delivery Started",
            value: "intent.audience.sync.started",
            description: "A delivery begins",
          },
          {
            name: "Person Added or Changed",
            value: "intent.audience.contact.upserted",
            description: "Once for each person of a delivery",
          },
          {
            name: "Person Removed",
            value: "intent.audience.contact.removed",
            description: "Someone left the audience, was suppressed or erased",
          },
        ],
      },
    ],
  }

  methods = {
    loadOptions: {
      getAudiences(this: ILoadOptionsFunctions) {
        return optionsOf(["intent", "audiences"])(this)
      },
    },
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { path, secret } = registeredOf(this)
        if (path === undefined || secret === undefined) return false
        const known = await found(this, path)
        if (known === undefined) return false
        if (known.url === this.getNodeWebhookUrl("default") && known.status === "active")
          return true
        // n8n has another address now, or Footfall has stopped sending: a new one takes its place.
        await removed(this, path)
        return false
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const registered = registeredOf(this)
        const url = this.getNodeWebhookUrl("default") as string
        const name = `n8n: ${this.getWorkflow().name ?? this.getNode().name}`.slice(0, 160)
        const made =
          this.getNodeParameter("source") === "audience"
            ? await createDestination(this, { name, url })
            : await createAlert(this, { name, url })
        Object.assign(registered, made)
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const registered = registeredOf(this)
        if (registered.path !== undefined) await removed(this, registered.path)
        delete registered.path
        delete registered.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { refusal, event } = await received(this)
    if (refusal !== undefined) {
      this.getResponseObject().status(401).json({ message: refusal })
      return { noWebhookResponse: true }
    }
    return { workflowData: [[{ json: event }]] }
  }
}

type Received =
  | { readonly refusal: string; readonly event?: undefined }
  | { readonly refusal?: undefined; readonly event: IDataObject }

/** The event, if Footfall has signed it with this webhook's secret. */
const received = async (context: IWebhookFunctions): Promise<Received> => {
  const { secret } = context.getWorkflowStaticData("node") as Registered
  if (secret === undefined) return { refusal: "This workflow has no webhook in Footfall." }
  const { rawBody } = context.getRequestObject() as { readonly rawBody?: Uint8Array }
  try {
    const event = await verifyWebhook({
      payload: rawBody ?? new Uint8Array(),
      headers: context.getHeaderData() as Record<string, string>,
      secret,
    })
    return { event: event as object as IDataObject }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { refusal: error.message }
    throw new NodeOperationError(context.getNode(), error as Error)
  }
}

const registeredOf = (context: IHookFunctions): Registered =>
  context.getWorkflowStaticData("node") as Registered

interface Target {
  readonly name: string
  readonly url: string
}

const createAlert = async (context: IHookFunctions, target: Target): Promise<Registered> => {
  const trigger = context.getNodeParameter("trigger") as string
  const options = context.getNodeParameter("options", {}) as IDataObject
  const chosen = Object.entries(options).filter(([, value]) => value !== "")
  const needsSegment = trigger === "entered_segment" || trigger === "left_segment"
  const segment = needsSegment ? { segmentId: context.getNodeParameter("segmentId") as string } : {}
  const { data } = await ask<{
    readonly webhook: { readonly id: string }
    readonly webhookSecret: string
  }>(context, {
    method: "POST",
    path: ["data", "webhooks"],
    body: { ...target, trigger, ...Object.fromEntries(chosen), ...segment },
  })
  return { path: ["data", "webhooks", data.webhook.id], secret: data.webhookSecret }
}

/** A destination begins as a draft, so that a failed approval leaves nothing that sends. */
const createDestination = async (context: IHookFunctions, target: Target): Promise<Registered> => {
  const path = [
    "intent",
    "audiences",
    context.getNodeParameter("audienceId") as string,
    "destinations",
  ]
  const eventTypes = context.getNodeParameter("events") as Array<string>
  const { data } = await ask<{
    readonly destination: { readonly id: string }
    readonly webhookSecret: string
  }>(context, {
    method: "POST",
    path,
    body: { ...target, destinationType: "webhook", eventTypes },
  })
  const made = [...path, data.destination.id]
  try {
    await ask(context, { method: "PATCH", path: made, body: { status: "active" } })
  } catch (error) {
    await removed(context, made)
    throw new NodeApiError(context.getNode(), error as JsonObject)
  }
  return { path: made, secret: data.webhookSecret }
}

interface Known {
  readonly url: string
  readonly status: string
}

/** Undefined if it was deleted in Footfall. */
const found = async (context: IHookFunctions, path: Array<string>): Promise<Known | undefined> => {
  const answer = await askIfFound<Known & { readonly destination?: Known }>(context, {
    method: "GET",
    path,
  })
  return answer?.data.destination ?? answer?.data
}

const removed = (context: IHookFunctions, path: Array<string>): Promise<unknown> =>
  askIfFound(context, { method: "DELETE", path })
