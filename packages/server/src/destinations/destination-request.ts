// The bodies that make and change destinations (service.md, POST destinations; decisions.md 5.10, 13). Both
// kinds are read by one schema, so that a field of the other kind is refused by its name
// (kind-fields.ts).
import { Schema } from "effect"
import { requestText } from "../http/request-text.ts"
import { AppSlug } from "./accounts/account.ts"
import {
  destinationTypes,
  eventTypes,
  mappedAttributes,
  validationPolicies,
} from "./destination.ts"

/** service.md, Limits. */
const nameLengthMax = 160
const listIdLengthMax = 200
const listNameLengthMax = 200
const tagLengthMax = 100
const tagsMax = 19
const timeoutMs = { minimum: 1_000, maximum: 30_000 }
/** Our bounds: fields of one mapping, and their names. */
const mappedFieldsMax = 200
const fieldNameLengthMax = 200
/** decisions.md 1.9 bounds what is stored; this what is read. */
const urlLengthMax = 8_192

const EventTypes = Schema.Array(Schema.Literals(eventTypes)).check(
  Schema.isMinLength(1),
  Schema.makeFilter((given: ReadonlyArray<string>) => given.length <= eventTypes.length, {
    expected: `at most ${eventTypes.length} kinds`,
    issueCode: "max_items",
  }),
  Schema.makeFilter((given: ReadonlyArray<string>) => new Set(given).size === given.length, {
    expected: "each kind once",
    issueCode: "format",
  }),
)

/** Not a step in a path: it becomes a part of an address. */
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
  listId: ListId,
  listName: Schema.optionalKey(requestText({ lengthMin: 0, lengthMax: listNameLengthMax })),
  emailSource: Schema.optionalKey(Schema.Literals(["email"])),
  newContactStatus: Schema.optionalKey(Schema.Literals(["SUBSCRIBED"])),
  fieldMapping: Schema.optionalKey(FieldMapping),
  tags: Schema.optionalKey(
    Schema.Array(requestText({ lengthMin: 1, lengthMax: tagLengthMax })).check(
      Schema.isMaxLength(tagsMax),
    ),
  ),
}).annotate({ identifier: "AutomationConfigRequest" })
export type AutomationConfigRequest = typeof AutomationConfigRequest.Type

const name = requestText({ lengthMin: 1, lengthMax: nameLengthMax })
const changeable = {
  validationPolicy: Schema.optionalKey(Schema.Literals(validationPolicies)),
  url: Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: urlLengthMax })),
  eventTypes: Schema.optionalKey(EventTypes),
  timeoutMs: Schema.optionalKey(Schema.Int.check(Schema.isBetween(timeoutMs))),
  config: Schema.optionalKey(AutomationConfigRequest),
}

/** Which of the fields are required follows from `destinationType`. */
export class NewDestination extends Schema.Opaque<NewDestination>()(
  Schema.Struct({
    destinationType: Schema.Literals(destinationTypes),
    name,
    connectedAccountId: Schema.optionalKey(Schema.String.check(Schema.isUUID())),
    appSlug: Schema.optionalKey(AppSlug),
    ...changeable,
  }).annotate({ identifier: "NewDestination" }),
) {}

/** What is left out stays. */
export class DestinationChange extends Schema.Opaque<DestinationChange>()(
  Schema.Struct({
    name: Schema.optionalKey(name),
    status: Schema.optionalKey(Schema.Literals(["active", "paused"])),
    ...changeable,
  }).annotate({ identifier: "DestinationChange" }),
) {}
