// Visitors: people whom your sites identified.
import { createHash } from "node:crypto"
import type { IDataObject, INodeProperties } from "n8n-workflow"
import { ask, askAll } from "../../api"
import { fieldsOf, limitOf, type Operations, rowCount, shownFor, textOf, valuesIn } from "../fields"

const resource = "visitor"

export const visitorFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: [
      {
        name: "Erase",
        value: "erase",
        description: "Permanently erase everything about a person",
        action: "Erase a visitor",
      },
      {
        name: "Get",
        value: "get",
        description: "Get a person by email address, with their journey",
        action: "Get a visitor",
      },
      {
        name: "Get Many",
        value: "getAll",
        description: "List or search the people whom your sites identified",
        action: "Get many visitors",
      },
      {
        name: "Update",
        value: "update",
        description: "Set the owner and the tags of a person",
        action: "Update a visitor",
      },
    ],
    default: "get",
  },
  {
    displayName: "Email or Email Hash",
    name: "email",
    type: "string",
    default: "",
    required: true,
    placeholder: "name@email.com",
    description:
      "An email address of the person. To erase or update, it can also be the SHA-256 of one, which the API calls emailHash.",
    displayOptions: shownFor(resource, "get", "update", "erase"),
  },
  ...rowCount(resource, "getAll"),
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add Filter",
    default: {},
    displayOptions: shownFor(resource, "getAll"),
    options: [
      {
        displayName: "Period",
        name: "timeframe",
        type: "options",
        default: "7d",
        description: "When the person was last seen",
        options: [
          { name: "14 Days", value: "14d" },
          { name: "24 Hours", value: "24h" },
          { name: "30 Days", value: "30d" },
          { name: "7 Days", value: "7d" },
          { name: "90 Days", value: "90d" },
          { name: "Any Time", value: "all" },
        ],
      },
      {
        displayName: "Search",
        name: "q",
        type: "string",
        default: "",
        description: "Any part of a name or email address",
      },
      {
        displayName: "Segment ID",
        name: "segmentId",
        type: "string",
        default: "",
        description:
          "Only people in this segment. It can't be combined with Search, Tag, Owner or Sort.",
      },
      {
        displayName: "Sort",
        name: "sort",
        type: "options",
        default: "last_seen",
        options: [
          { name: "Highest Score First", value: "score" },
          { name: "Last Seen First", value: "last_seen" },
        ],
      },
      {
        displayName: "Suppressed",
        name: "suppressed",
        type: "options",
        default: "exclude",
        description: "Whether to return people whom a suppression rule matches",
        options: [
          { name: "Exclude", value: "exclude" },
          { name: "Include", value: "include" },
          { name: "Only Suppressed", value: "only" },
        ],
      },
      {
        displayName: "Tag",
        name: "tag",
        type: "string",
        default: "",
        description: "Only people with this tag",
      },
    ],
  },
  {
    displayName: "Update Fields",
    name: "update",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: shownFor(resource, "update"),
    options: [
      {
        displayName: "Owner ID",
        name: "ownerId",
        type: "string",
        default: "",
        description: "ID of the member who looks after the person. Empty for no one.",
      },
      {
        displayName: "Tags",
        name: "tags",
        type: "string",
        default: "",
        description: "All tags, separated by commas. They replace the earlier tags.",
      },
    ],
  },
  {
    displayName: "Suppress Too",
    name: "suppress",
    type: "boolean",
    default: false,
    description: "Whether to add a suppression rule for every address of the person",
    displayOptions: shownFor(resource, "erase"),
  },
]

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text)

/** What the API calls the person. */
export const visitorIdOf = (email: string): string =>
  isHash(email)
    ? email.toLowerCase()
    : createHash("sha256").update(email.trim().toLowerCase().normalize("NFC")).digest("hex")

export const visitorOperations: Operations = {
  get: async (context, itemIndex) => {
    const { data } = await ask<IDataObject>(context, {
      method: "GET",
      path: ["data"],
      query: { email: textOf(context, "email", itemIndex) },
      itemIndex,
    })
    return [data]
  },

  getAll: (context, itemIndex) => {
    const { segmentId, ...filters } = fieldsOf(context, "filters", itemIndex)
    const limit = limitOf(context, itemIndex)
    return segmentId
      ? askAll(
          context,
          { method: "POST", path: ["data", "query"], body: { ...filters, segmentId }, itemIndex },
          limit,
        )
      : askAll(
          context,
          {
            method: "GET",
            path: ["data"],
            query: { suppressed: "exclude", ...filters },
            itemIndex,
          },
          limit,
        )
  },

  update: async (context, itemIndex) => {
    const update = fieldsOf(context, "update", itemIndex)
    const body: IDataObject = {}
    if ("ownerId" in update) body.ownerId = update.ownerId || null
    if ("tags" in update) body.tags = valuesIn(update.tags)
    const { data } = await ask<IDataObject>(context, {
      method: "PATCH",
      path: ["data", "visitors", visitorIdOf(textOf(context, "email", itemIndex))],
      body,
      itemIndex,
    })
    return [data]
  },

  erase: async (context, itemIndex) => {
    const { data } = await ask<IDataObject>(context, {
      method: "DELETE",
      path: ["data", "visitors", visitorIdOf(textOf(context, "email", itemIndex))],
      query: { suppress: context.getNodeParameter("suppress", itemIndex) as boolean },
      itemIndex,
    })
    return [data]
  },
}
