// Faults in the requests of webhook destinations: headers, templates, contacts of deliveries and retrying.
import { type Fault, faultsIn } from "./fault.ts"

const templates = "src/activation/destinations/events/template.test.ts"
const requests = "test/destinations/webhook-requests.test.ts"
const contacts = "test/deliveries/contacts.test.ts"
const retrying = "test/deliveries/retrying.test.ts"

export const webhookRequests: ReadonlyArray<Fault> = [
  ...faultsIn("server/src/activation/destinations/events/template.ts", templates, [
    [
      "a placeholder that is the whole text becomes text",
      "if (isAlone) return JSON.stringify(value)",
      "if (isAlone) return JSON.stringify(String(value))",
    ],
    ["a quote in a value ends the text of the template", "inText(String(value))", "String(value)"],
    ["a null value inside a text is written as null", 'value === null ? "" : inText', "inText"],
    [
      "a path of the prototype is accepted",
      "Object.getOwnPropertyDescriptor(value, key)?.value",
      "(value as Record<string, unknown>)[key]",
    ],
    ["a template of any depth is accepted", "depth > depthMax", "false"],
    ["a template of any size is accepted", "size > templateBytesMax", "false"],
    ["any number of placeholders is accepted", "placeholders > placeholdersMax", "false"],
    ["an object inside a text is accepted", '!isAlone && kind !== "value"', "false"],
  ]),
  ...faultsIn(
    "server/src/activation/destinations/webhook-headers.ts",
    requests,
    [
      ["a header of the signature is accepted", ' || name.startsWith("webhook-")', ""],
      ["a value with a line break is accepted", "\\x20-\\x7e\\xa0-\\xff]+$/", "\\s\\S]+$/"],
      ["more than 20 headers are accepted", "count <= headersMax", "true"],
      ["a null header is kept", "entry[1] !== null", "true"],
      [
        "two destinations with the same header have the same hash",
        "`${ownerOf(owner)}.${name}: ${value}`",
        "`${name}: ${value}`",
      ],
    ],
    { named: "headers" },
  ),
  ...faultsIn(
    "server/src/platform/outbound/message.ts",
    requests,
    [
      [
        "headers of the destination are not sent",
        "...(headers === undefined ? {} : Redacted.value(headers)),",
        "",
      ],
    ],
    { named: "headers" },
  ),
  ...faultsIn(
    "server/src/activation/destinations/destination.ts",
    "src/activation/destinations/destination.test.ts",
    [
      [
        "another header value needs no approval",
        "...(config.headers === undefined ? {} : { headers: config.headers }),",
        "",
      ],
      [
        "another template needs no approval",
        "...(config.template === undefined ? {} : { template: JSON.parse(config.template) }),",
        "",
      ],
    ],
  ),
  ...faultsIn(
    "server/src/activation/destinations/destinations.ts",
    requests,
    [
      [
        "a changed header is approved but not kept",
        "yield* store.keepHeaders(key, sealHeaders(dataKeys, sealing, headers))",
        "",
      ],
    ],
    { named: "headers" },
  ),
  ...faultsIn(
    "server/src/activation/destinations/events/format.ts",
    requests,
    [
      [
        "started and completed are sent by the template",
        'event === "intent.audience.contact.upserted" ? ofContacts : standard',
        "ofContacts",
      ],
      ["a CloudEvent has the content type of JSON", '"application/cloudevents+json"', "jsonType"],
    ],
    { named: "the body" },
  ),
  ...faultsIn("server/src/activation/deliveries/sql/settled-contacts.ts", contacts, [
    [
      "a page repeats the last contact of the page before it",
      "> (${batch}::text::integer, ${place}::text::integer)",
      ">= (${batch}::text::integer, ${place}::text::integer)",
    ],
    [
      "a page reads every batch of the delivery",
      "and batch.outcomes like ${sql.literal(`'%${letter}%'`)}",
      "",
    ],
    [
      "contacts of runs whose results are gone are looked for",
      'if (!question.hasResults && of !== "failed") continue',
      'if (!question.hasResults && of === "failed") continue',
    ],
  ]),
  ...faultsIn("server/src/activation/deliveries/sql/acknowledgement.ts", contacts, [
    [
      "the outcomes of an earlier part of the batch are forgotten",
      "coalesce(known.letter, nullif(substr(outcomes, place, 1), ''), '-')",
      "coalesce(known.letter, '-')",
    ],
  ]),
  ...faultsIn("server/src/activation/deliveries/sending/batch-progress.ts", retrying, [
    ["a failed attempt is not counted", "this.failedAttempts += 1", ""],
  ]),
  ...faultsIn("server/src/activation/deliveries/work/acknowledging.ts", retrying, [
    [
      "a failed attempt shows only when its contact has settled",
      "hasStumbled = true\n          return Effect.asVoid(requestWrite(batch))",
      "hasStumbled = true\n          return undefined",
    ],
  ]),
  ...faultsIn("server/src/activation/destinations/targets/store.ts", retrying, [
    [
      "a success does not end the retrying",
      "failed_attempts = case when ${sent}::int + ${removed}::int > 0 then 0 else failed_attempts end",
      "failed_attempts = failed_attempts",
    ],
  ]),
  ...faultsIn(
    "server/src/activation/webhooks/sending/settlement-store.ts",
    "test/webhooks/sending.test.ts",
    [
      [
        "an alert's success does not end the retrying",
        "failed_attempts = case when c.has_success then 0",
        "failed_attempts = case when false then 0",
      ],
    ],
    { named: "followed by a success" },
  ),
]
