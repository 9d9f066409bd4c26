// The bodies that create and change destinations (spec 5.10). One schema parses both types, so that a field of the
// other type is rejected by name.
import { Result, Schema } from "effect"
import { described, requestText } from "../../platform/http/fields.ts"
import type { Issue } from "../../platform/http/issues.ts"
import { AppSlug } from "./accounts/account.ts"
import { sampleData } from "./events/sample.ts"
import { checkTemplate, templateBytesMax } from "./events/template.ts"
import { headersMax, valueLengthMax } from "./webhook-headers.ts"
import { leavings, mappedAttributes } from "./connectors/automation-config.ts"
import type { Connector } from "./connectors/connector.ts"
import {
  bodyKinds,
  type DestinationType,
  destinationTypes,
  eventTypes,
  validationPolicies,
} from "./destination.ts"

/** spec 10.3. */
const nameLengthMax = 160
const listIdLengthMax = 200
const listNameLengthMax = 200
const tagLengthMax = 100
const tagsMax = 19
const timeoutMs = { minimum: 1_000, maximum: 30_000 }
/** Our own limits: the number of mapped fields, and the length of their names. */
const mappedFieldsMax = 200
const fieldNameLengthMax = 200
/** spec 1.9 limits what is stored; this limits what is parsed. */
const urlLengthMax = 8_192

const EventTypes = Schema.Array(Schema.Literals(eventTypes)).check(
  Schema.isMinLength(1),
  Schema.makeFilter((given: ReadonlyArray<string>) => given.length <= eventTypes.length, {
    expected: `at most ${eventTypes.length} event types`,
    issueCode: "max_items",
  }),
  Schema.makeFilter((given: ReadonlyArray<string>) => new Set(given).size === given.length, {
    expected: "each event type once",
    issueCode: "format",
  }),
)

/** Becomes part of a URL, so it must not be a path segment like `..`. */
const ListId = requestText({ lengthMin: 1, lengthMax: listIdLengthMax }).check(
  Schema.isPattern(/^(?!\.{1,2}$)/, { expected: "the id of a list" }),
)

const FieldMapping = Schema.Record(
  requestText({ lengthMin: 1, lengthMax: fieldNameLengthMax }),
  Schema.Literals(mappedAttributes),
).check(
  Schema.makeFilter((given: object) => Object.keys(given).length <= mappedFieldsMax, {
    expected: `at most ${mappedFieldsMax} fields`,
    issueCode: "max_items",
  }),
)

export const AutomationConfigRequest = Schema.Struct({
  listId: described(`Id of the list at the provider, 1 to ${listIdLengthMax} characters.`, ListId),
  listName: described(
    `Display name of the list, at most ${listNameLengthMax} characters.`,
    Schema.optionalKey(requestText({ lengthMin: 0, lengthMax: listNameLengthMax })),
  ),
  emailSource: described(
    "Which email address to send. Only `email`, the primary one.",
    Schema.optionalKey(Schema.Literals(["email"])),
  ),
  newContactStatus: described(
    "Status for contacts new to the list: null for the list's own opt-in, or `SUBSCRIBED`, which also gives it to lists without double opt-in. Default: null; `SUBSCRIBED` for `mailer`. An existing contact keeps its status.",
    Schema.optionalKey(Schema.NullOr(Schema.Literals(["SUBSCRIBED"]))),
  ),
  fieldMapping: described(
    `Which contact field to write to each list field, by the list field's tag. At most ${mappedFieldsMax}.`,
    Schema.optionalKey(FieldMapping),
  ),
  tags: described(
    `Tags to add to every contact, at most ${tagsMax} of 1 to ${tagLengthMax} characters.`,
    Schema.optionalKey(
      Schema.Array(requestText({ lengthMin: 1, lengthMax: tagLengthMax })).check(
        Schema.isMaxLength(tagsMax),
      ),
    ),
  ),
  onLeave: described(
    "What happens at the service to people who leave the audience: `keep` leaves them there, `remove_tag` removes the audience's tag, `remove_from_list` takes them off the list. Default `keep`. `GET /v1/intent/integrations` says what each service can do.",
    Schema.optionalKey(Schema.Literals(leavings)),
  ),
  eraseAtProvider: described(
    "Whether people who are erased here are deleted at the service too, if this destination added them. Default false.",
    Schema.optionalKey(Schema.Boolean),
  ),
}).annotate({ identifier: "AutomationConfigRequest" })
export type AutomationConfigRequest = typeof AutomationConfigRequest.Type

const name = described(
  `1 to ${nameLengthMax} characters.`,
  requestText({ lengthMin: 1, lengthMax: nameLengthMax }),
)
export const webhookBody = {
  body: described(
    "Webhooks only: `standard` sends events as they are, `cloudevents` as CloudEvents 1.0, `template` sends contacts as `template` says. Default `standard`.",
    Schema.optionalKey(Schema.Literals(bodyKinds)),
  ),
  template: described(
    `With \`body: "template"\` only: a JSON object with placeholders such as \`{{contact.email}}\`, the paths of the event's \`data\`. At most ${templateBytesMax} bytes.`,
    Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  ),
}
/** Names and values are checked by `readHeaders`, which shows no value. */
export const newHeaders = described(
  `Webhooks only: headers of each request, such as \`authorization\`. At most ${headersMax}, values of 1 to ${valueLengthMax} characters. Stored encrypted, and never shown.`,
  Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
)
const changedHeaders = described(
  `Webhooks only: headers to add or replace; null removes one. Headers that are left out stay. At most ${headersMax}.`,
  Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(Schema.String))),
)

