// The bodies that make and change destinations (spec 5.10). Both
// kinds are read by one schema, so that a field of the other kind is refused by its name
// (kind-fields.ts).
import { Schema } from "effect"
import { described } from "../http/described.ts"
import { requestText } from "../http/request-text.ts"
import { AppSlug } from "./accounts/account.ts"
import {
  destinationTypes,
  eventTypes,
  mappedAttributes,
  validationPolicies,
} from "./destination.ts"

/** spec 10.3. */
const nameLengthMax = 160
const listIdLengthMax = 200
const listNameLengthMax = 200
const tagLengthMax = 100
const tagsMax = 19
const timeoutMs = { minimum: 1_000, maximum: 30_000 }
/** Our bounds: fields of one mapping, and their names. */
const mappedFieldsMax = 200
const fieldNameLengthMax = 200
/** spec 1.9 bounds what is stored; this what is read. */
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
  listId: described(`Id of the list at the provider, 1 to ${listIdLengthMax} characters.`, ListId),
  listName: described(
    `Name of the list, for people; at most ${listNameLengthMax} characters.`,
    Schema.optionalKey(requestText({ lengthMin: 0, lengthMax: listNameLengthMax })),
  ),
  emailSource: described(
    "Which address is sent: the primary one.",
    Schema.optionalKey(Schema.Literals(["email"])),
  ),
  newContactStatus: described(
    "Status of contacts that the list does not have yet.",
    Schema.optionalKey(Schema.Literals(["SUBSCRIBED"])),
  ),
  fieldMapping: described(
    `What each field of the list is given, by its tag; at most ${mappedFieldsMax}.`,
    Schema.optionalKey(FieldMapping),
  ),
  tags: described(
    `Added to every contact; at most ${tagsMax}, each 1 to ${tagLengthMax} characters.`,
    Schema.optionalKey(
      Schema.Array(requestText({ lengthMin: 1, lengthMax: tagLengthMax })).check(
        Schema.isMaxLength(tagsMax),
      ),
    ),
  ),
}).annotate({ identifier: "AutomationConfigRequest" })
export type AutomationConfigRequest = typeof AutomationConfigRequest.Type

const name = described(
  `1 to ${nameLengthMax} characters.`,
  requestText({ lengthMin: 1, lengthMax: nameLengthMax }),
)
const changeable = {
  validationPolicy: described(
    "`valid_or_catchall`: only contacts whose `emailStatus` is `valid` or `catch_all`. A new webhook has `none`, a new automation `valid_or_catchall`.",
    Schema.optionalKey(Schema.Literals(validationPolicies)),
  ),
  url: described(
    "Where a webhook is sent: `https:`, at most 2048 characters.",
    Schema.optionalKey(requestText({ lengthMin: 1, lengthMax: urlLengthMax })),
  ),
  eventTypes: described(
    "Which events a webhook is sent, each kind once.",
    Schema.optionalKey(EventTypes),
  ),
  timeoutMs: described(
    "Milliseconds in which a webhook has to be answered; a new one has 10000.",
    Schema.optionalKey(Schema.Int.check(Schema.isBetween(timeoutMs))),
  ),
  config: described(
    "How a list is written; of `automation` only.",
    Schema.optionalKey(AutomationConfigRequest),
  ),
}

/** Which of the fields are required follows from `destinationType`. */
export class NewDestination extends Schema.Opaque<NewDestination>()(
  Schema.Struct({
    destinationType: described(
      "`webhook`: an address; `automation`: a list at a provider.",
      Schema.Literals(destinationTypes),
    ),
    name,
    connectedAccountId: described(
      "Id of the account at the provider; of `automation` only.",
      Schema.optionalKey(Schema.String.check(Schema.isUUID())),
    ),
    appSlug: described("The provider; of `automation` only.", Schema.optionalKey(AppSlug)),
    ...changeable,
  }).annotate({ identifier: "NewDestination" }),
) {}

/** What is left out stays. */
export class DestinationChange extends Schema.Opaque<DestinationChange>()(
  Schema.Struct({
    name: Schema.optionalKey(name),
    status: described(
      "Whether audiences are delivered to it; `active` approves its configuration.",
      Schema.optionalKey(Schema.Literals(["active", "paused"])),
    ),
    ...changeable,
  }).annotate({ identifier: "DestinationChange" }),
) {}