const changeable = {
  validationPolicy: described(
    "`valid_or_catchall` sends only contacts whose `emailStatus` is `valid` or `catch_all`. Default: `none` for a webhook, `valid_or_catchall` for an automation.",
    Schema.optionalKey(Schema.Literals(validationPolicies)),
  ),
  url: described(
    "Webhooks only: the `https:` URL that receives the events, at most 2048 characters.",
    Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: urlLengthMax })),
  ),
  eventTypes: described(
    "Webhooks only: the events to send, each listed once.",
    Schema.optionalKey(EventTypes),
  ),
  timeoutMs: described(
    "Webhooks only: milliseconds to wait for a response. Default 10000.",
    Schema.optionalKey(Schema.Int.check(Schema.isBetween(timeoutMs))),
  ),
  ...webhookBody,
  config: described(
    "Automations only: how to write to the list.",
    Schema.optionalKey(AutomationConfigRequest),
  ),
}

/** `destinationType` decides which fields are required. */
export class NewDestination extends Schema.Opaque<NewDestination>()(
  Schema.Struct({
    destinationType: described(
      "`webhook` for a URL, `automation` for a list at a provider.",
      Schema.Literals(destinationTypes),
    ),
    name,
    connectedAccountId: described(
      "Automations only: id of the connected account.",
      Schema.optionalKey(Schema.String.check(Schema.isUUID())),
    ),
    appSlug: described("Automations only: the provider.", Schema.optionalKey(AppSlug)),
    headers: newHeaders,
    ...changeable,
  }).annotate({ identifier: "NewDestination" }),
) {}

/** Omitted fields do not change. */
export class DestinationChange extends Schema.Opaque<DestinationChange>()(
  Schema.Struct({
    name: Schema.optionalKey(name),
    status: described(
      "Whether the destination receives deliveries. `active` approves its configuration.",
      Schema.optionalKey(Schema.Literals(["active", "paused"])),
    ),
    headers: changedHeaders,
    ...changeable,
  }).annotate({ identifier: "DestinationChange" }),
) {}

// Which fields each type of destination may have, and which it requires on creation (spec 5.10.1).

/** Fields of only one type; the required ones first. */
const required = {
  webhook: ["url", "eventTypes"],
  automation: ["connectedAccountId", "appSlug", "config"],
} as const satisfies Record<DestinationType, ReadonlyArray<string>>
const fields: Readonly<Record<DestinationType, ReadonlyArray<string>>> = {
  webhook: [...required.webhook, "timeoutMs", "headers", "body", "template"],
  automation: required.automation,
}

/** Fields in the body that belong to the other type. */
export const foreignFields = (type: DestinationType, body: object): ReadonlyArray<Issue> =>
  fields[type === "webhook" ? "automation" : "webhook"]
    .filter((field) => Object.hasOwn(body, field))
    .map((field) => ({
      path: `/body/${field}`,
      code: "unknown_field",
      message: `A destination of type ${type} does not have this field.`,
    }))

export const missingFields = (type: DestinationType, body: object): ReadonlyArray<Issue> =>
  required[type]
    .filter((field) => !Object.hasOwn(body, field))
    .map((field) => ({
      path: `/body/${field}`,
      code: "required",
      message: "This field is required.",
    }))

/** What is wrong with the template that a request sends, or the one that `body` requires. */ // spec 2.15.10
export const templateIssues = (
  { body = "standard", template }: Pick<NewDestination, "body" | "template">,
  { isStored }: { readonly isStored: boolean },
): ReadonlyArray<Issue> => {
  const issue = (code: string, message: string) => [{ path: "/body/template", code, message }]
  if (body !== "template") {
    return template === undefined
      ? []
      : issue("unknown_field", `Expected no template, because body is ${body}.`)
  }
  if (template === undefined) return isStored ? [] : issue("required", "This field is required.")
  return Result.match(checkTemplate(template, sampleData), {
    onFailure: (issues) => issues,
    onSuccess: () => [],
  })
}

/** What the configuration asks of a service that can't do it. */ // spec 2.15.8
export const unableIssues = (
  { abilities, appName }: Connector,
  {
    eraseAtProvider = false,
    newContactStatus,
    onLeave = "keep",
    tags = [],
  }: AutomationConfigRequest,
): ReadonlyArray<Issue> => {
  const expected = (values: ReadonlyArray<string | null>) =>
    values.map((value) => value ?? "null").join(" or ")
  const issue = (field: string, code: string, message: string) => [
    { path: `/body/config/${field}`, code, message },
  ]
  return [
    ...(newContactStatus === undefined || abilities.newContactStatus.includes(newContactStatus)
      ? []
      : issue(
          "newContactStatus",
          "enum",
          `Expected ${expected(abilities.newContactStatus)} for ${appName}, received ${newContactStatus}.`,
        )),
    ...(tags.length === 0 || abilities.hasTags
      ? []
      : issue("tags", "max_items", `Expected no tags, because ${appName} has none for contacts.`)),
    ...(abilities.onLeave.includes(onLeave)
      ? []
      : issue(
          "onLeave",
          "enum",
          `Expected ${expected(abilities.onLeave)} for ${appName}, received ${onLeave}.`,
        )),
    ...(!eraseAtProvider || abilities.canErase
      ? []
      : issue(
          "eraseAtProvider",
          "enum",
          `Expected false for ${appName}, because it deletes no one on request, received true.`,
        )),
  ]
}
